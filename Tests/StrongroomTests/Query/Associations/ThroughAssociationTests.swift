import Strongroom
import StrongroomTestSupport
import Testing

private struct Author: Codable, FetchableRecord, PersistableRecord {
    var id: Int

    static let books = hasMany(Book.self)
    static let chapters = hasMany(Chapter.self, through: books, using: Book.chapters)
}

private struct Book: Codable, FetchableRecord, PersistableRecord {
    var id: Int
    var authorId: Int

    static let author = belongsTo(Author.self)
    static let chapters = hasMany(Chapter.self)
    static let bookTags = hasMany(BookTag.self)
    static let tags = hasMany(Tag.self, through: bookTags, using: BookTag.tag)
}

private struct Chapter: Codable, FetchableRecord, PersistableRecord {
    var id: Int
    var bookId: Int

    static let book = belongsTo(Book.self)
}

private struct BookTag: Codable, FetchableRecord, PersistableRecord {
    var bookId: Int
    var tagId: Int

    static let book = belongsTo(Book.self)
    static let tag = belongsTo(Tag.self)
}

private struct Tag: Codable, FetchableRecord, PersistableRecord {
    var id: Int

    static let bookTags = hasMany(BookTag.self)
    static let books = hasMany(Book.self, through: bookTags, using: BookTag.book)
}

/// Tag 1 is on books 1 and 2, tag 2 on book 1. Both are of one author, with one chapter each.
@Suite("The way back of associations over other tables") struct ThroughAssociationTests {
    private let fixture: FixtureDatabase
    private let queue: DatabaseQueue
    private let tag = Tag(id: 1)
    private let author = Author(id: 1)
    private let id = Column("id")

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE author(id INTEGER PRIMARY KEY);
                    CREATE TABLE book(id INTEGER PRIMARY KEY, authorId INT REFERENCES author);
                    CREATE TABLE chapter(id INTEGER PRIMARY KEY, bookId INT REFERENCES book);
                    CREATE TABLE tag(id INTEGER PRIMARY KEY);
                    CREATE TABLE bookTag(
                        bookId INT REFERENCES book, tagId INT REFERENCES tag,
                        PRIMARY KEY (bookId, tagId));
                    INSERT INTO author VALUES (1);
                    INSERT INTO book VALUES (1, 1), (2, 1);
                    INSERT INTO chapter VALUES (11, 1), (12, 2);
                    INSERT INTO tag VALUES (1), (2);
                    INSERT INTO bookTag VALUES (1, 1), (2, 1), (1, 2);
                    """)
        }
    }

    private func ids(_ request: some FetchRequest<some Any>) throws -> [Int] {
        try queue.read { db in try Row.fetchAll(db, request).map { $0["id"] } }.sorted()
    }

    @Test("A request for associated rows may be joined to the inverse", .proves("CMP-60"))
    func joiningTheInverse() throws {
        let other = Book.tags.filter(id == 2)
        #expect(try ids(tag.request(for: Tag.books.joining(required: other))) == [1])
        #expect(try ids(tag.request(for: Tag.books).joining(required: other)) == [1])
        #expect(try ids(tag.request(for: Tag.books).filter(other.exists)) == [1])
        #expect(try ids(tag.request(for: Tag.books.including(required: Book.tags))) == [1, 1, 2])
        let chapters = author.request(
            for: Author.chapters.including(optional: Chapter.book.filter(id == 2)))
        #expect(try ids(chapters) == [11, 12])
        let books = try queue.read { db in
            try Row.fetchAll(db, chapters.order(id)).map { row in
                row.scopes["book"].flatMap { $0["id"] as Int? }
            }
        }
        #expect(books == [nil, 2])
    }

    @Test("Aggregates of associated rows see all of the inverse", .proves("CMP-60"))
    func aggregatesOfTheInverse() throws {
        let request = tag.request(for: Tag.books.annotated(with: Book.tags.count))
        let counts = try queue.read { db in
            try Row.fetchAll(db, request.order(id)).map { $0["tagCount"] as Int }
        }
        #expect(counts == [2, 1])
        #expect(try ids(tag.request(for: Tag.books).having(Book.tags.count == 1)) == [2])
    }

    @Test("Prefetched rows may be joined to the inverse, and counted", .proves("CMP-60"))
    func prefetchingTheInverse() throws {
        func tags(_ association: HasManyThroughAssociation<Book, Tag>) throws -> [[String]] {
            let request = Book.including(all: association).order(id)
            return try queue.read { db in
                try Row.fetchAll(db, request).map { row in
                    try #require(row.prefetchedRows["tags"]).map { tag in
                        let counts = ["bookCount", "maxBookId"].compactMap { tag[$0] as Int? }
                        return ([tag["id"] as Int] + counts).map(String.init)
                            .joined(separator: ":")
                    }.sorted()
                }
            }
        }
        #expect(try tags(Book.tags.joining(required: Tag.books.filter(id == 2))) == [["1"], ["1"]])
        #expect(
            try tags(Book.tags.including(required: Tag.books)) == [["1", "1", "2"], ["1", "1"]])
        #expect(
            try tags(Book.tags.annotated(with: Tag.books.count, Tag.books.max(id)))
                == [["1:2:2", "2:1:1"], ["1:2:2"]])
        #expect(try tags(Book.tags.having(Tag.books.count > 1)) == [["1"], ["1"]])
    }

    @Test("The first of many may be joined to the inverse", .proves("CMP-60"))
    func firstOfTheInverse() throws {
        let books = Tag.books.joining(required: Book.tags.filter(id == 2)).order(id)
        let request = Tag.including(required: books.first).order(id)
        let found = try queue.read { db in
            try Row.fetchAll(db, request).map { row in
                [row["id"] as Int, try #require(row.scopes["firstBook"])["id"] as Int]
            }
        }
        #expect(found == [[1, 1], [2, 1]])
        #expect(try ids(tag.request(for: books.last)) == [1])
    }

    @Test("Two prefetches under one key are one", .proves("CMP-60"))
    func prefetchingTwice() throws {
        let request = Tag.including(all: Tag.books).including(all: Tag.books.filter(id == 2))
            .order(id)
        let books = try queue.read { db in
            try Row.fetchAll(db, request).map { try #require($0.prefetchedRows["books"]).count }
        }
        #expect(books == [1, 0])
    }
}
