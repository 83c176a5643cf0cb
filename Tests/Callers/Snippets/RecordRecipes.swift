import Foundation
import Strongroom

// Records as GRDB's guides recommend them: timestamps, a single row, columns behind properties, JSON.

/// A record that knows when it was made and changed.
private protocol TimestampedRecord: MutablePersistableRecord {
    var creationDate: Date? { get set }
    var modificationDate: Date? { get set }
}

extension TimestampedRecord {
    fileprivate mutating func willInsert(_ db: Database) throws {
        if creationDate == nil { creationDate = try db.transactionDate }
        if modificationDate == nil { modificationDate = try db.transactionDate }
    }

    @discardableResult
    fileprivate mutating func updateChangesWithTimestamp(
        _ db: Database, at date: Date, modify: (inout Self) throws -> Void
    ) throws -> Bool {
        let changes = try databaseChanges(modify: modify)
        if changes.isEmpty { return false }
        let dates = try databaseChanges(modify: { $0.modificationDate = date })
        try update(db, columns: Set(changes.keys).union(dates.keys))
        return true
    }

    fileprivate mutating func touch(_ db: Database, at date: Date) throws {
        try updateChanges(db) { $0.modificationDate = date }
    }
}

private struct Stamped: Codable, TimestampedRecord, FetchableRecord {
    var id: Int64?
    var creationDate: Date?
    var modificationDate: Date?
    var name: String

    static let databaseTableName = "stamped"
    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

private struct AppConfiguration: Codable, FetchableRecord, PersistableRecord {
    private var id = 1
    private var storedFlag: Bool?

    init(storedFlag: Bool?) { self.storedFlag = storedFlag }

    var flag: Bool {
        get { storedFlag ?? true }
        set { storedFlag = newValue }
    }

    static let `default` = AppConfiguration(storedFlag: nil)

    func willUpdate(_ db: Database, columns: Set<String>) throws {
        if try !exists(db) { try AppConfiguration.default.insert(db) }
    }

    static func find(_ db: Database) throws -> AppConfiguration { try fetchOne(db) ?? .default }
}

private struct Product: Codable, FetchableRecord, MutablePersistableRecord {
    enum Kind: String, Codable, DatabaseValueConvertible { case tool, toy }

    var id: Int64?
    var kind: Kind
    private var priceCents: Int
    private var latitude: Double
    private var longitude: Double

    enum Columns {
        static let kind = Column(CodingKeys.kind)
        static let priceCents = Column(CodingKeys.priceCents)
    }

    init(kind: Kind, price: Decimal) {
        self.kind = kind
        priceCents = Self.cents(price)
        (latitude, longitude) = (0, 0)
    }

    var price: Decimal {
        get { Decimal(priceCents) / 100 }
        set { priceCents = Self.cents(newValue) }
    }

    var place: (latitude: Double, longitude: Double) {
        get { (latitude, longitude) }
        set { (latitude, longitude) = newValue }
    }

