import Foundation
import Strongroom

struct Author: Codable, Identifiable, Equatable, Hashable {
    var id: Int64?
    var name: String
    var country: String?
}

extension Author: FetchableRecord, MutablePersistableRecord {
    enum Columns {
        static let id = Column(CodingKeys.id)
        static let name = Column(CodingKeys.name)
        static let country = Column(CodingKeys.country)
    }

    static let databaseTableName = "author"
    static let books = hasMany(Book.self)
    static let profile = hasOne(Profile.self)
    static let awards = hasMany(Award.self, through: books, using: Book.awards)
    var books: QueryInterfaceRequest<Book> { request(for: Author.books) }

    mutating func didInsert(_ inserted: InsertionSuccess) {
        id = inserted.rowID
    }
}

struct Book: Codable, Identifiable, Equatable, Hashable, FetchableRecord, MutablePersistableRecord {
    var id: Int64?
    var authorId: Int64
    var title: String
    var price: Double
    var published: Date?
    var tags: [String]

    enum Columns: String, ColumnExpression {
        case id, authorId, title, price, published, tags
    }

    static let author = belongsTo(Author.self)
    static let awards = hasMany(Award.self)
    static let profile = hasOne(Profile.self, through: author, using: Author.profile)
    var author: QueryInterfaceRequest<Author> { request(for: Book.author) }

    mutating func didInsert(_ inserted: InsertionSuccess) {
        id = inserted.rowID
    }
}

struct Profile: Codable, FetchableRecord, PersistableRecord {
    var id: Int64
    var authorId: Int64
    var text: String
    static let author = belongsTo(Author.self)
}

struct Award: Codable, FetchableRecord, PersistableRecord {
    var id: Int64
    var bookId: Int64
    var name: String
    static let databaseTableName = "award"
    static let book = belongsTo(Book.self)
}

/// A record without Codable.
struct Setting: FetchableRecord, PersistableRecord, TableRecord {
    var key: String
    var value: Int

    static let databaseTableName = "setting"
    static let persistenceConflictPolicy = PersistenceConflictPolicy(
        insert: .replace, update: .replace)

    init(key: String, value: Int) {
        self.key = key
        self.value = value
    }

    init(row: Row) throws {
        key = row["key"]
        value = row["value"]
    }

    func encode(to container: inout PersistenceContainer) throws {
        container["key"] = key
        container["value"] = value
    }
}

/// A class of the days of GRDB 6.
class OldNote: Record {
    var id: Int64?
    var text: String

    init(text: String) {
        self.text = text
        super.init()
    }

    override class var databaseTableName: String { "note" }

    required init(row: Row) throws {
        id = row["id"]
        text = row["text"]
        try super.init(row: row)
    }

    override func encode(to container: inout PersistenceContainer) throws {
        container["id"] = id
        container["text"] = text
    }

    override func didInsert(_ inserted: InsertionSuccess) {
        super.didInsert(inserted)
        id = inserted.rowID
    }
}

func makeLibrary(_ writer: some DatabaseWriter) throws {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { db in
        try db.create(table: "author") { t in
            t.autoIncrementedPrimaryKey("id")
            t.column("name", .text).notNull().unique().collate(.nocase)
            t.column("country", .text)
        }
        try db.create(table: "book") { t in
            t.autoIncrementedPrimaryKey("id")
            t.belongsTo("author", onDelete: .cascade).notNull()
            t.column("title", .text).notNull()
            t.column("price", .double).notNull().defaults(to: 0).check { $0 >= 0 }
            t.column("published", .datetime)
            t.column("tags", .jsonText).notNull().defaults(sql: "'[]'")
        }
    }
    migrator.registerMigration("2") { db in
        try db.create(table: "profile") { t in
            t.primaryKey("id", .integer)
            t.belongsTo("author", onDelete: .cascade).notNull().unique()
            t.column("text", .text).notNull()
        }
        try db.create(table: "award") { t in
            t.primaryKey("id", .integer)
            t.belongsTo("book", onDelete: .cascade).notNull()
            t.column("name", .text).notNull()
        }
        try db.create(table: "setting", options: [.strict, .withoutRowID, .ifNotExists]) { t in
            t.primaryKey("key", .text)
            t.column("value", .integer).notNull()
        }
        try db.create(table: "note") { t in
            t.autoIncrementedPrimaryKey("id")
            t.column("text", .text)
        }
    }
    try migrator.migrate(writer)
    try writer.write { db in
        var homer = Author(id: nil, name: "Homer", country: "GR")
        try homer.insert(db)
        var austen = Author(id: nil, name: "Austen", country: "GB")
        try austen.insert(db)
        var melville = Author(id: nil, name: "Melville", country: nil)
        try melville.insert(db)
        let day = Date(timeIntervalSince1970: 86_400)
        for (author, title, price) in [
            (homer, "Iliad", 10.0), (homer, "Odyssey", 12), (austen, "Emma", 8),
            (austen, "Persuasion", 9), (melville, "Moby-Dick", 20),
        ] {
            var book = Book(
                id: nil, authorId: author.id!, title: title, price: price, published: day,
                tags: ["classic"])
            try book.insert(db)
        }
        try Profile(id: 1, authorId: homer.id!, text: "blind").insert(db)
        try Award(id: 1, bookId: 1, name: "Oldest").insert(db)
        try Award(id: 2, bookId: 5, name: "Longest").insert(db)
        try Setting(key: "a", value: 1).insert(db)
    }
}
