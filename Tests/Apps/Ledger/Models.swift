import Foundation
import Strongroom

struct Currency: Codable, Hashable, FetchableRecord, PersistableRecord {
    var code: String
    var name: String
}

struct Account: Codable, Identifiable, Hashable {
    enum Kind: String, Codable, CaseIterable, DatabaseValueConvertible {
        case checking, savings, card
    }

    struct Settings: Codable, Hashable {
        var color: String
        var limits: [String: Int] = [:]
        var owners: [String]?
    }

    var id: UUID
    var name: String
    var currencyCode: String
    var kind: Kind
    var opened: Date
    var settings: Settings
}

extension Account: FetchableRecord, PersistableRecord {
    enum Columns {
        static let id = Column(CodingKeys.id)
        static let name = Column(CodingKeys.name)
        static let kind = Column(CodingKeys.kind)
        static let settings = JSONColumn(CodingKeys.settings)
    }

    static let currency = belongsTo(Currency.self)
    static let closing = hasOne(Closing.self)
    static let payments = hasMany(Payment.self).order(Column("day"), Column("id"))
    static let payees = hasMany(Payee.self, through: payments, using: Payment.payee)
    static let expenses = payments.filter(Column("amount") < 0).forKey("expenses")

    static func databaseUUIDEncodingStrategy(
        for column: String
    ) -> DatabaseUUIDEncodingStrategy {
        .uppercaseString
    }

    static func databaseDateEncodingStrategy(
        for column: String
    ) -> DatabaseDateEncodingStrategy {
        .iso8601
    }

    static func databaseDateDecodingStrategy(
        for column: String
    ) -> DatabaseDateDecodingStrategy {
        .iso8601
    }

    var payments: QueryInterfaceRequest<Payment> {
        request(for: Account.payments)
    }
}

/// The last balance of an account that was closed.
struct Closing: Codable, FetchableRecord, PersistableRecord {
    var accountId: UUID
    var balance: Int
    var closed: Date

    static func databaseUUIDEncodingStrategy(
        for column: String
    ) -> DatabaseUUIDEncodingStrategy {
        .uppercaseString
    }

    static func databaseDateEncodingStrategy(
        for column: String
    ) -> DatabaseDateEncodingStrategy {
        .timeIntervalSince1970
    }

    static func databaseDateDecodingStrategy(
        for column: String
    ) -> DatabaseDateDecodingStrategy {
        .timeIntervalSince1970
    }
}

struct Payee: Codable, Hashable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var name: String
    var uses = 1

    static let payments = hasMany(Payment.self)

    mutating func didInsert(_ inserted: InsertionSuccess) {
        id = inserted.rowID
    }
}

struct Payment: Codable, Equatable {
    var id: Int64?
    var accountId: UUID
    var payeeId: Int64?
    var amount: Int
    var day: Date
    var reference: UUID?
    var tags: [String]?
}

extension Payment: FetchableRecord, MutablePersistableRecord {
    static var databaseSelection: [any SQLSelectable] {
        [.allColumns(excluding: ["isExpense"])]
    }

    static let account = belongsTo(Account.self)
    static let payee = belongsTo(Payee.self)
    static let currency = hasOne(Currency.self, through: account, using: Account.currency)
    static let paymentLabels = hasMany(PaymentLabel.self)
    static let labels = hasMany(Label.self, through: paymentLabels, using: PaymentLabel.label)

    static func databaseUUIDEncodingStrategy(
        for column: String
    ) -> DatabaseUUIDEncodingStrategy {
        column == "accountId" ? .uppercaseString : .deferredToUUID
    }

    mutating func didInsert(_ inserted: InsertionSuccess) {
        id = inserted.rowID
    }
}

extension DerivableRequest where RowDecoder == Payment {
    func expenses() -> Self {
        filter(Column("isExpense"))
    }

    func to(payee name: String) -> Self {
        joining(required: Payment.payee.filter(Column("name") == name))
    }
}

struct Label: Codable, Hashable, FetchableRecord, PersistableRecord {
    var name: String
    var parent: String?

    static let parentLabel = belongsTo(
        Label.self, key: "parentLabel", using: ForeignKey(["parent"]))
    static let children = hasMany(
        Label.self, key: "children", using: ForeignKey(["parent"]))
}

struct PaymentLabel: Codable, FetchableRecord, PersistableRecord {
    var paymentId: Int64
    var labelName: String

    static let label = belongsTo(Label.self)
}

/// What the screen of one account shows.
struct AccountPage: FetchableRecord, Decodable {
    var account: Account
    var currency: Currency
    var closing: Closing?
    var lines: [PaymentLine]
    var payees: Set<String>
}

struct PaymentLine: FetchableRecord, Decodable {
    var payment: Payment
    var payeeName: String?
    var labels: [Label]
}

extension AccountPage {
    static func request(for id: UUID) -> QueryInterfaceRequest<AccountPage> {
        let lines = Account.payments
            .annotated(withOptional: Payment.payee.select(Column("name").forKey("payeeName")))
            .including(all: Payment.labels.order(Column("name")))
            .forKey("lines")
        return
            Account
            .filter(id: id)
            .including(required: Account.currency)
            .including(optional: Account.closing)
            .including(all: lines)
            .including(all: Account.payees.select(Column("name")).forKey("payees"))
            .asRequest(of: AccountPage.self)
    }
}