    private static func cents(_ price: Decimal) -> Int {
        Int(Double(truncating: NSDecimalNumber(decimal: price * 100)))
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

private struct Address: Codable, Equatable {
    var street: String
    var city: String
}

private struct Contact: Codable, FetchableRecord, PersistableRecord {
    var id: String
    var address: Address
    var former: [Address]?
    var info: Data

    static func databaseDataEncodingStrategy(for column: String) -> DatabaseDataEncodingStrategy {
        .text
    }
}

func recordRecipeSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try recordRecipeSnippets1(db, snippet)
    try recordRecipeSnippets2(db, snippet)
}

func recordRecipeSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("TimestampedRecord of the guide") {
        try db.create(table: "stamped") { t in
            t.autoIncrementedPrimaryKey("id")
            t.column("creationDate", .datetime).notNull()
            t.column("modificationDate", .datetime).notNull()
            t.column("name", .text).notNull()
        }
        var record = Stamped(id: nil, name: "a")
        try record.insert(db)
        let start = try db.transactionDate
        try expect(record.creationDate == start && record.modificationDate == start)
        let later = Date(timeIntervalSince1970: 1_000)
        try expect(try !record.updateChangesWithTimestamp(db, at: later) { $0.name = "a" })
        try expect(try record.updateChangesWithTimestamp(db, at: later) { $0.name = "b" })
        try expect(try Stamped.find(db, key: record.id).modificationDate == later)
        try record.touch(db, at: Date(timeIntervalSince1970: 2_000))
        let row = try Row.fetchOne(db, Stamped.all())
        try expect(row?["modificationDate"] == "1970-01-01 00:33:20.000" && row?["name"] == "b")
        try db.drop(table: "stamped")
    }
    try snippet("a single row") {
        try db.create(table: "appConfiguration") { t in
            t.primaryKey("id", .integer, onConflict: .replace).check { $0 == 1 }
            t.column("storedFlag", .boolean)
        }
        var settings = try AppConfiguration.find(db)
        try expect(settings.flag)
        try settings.updateChanges(db) { $0.flag = false }
        try expect(try !AppConfiguration.find(db).flag && AppConfiguration.fetchCount(db) == 1)
        settings.flag = true
        try settings.insert(db)
        settings.flag = false
        try settings.save(db)
        try settings.upsert(db)
        try expect(try !AppConfiguration.find(db).flag && AppConfiguration.fetchCount(db) == 1)
        try expectError(DatabaseError.self) {
            try db.execute(sql: "INSERT INTO appConfiguration(id) VALUES (2)")
        }
        try db.drop(table: "appConfiguration")
    }
}

func recordRecipeSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("columns that properties hide") {
        try db.create(table: "product") { t in
            t.autoIncrementedPrimaryKey("id")
            t.column("kind", .text).notNull()
            t.column("priceCents", .integer).notNull()
            t.column("latitude", .double).notNull()
            t.column("longitude", .double).notNull()
        }
        var tool = Product(kind: .tool, price: Decimal(string: "12.34")!)
        tool.place = (48.8, 2.3)
        try tool.insert(db)
        var toy = Product(kind: .toy, price: 5)
        try toy.insert(db)
        let found = try Product.find(db, key: tool.id)
        try expect(found.price == Decimal(string: "12.34") && found.place.latitude == 48.8)
        try expect(try Int.fetchOne(db, Product.select { sum($0.priceCents) }) == 1734)
    }
    try snippet("enums in requests") {
        let tools = try Product.filter { $0.kind == Product.Kind.tool }.fetchAll(db)
        try expect(tools.count == 1 && tools[0].kind == .tool)
        let kinds: [Product.Kind] = [.tool, .toy]
        try expect(try Product.filter { kinds.contains($0.kind) }.fetchCount(db) == 2)
        try expect(try Product.select(\.kind, as: Product.Kind.self).fetchSet(db) == [.tool, .toy])
        try db.execute(sql: "UPDATE product SET kind = 'x'")
        try expectError((any Error).self) { _ = try Product.fetchAll(db) }
        try db.drop(table: "product")
    }
    try snippet("JSON in records: strict and flexible") {
        try db.create(table: "contact") { t in
            t.primaryKey("id", .text)
            t.column("address", .jsonText).notNull()
            t.column("former", .jsonText)
            t.column("info", .jsonText).notNull()
        }
        let contact = Contact(
            id: "a", address: Address(street: "Rue", city: "Paris"), former: nil,
            info: Data(#"{"vip":true}"#.utf8))
        try contact.insert(db)
        let row = try Row.fetchOne(db, Contact.all())!
        try expect(row["info"] == #"{"vip":true}"# && row.hasNull(atIndex: 2))
        try expect(try Contact.fetchOne(db)?.address == contact.address)
        let city = JSONColumn("address")["$.city"]
        try expect(try Contact.filter(city == "Paris").fetchCount(db) == 1)
        let vip = JSONColumn("info")["vip"]
        try expect(try Contact.filter(vip == true).fetchCount(db) == 1)
        try Contact.updateAll(
            db,
            Column("address").set(
                to: Database.jsonSet(JSONColumn("address"), ["$.city": "Lyon"])))
        try expect(try Contact.find(db, key: "a").address.city == "Lyon")
        try expect(try Contact.find(db, key: "a").info == contact.info)
        try db.drop(table: "contact")
    }
}
