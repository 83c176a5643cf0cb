import Foundation
import Strongroom

// MARK: - Book

class Book: Record {
    var id: Int64?
    var title: String
    var author: String?
    var year: Int?
    var shelf: String?

    init(id: Int64? = nil, title: String, author: String? = nil, year: Int? = nil) {
        self.id = id
        self.title = title
        self.author = author
        self.year = year
        super.init()
    }

    override class var databaseTableName: String { return "book" }

    // GRDB 4: override static var databaseSelection: [SQLSelectable] { [AllColumns()] }
    override class var databaseSelection: [SQLSelectable] {
        return ["id", "title", "author", "year", "shelf"].map { Column($0) }
    }

    override class var persistenceConflictPolicy: PersistenceConflictPolicy {
        return PersistenceConflictPolicy(insert: .abort, update: .rollback)
    }

    // GRDB 4: required init(row: Row) { … super.init(row: row) }
    required init(row: Row) throws {
        id = row["id"]
        title = row["title"]
        author = row["author"]
        year = row["year"]
        shelf = row["shelf"]
        try super.init(row: row)
    }

    // GRDB 4: override func encode(to container: inout PersistenceContainer) {
    override func encode(to container: inout PersistenceContainer) throws {
        container["id"] = id
        container["title"] = title
        container["author"] = author
        container["year"] = year
        container["shelf"] = shelf ?? "B2"
    }

    // GRDB 4: override func didInsert(with rowID: Int64, for column: String?) {
    override func didInsert(_ inserted: InsertionSuccess) {
        super.didInsert(inserted)
        id = inserted.rowID
    }

    // GRDB 4: override func update(_ db: Database, columns: Set<String>) throws {
    override func willUpdate(_ db: Database, columns: Set<String>) throws {
        try super.willUpdate(db, columns: columns)
        updates.append(columns)
    }

    private(set) var updates: [Set<String>] = []
}

// MARK: - Member

/// Not Codable: the app was written before that was any good.
struct Member {
    var uuid: String
    var name: String
    var email: String?
    var birthday: DatabaseDateComponents?
}

extension Member: FetchableRecord, TableRecord, PersistableRecord {
    static let loans = hasMany(Loan.self)
    static let persistenceConflictPolicy = PersistenceConflictPolicy(
        insert: .replace, update: .replace)

    init(row: Row) {
        uuid = row["uuid"]
        name = row["name"]
        email = row["email"]
        birthday = row["birthday"]
    }

    func encode(to container: inout PersistenceContainer) {
        container["uuid"] = uuid
        container["name"] = name
        container["email"] = email
        container["birthday"] = birthday
    }
}

// MARK: - Loan

struct Loan: Codable, FetchableRecord, PersistableRecord {
    var bookId: Int64
    var memberUUID: String
    var due: Date?
    var renewals: Int

    enum Columns: String, ColumnExpression {
        case bookId, memberUUID, due, renewals
    }

    // GRDB 4: static let databaseDateEncodingStrategy = DatabaseDateEncodingStrategy.iso8601
    static func databaseDateEncodingStrategy(
        for column: String
    ) -> DatabaseDateEncodingStrategy {
        return .iso8601
    }

    static let member = belongsTo(Member.self, using: ForeignKey(["memberUUID"]))
    static let book = belongsTo(
        BookTitle.self, key: "book", using: ForeignKey([Columns.bookId]))
}

/// The columns of a book that a list of loans shows.
struct BookTitle: TableRecord, FetchableRecord {
    static let databaseTableName = "book"
    // GRDB 4: static let databaseSelection: [SQLSelectable] = [Column("id"), Column("title")]
    static var databaseSelection: [any SQLSelectable] { [Column("id"), Column("title")] }

    var title: String
    var id: Int64

    init(row: Row) {
        title = row["title"]
        id = row[Column("id")]
    }
}

/// A line of the list of loans.
struct LoanInfo: FetchableRecord {
    var loan: Loan
    var memberName: String
    var title: String?

    // GRDB 4: loan = Loan(row: row); memberName = row["member"]["name"]
    init(row: Row) throws {
        loan = try Loan(row: row)
        let member: Member = row["member"]
        memberName = member.name
        let book: BookTitle? = row["book"]
        title = book?.title
    }

    static func all() -> QueryInterfaceRequest<LoanInfo> {
        return
            Loan
            .including(required: Loan.member)
            .including(optional: Loan.book)
            .order([Loan.Columns.due.desc, Loan.Columns.bookId.asc])
            .asRequest(of: LoanInfo.self)
    }
}
