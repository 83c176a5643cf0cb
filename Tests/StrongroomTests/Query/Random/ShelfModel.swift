import Strongroom
import StrongroomTestSupport

/// A few small tables with random rows, and the associations between them.
struct ShelfModel: Sendable {
    /// A row by its columns.
    typealias Line = [String: Int?]

    private(set) var lines: [String: [Line]] = [:]

    /// What leads from one table to another, for loops and as an association.
    struct Link: Sendable {
        let origin: String
        let steps: [Step]
        let association: Kind

        /// One join: columns that are equal, and the table that is joined.
        struct Step: Sendable {
            let near: String
            let table: String
            let far: String
        }

        enum Kind: Sendable {
            case toOne(any Association<Row, Row>)
            case toMany(HasManyAssociation<Row, Row>)
            case through(HasManyThroughAssociation<Row, Row>)
        }

        var isToMany: Bool {
            if case .toOne = association { false } else { true }
        }

        /// The key of the first table on the way, under which joins of it would be one.
        var firstKey: String { steps[0].table }
        var destination: String { steps[steps.count - 1].table }
    }

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func key(upTo count: Int) -> Int? {
            Int.random(in: 0...9, using: &random) == 0
                ? nil : Int.random(in: 1...count, using: &random)
        }
        func fill(_ table: String, _ count: Int, _ columns: [(name: String, limit: Int)]) {
            lines[table] = (1...count).map { id in
                var line: Line = ["id": id, "n": key(upTo: 5)]
                for column in columns { line[column.name] = key(upTo: column.limit) }
                return line
            }
        }
        fill("author", 3, [])
        fill("book", 5, [("authorId", 3)])
        fill("tag", 4, [])
        fill("bookTag", 8, [("bookId", 5), ("tagId", 4)])
        fill("chapter", 6, [("bookId", 5)])
        fill("cover", 4, [])
        for index in 0..<4 { lines["cover"]?[index]["bookId"] = index + 1 }
    }

    static let schema = """
        CREATE TABLE author(id INTEGER PRIMARY KEY, n INT);
        CREATE TABLE book(id INTEGER PRIMARY KEY, n INT, authorId INT REFERENCES author);
        CREATE TABLE tag(id INTEGER PRIMARY KEY, n INT);
        CREATE TABLE bookTag(
            id INTEGER PRIMARY KEY, n INT, bookId INT REFERENCES book, tagId INT REFERENCES tag);
        CREATE TABLE chapter(id INTEGER PRIMARY KEY, n INT, bookId INT REFERENCES book);
        CREATE TABLE cover(id INTEGER PRIMARY KEY, n INT, bookId INT REFERENCES book);
        """

    /// Replaces all rows of the tables by these.
    func fill(_ db: Database) throws {
        for table in Self.tables.reversed() { try db.execute(sql: "DELETE FROM \(table)") }
        for table in Self.tables {
            for line in lines[table] ?? [] {
                let columns = line.sorted { $0.key < $1.key }
                let names = columns.map(\.key).joined(separator: ", ")
                let marks = columns.map { _ in "?" }.joined(separator: ", ")
                try db.execute(
                    sql: "INSERT INTO \(table)(\(names)) VALUES (\(marks))",
                    arguments: StatementArguments(columns.map(\.value)))
            }
        }
    }
}

// MARK: - Associations

extension ShelfModel {
    /// In an order in which foreign keys refer to what comes before.
    static let tables = ["author", "book", "tag", "bookTag", "chapter", "cover"]

    static func links(of table: String) -> [Link] { allLinks.filter { $0.origin == table } }

    private static let author = Table("author")
    private static let book = Table("book")
    private static let tag = Table("tag")
    private static let bookTag = Table("bookTag")
    private static let chapter = Table("chapter")
    private static let cover = Table("cover")

    private static let books = author.hasMany(book)
    private static let bookTags = book.hasMany(bookTag)
    private static let tagBooks = tag.hasMany(bookTag)
    private static let tags = book.hasMany(
        Row.self, through: bookTags, using: bookTag.belongsTo(tag))
    private static let booksOfTag = tag.hasMany(
        Row.self, through: tagBooks, using: bookTag.belongsTo(book))

    private static let allLinks = plainLinks + throughLinks

    private static let plainLinks = [
        link("author", [("id", "book", "authorId")], .toMany(books)),
        link("book", [("authorId", "author", "id")], .toOne(book.belongsTo(author))),
        link("book", [("id", "chapter", "bookId")], .toMany(book.hasMany(chapter))),
        link("book", [("id", "cover", "bookId")], .toOne(book.hasOne(cover))),
        link("book", [("id", "bookTag", "bookId")], .toMany(bookTags)),
        link("tag", [("id", "bookTag", "tagId")], .toMany(tagBooks)),
        link("bookTag", [("bookId", "book", "id")], .toOne(bookTag.belongsTo(book))),
        link("bookTag", [("tagId", "tag", "id")], .toOne(bookTag.belongsTo(tag))),
        link("chapter", [("bookId", "book", "id")], .toOne(chapter.belongsTo(book))),
        link("cover", [("bookId", "book", "id")], .toOne(cover.belongsTo(book))),
    ]

    private static let throughLinks = [
        link("book", [("id", "bookTag", "bookId"), ("tagId", "tag", "id")], .through(tags)),
        link("tag", [("id", "bookTag", "tagId"), ("bookId", "book", "id")], .through(booksOfTag)),
        link(
            "author", [("id", "book", "authorId"), ("id", "chapter", "bookId")],
            .through(author.hasMany(Row.self, through: books, using: book.hasMany(chapter)))),
        link(
            "author", [("id", "book", "authorId"), ("id", "cover", "bookId")],
            .through(author.hasMany(Row.self, through: books, using: book.hasOne(cover)))),
        link(
            "author",
            [("id", "book", "authorId"), ("id", "bookTag", "bookId"), ("tagId", "tag", "id")],
            .through(author.hasMany(Row.self, through: books, using: tags))),
        link(
            "tag",
            [("id", "bookTag", "tagId"), ("bookId", "book", "id"), ("authorId", "author", "id")],
            .through(
                tag.hasMany(Row.self, through: booksOfTag, using: book.belongsTo(author)))),
        link(
            "chapter", [("bookId", "book", "id"), ("authorId", "author", "id")],
            .toOne(
                chapter.hasOne(
                    Row.self, through: chapter.belongsTo(book), using: book.belongsTo(author)))),
        link(
            "chapter", [("bookId", "book", "id"), ("id", "cover", "bookId")],
            .toOne(
                chapter.hasOne(
                    Row.self, through: chapter.belongsTo(book), using: book.hasOne(cover)))),
    ]

    private static func link(
        _ origin: String, _ steps: [(near: String, table: String, far: String)],
        _ association: Link.Kind
    ) -> Link {
        Link(
            origin: origin,
            steps: steps.map { Link.Step(near: $0.near, table: $0.table, far: $0.far) },
            association: association)
    }
}
