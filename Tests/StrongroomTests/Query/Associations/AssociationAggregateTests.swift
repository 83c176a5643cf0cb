import Strongroom
import StrongroomTestSupport
import Testing

private struct Author: Codable, FetchableRecord, PersistableRecord {
    var id: Int64
    var name: String

    enum Columns {
        static let id = Column("id")
        static let name = Column("name")
    }

    static let books = hasMany(Book.self).order(\.year)
    static let awards = hasMany(Award.self, through: books, using: Book.awards)
    static let paintings = hasMany(Painting.self)
}

private struct Book: Codable, FetchableRecord, PersistableRecord {
    var id: Int64
    var authorId: Int64?
    var year: Int
    var price: Double

    enum Columns {
        static let year = Column("year")
        static let price = Column("price")
    }

    static let awards = hasMany(Award.self)
}

private struct Award: Codable, FetchableRecord, PersistableRecord {
    var bookId: Int64
    var name: String
}

private struct Painting: Codable, FetchableRecord, PersistableRecord {
    var id: Int64
    var authorId: Int64
}

/// Melville has two books, of which one has two awards, and a painting; Giono has one book; Nobody
/// has nothing.
@Suite struct AssociationAggregateTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT);
                    CREATE TABLE book(
                        id INTEGER PRIMARY KEY, authorId INT REFERENCES author, year INT,
                        price REAL);
                    CREATE TABLE award(
                        bookId INT REFERENCES book, name TEXT, PRIMARY KEY (bookId, name))
                        WITHOUT ROWID;
                    CREATE TABLE painting(id INTEGER PRIMARY KEY, authorId INT REFERENCES author);
                    INSERT INTO author VALUES (1, 'Melville'), (2, 'Giono'), (3, 'Nobody');
                    INSERT INTO book VALUES (1, 1, 1851, 10), (2, 1, 1846, 5.5), (3, 2, 1929, NULL);
                    INSERT INTO award VALUES (1, 'A'), (1, 'B''s'), (3, 'A');
                    INSERT INTO painting VALUES (1, 1);
                    """)
        }
    }

    /// Expects the columns of rows that an annotated request gives, and those of each row.
    private func expect(
        _ aggregates: [AssociationAggregate<Author>], _ names: [String], _ rows: [String],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        try queue.read { db throws in
            let request = Author.select([]).annotated(with: aggregates).order(\.id)
            let fetched = try Row.fetchAll(db, request)
            let texts = fetched.map { row in
                row.databaseValues.map { $0.isNull ? "" : "\($0.storage.value ?? "")" }
                    .joined(separator: "|")
            }
            #expect(texts == rows, sourceLocation: location)
            if let row = fetched.first {
                #expect(Array(row.columnNames) == names, sourceLocation: location)
            }
        }
    }

    private func expect(
        _ predicate: AssociationAggregate<Author>, keeps ids: [Int64],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        try queue.read { db throws in
            let kept = try Author.having(predicate).order(\.id).fetchAll(db).map(\.id)
            #expect(kept == ids, sourceLocation: location)
        }
    }

    @Test(.proves("ASC-030", "ASC-034", "QRY-006"))
    func `Associated rows are joined, and grouped by the primary key`() throws {
        struct Info: Decodable, FetchableRecord {
            var author: Author
            var bookCount: Int
        }
        let request = Author.annotated(with: Author.books.count)
        let joined = """
            FROM "author" LEFT JOIN "book" ON "book"."authorId" = "author"."id" \
            GROUP BY "author"."id"
            """
        try queue.read { db throws in
            #expect(
                try db.sql(of: request)
                    == #"SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount" \#(joined)"#)
            #expect(
                try db.sql(of: Author.having(Author.books.isEmpty))
                    == #"SELECT "author".* \#(joined) HAVING COUNT(DISTINCT "book"."id") = 0"#)
            #expect(
                try db.sql(of: Author.having(Author.books.isEmpty == false))
                    == #"SELECT "author".* \#(joined) HAVING COUNT(DISTINCT "book"."id") <> 0"#)
            #expect(try request.fetchCount(db) == 3)
            let counts = try Row.fetchAll(db, request.order(\.id)).map { $0["bookCount"] as Int }
            #expect(counts == [2, 1, 0])
            let infos = try Info.fetchAll(db, request.order(\.id))
            #expect(infos.map(\.author.name) == ["Melville", "Giono", "Nobody"])
            #expect(infos.map(\.bookCount) == [2, 1, 0])
            let table = Table<Author>("author")
            let books = table.hasMany(Table<Book>("book"))
            #expect(try table.annotated(with: books.count).fetchCount(db) == 3)
            #expect(try table.having(books.count > 1).fetchAll(db).map(\.id) == [1])
        }
    }

    @Test(.proves("ASC-029"))
    func `Aggregates have names of their own, until something is computed of them`() throws {
        let books = Author.books
        try expect(
            [
                books.count, books.isEmpty, books.min(\.year), books.max(\.year),
                books.average(\.price), books.sum(\.price),
            ],
            [
                "bookCount", "hasNoBook", "minBookYear", "maxBookYear", "averageBookPrice",
                "bookPriceSum",
            ],
            [
                "2|0|1846|1851|7.75|15.5", "1|0|1929|1929||", "0|1||||",
            ])
        try expect(
            [
                books.total { $0.price }, books.max(\.year) ?? 0, cast(books.count, as: .text),
                (books.count + 1).forKey("more"), books.count.forKey(Key.number),
            ],
            ["bookPriceSum", "maxBookYear", "bookCount", "more", "number"],
            ["15.5|1851|2|3|2", "0.0|1929|1|2|1", "0.0|0|0|1|0"])
        for nameless in [books.count + 1, -books.count, books.sum(Column("price") * 2)] {
            try queue.read { db throws in
                let sql = try db.sql(of: Author.annotated(with: nameless))
                #expect(!sql.contains(" AS "))
            }
        }
    }

    private enum Key: String, CodingKey { case number }

    @Test(.proves("ASC-028"))
    func `Conditions are computed of values, and of other aggregates`() throws {
        let count = Author.books.count
        let year = Author.books.max(\.year)
        let hasNone = Author.books.isEmpty
        try expect(hasNone, keeps: [3])
        try expect(!hasNone, keeps: [1, 2])
        try expect(hasNone == true, keeps: [3])
        try expect(hasNone != true, keeps: [1, 2])
        try expect(hasNone != false, keeps: [3])
        try expect(count == 2, keeps: [1])
        try expect(2 == count, keeps: [1])
        try expect(count != 2, keeps: [2, 3])
        try expect(count === 2, keeps: [1])
        try expect(count !== 2, keeps: [2, 3])
        try expect(year == nil, keeps: [3])
        try expect(year != nil, keeps: [1, 2])
        try expect(year === nil, keeps: [3])
        try expect(year !== nil, keeps: [1, 2])
        try expect(year === 1851, keeps: [1])
        try expect(year !== 1851, keeps: [2, 3])
        try expect(count < 1, keeps: [3])
        try expect(count <= 1, keeps: [2, 3])
        try expect(count > 1, keeps: [1])
        try expect(1 >= count, keeps: [2, 3])
        try expect(count == Column("id"), keeps: [])
        try expect(count + 1 == Column("id"), keeps: [2])
        try expect(count * 1 == Author.paintings.count, keeps: [3])
        try expect(count > Author.paintings.count && year < 1900, keeps: [1])
        try expect(count > Author.paintings.count || hasNone, keeps: [1, 2, 3])
        try expect(hasNone && true, keeps: [3])
        try expect(hasNone || Column("id") == 1, keeps: [1, 3])
        try expect(count - 1 == 0, keeps: [2])
        try expect(3 - count == 1, keeps: [1])
        try expect(-count == -2, keeps: [1])
        try expect(count + Author.paintings.count == 3, keeps: [1])
        try expect(count - Author.paintings.count == 1, keeps: [1, 2])
        try expect(count * Author.paintings.count == 2, keeps: [1])
        try expect(Author.paintings.count / count == 0, keeps: [1, 2])
        try expect(10 / count == 5, keeps: [1])
        try expect(abs(-count) == 2, keeps: [1])
        try expect(length(cast(year, as: .text)) == 4, keeps: [1, 2])
        try expect((year ?? 0) == 0, keeps: [3])
        try expect(Author.books.min { $0.year } == year, keeps: [2])
        try expect(Author.books.average { $0.price } > 7, keeps: [1])
        try expect(Author.books.sum { $0.price } == 15.5, keeps: [1])
        try expect(Author.books.total(\.price) == 0, keeps: [2, 3])
    }

    @Test(.proves("ASC-031"))
    func `Rows that are filtered in two ways are told apart by two keys`() throws {
        let old = Author.books.filter { $0.year < 1850 }
        let cheap = Author.books.filter { $0.price < 100 }
        try expect(
            [cheap.count.forKey("cheap"), old.count.forKey("old")], ["cheap", "old"],
            ["1|1", "0|0", "0|0"])
        try expect(
            [cheap.forKey("cheapBooks").count, old.forKey("oldBooks").count],
            ["cheapBookCount", "oldBookCount"],
            ["2|1", "0|0", "0|0"])
        // What is joined besides does not make them more.
        try expect(
            [Author.books.count, Author.awards.count, Author.paintings.count],
            ["bookCount", "awardCount", "paintingCount"],
            ["2|2|1", "1|1|0", "0|0|0"])
    }

    @Test func `Rows without number are counted by all columns of their key`() throws {
        try queue.read { db throws in
            let request = Book.annotated(with: Book.awards.count).order(Column("id"))
            #expect(try Row.fetchAll(db, request).map { $0["awardCount"] as Int } == [2, 0, 1])
            let view = Table("missing")
            let error = DatabaseError.thrown {
                _ = try Author.annotated(
                    with: Author.hasMany(view, using: ForeignKey(["authorId"])).count
                ).fetchCount(db)
            }
            #expect(error?.message == "no such table: missing")
        }
    }

    @Test func `What is prefetched has aggregates, and is grouped for each row of its origin`()
        throws
    {
        struct Info: Decodable, FetchableRecord {
            struct BookInfo: Decodable {
                var id: Int64
                var awardCount: Int
            }
            var name: String
            var books: [BookInfo]
        }
        try queue.write { try $0.execute(sql: "INSERT INTO book VALUES (4, 2, 1851, 1)") }
        try queue.read { db throws in
            let books = Author.books.annotated(with: Book.awards.count)
            let infos = try Author.including(all: books).order(\.id).asRequest(of: Info.self)
                .fetchAll(db)
            #expect(infos.map { $0.books.map(\.awardCount) } == [[0, 2], [0, 1], []])
            // 1851 is a year of both.
            let years = Author.books.select(\.year).group(\.year).forKey("years")
            let rows = try Row.fetchAll(db, Author.including(all: years).order(\.id))
            #expect(
                rows.map { $0.prefetchedRows["years"]?.map { $0["year"] as Int } } == [
                    [1846, 1851], [1851, 1929], [],
                ])
        }
    }

    @Test func `A table that is joined and counted keeps the columns that were selected`() throws {
        try queue.read { db throws in
            let request = Author.including(required: Author.books.select(\.year))
                .annotated(with: Author.books.count)
            #expect(
                try db.sql(of: request) == """
                    SELECT "author".*, COUNT(DISTINCT "book"."id") AS "bookCount", "book"."year" \
                    FROM "author" JOIN "book" ON "book"."authorId" = "author"."id" \
                    GROUP BY "author"."id" ORDER BY "book"."year"
                    """)
        }
    }
}
