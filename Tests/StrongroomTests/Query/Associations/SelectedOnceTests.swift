import Strongroom
import StrongroomTestSupport
import Testing

/// The columns by which rows are found that are fetched for others.
@Suite struct SelectedOnceTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    struct Author: TableRecord {
        static let books = hasMany(Book.self)
        static let drafts = hasMany(Book.self, key: "drafts")
    }

    struct Book: TableRecord {
        static let author = belongsTo(Author.self)
    }

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT);
                    CREATE TABLE book(id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author);
                    INSERT INTO author VALUES (1, 'a'), (2, 'b'), (3, 'c');
                    INSERT INTO book VALUES (1, 1), (2, 1), (3, 2)
                    """)
        }
    }

    private func counts(
        _ request: QueryInterfaceRequest<some Any>
    ) throws -> (sql: String, unadapted: [Int], books: [Int]) {
        try queue.read { db throws in
            var rows: [Row] = []
            let sql = try db.capturedSQL { rows = try Row.fetchAll(db, request) }
            return (
                try #require(sql.first), rows.map(\.unadapted.count),
                rows.map { $0.prefetchedRows["books"]?.count ?? -1 }
            )
        }
    }

    @Test(.proves("CMP-88"))
    func `A column that is selected is not selected once more`() throws {
        let all = try counts(Author.including(all: Author.books).including(all: Author.drafts))
        #expect(all.sql == #"SELECT * FROM "author""#)
        #expect(all.unadapted == [2, 2, 2] && all.books == [2, 1, 0])
        let ordered = try counts(
            Author.filter(Column("id") > 1).order(Column("name").desc)
                .including(all: Author.books).limit(1))
        #expect(
            ordered.sql
                == #"SELECT * FROM "author" WHERE "id" > 1 ORDER BY "name" DESC LIMIT 1"#)
        #expect(ordered.books == [0])
        let joined = try counts(
            Book.including(required: Book.author.including(all: Author.books)))
        #expect(joined.unadapted == [4, 4, 4] && joined.books == [2, 2, 1])
    }

    @Test(.proves("CMP-88"))
    func `A column that is not selected is, once for all that need it`() throws {
        let named = try counts(
            Author.select(Column("name")).including(all: Author.books)
                .including(all: Author.drafts))
        #expect(named.unadapted == [2, 2, 2] && named.books == [2, 1, 0])
        let annotated = try counts(
            Author.annotated(with: Column("name").forKey("shown")).including(all: Author.books))
        #expect(annotated.unadapted == [3, 3, 3] && annotated.books == [2, 1, 0])
        let other = try counts(
            Author.select((Column("id") + 1).forKey("id"), Column("name"))
                .including(all: Author.books))
        #expect(other.unadapted == [3, 3, 3] && other.books == [2, 1, 0])
    }

    @Test(.proves("CMP-88"))
    func `The description of a row counts the rows that were fetched for it, at any depth`() throws
    {
        try queue.read { db throws in
            let row = try #require(
                try Row.fetchOne(db, Author.including(all: Author.books).filter(key: 3)))
            #expect(row.debugDescription == "▿ [id:3 name:\"c\"]\n  + books: 0 row")
            let request = Book.including(required: Book.author.including(all: Author.books))
            let nested = try #require(try Row.fetchOne(db, request.filter(key: 1)))
            let lines = nested.debugDescription.split(separator: "\n")
            #expect(lines.contains("  + books: 2 rows"))
            #expect(lines.contains("    + books: 2 rows"))
        }
    }
}
