import Strongroom
import StrongroomTestSupport
import Testing

private typealias Author = Publishing.Author
private typealias Book = Publishing.Book
private typealias Country = Publishing.Country
private typealias Employee = Publishing.Employee

@Suite struct AssociationTests {
    private let publishing: Publishing
    private var queue: DatabaseQueue { publishing.queue }

    init() throws {
        publishing = try Publishing()
    }

    @Test(.proves("ASC-001", "ASC-006", "ASC-013"))
    func `A row that another names is joined, with its columns or without`() throws {
        try publishing.expect(
            Book.including(required: Book.author),
            """
            SELECT "book".*, "author".* FROM "book" \
            JOIN "author" ON "author"."id" = "book"."authorId"
            """)
        try publishing.expect(
            Book.including(optional: Book.author).filter { $0.year > 1900 },
            """
            SELECT "book".*, "author".* FROM "book" \
            LEFT JOIN "author" ON "author"."id" = "book"."authorId" WHERE "book"."year" > 1900
            """)
        try publishing.expect(
            Book.joining(required: Book.author.filter { $0.name == "Giono" }),
            """
            SELECT "book".* FROM "book" JOIN "author" \
            ON ("author"."id" = "book"."authorId") AND ("author"."name" = 'Giono')
            """)
        try publishing.expect(
            Book.joining(optional: Book.author).order(\.title),
            """
            SELECT "book".* FROM "book" \
            LEFT JOIN "author" ON "author"."id" = "book"."authorId" ORDER BY "book"."title"
            """)
        try publishing.expect(
            Book.annotated(withRequired: Book.author.select(\.name)),
            """
            SELECT "book".*, "author"."name" FROM "book" \
            JOIN "author" ON "author"."id" = "book"."authorId"
            """)
        let table = Table<Book>("book")
        try publishing.expect(
            table.joining(required: table.belongsTo(Table("author"), using: Book.authorKey)),
            """
            SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId"
            """)
        #expect(ForeignKey(["a"], to: ["b"]) == ForeignKey([Column("a")], to: [Column("b")]))
    }

    @Test(.proves("ASC-023", "ASC-024", "ASC-015"))
    func `Associated rows are decoded with their row`() throws {
        struct BookInfo: Decodable, FetchableRecord {
            var book: Book
            var author: Author?
            var translator: Author?
        }
        let request = Book.including(optional: Book.author).including(optional: Book.translator)
            .order { $0.year.desc }
        try publishing.expect(
            request,
            """
            SELECT "book".*, "author1".*, "author2".* FROM "book" \
            LEFT JOIN "author" "author1" ON "author1"."id" = "book"."authorId" \
            LEFT JOIN "author" "author2" ON "author2"."id" = "book"."translatorId" \
            ORDER BY "book"."year" DESC
            """)
        try queue.read { db throws in
            let infos = try BookInfo.fetchAll(db, request)
            #expect(infos.map(\.book.title) == ["Regain", "Colline", "Moby-Dick", "Anonymous"])
            #expect(infos.map(\.author?.name) == ["Giono", "Giono", "Melville", nil])
            #expect(infos.map(\.translator?.name) == [nil, nil, "Giono", nil])
            #expect(try BookInfo.fetchOne(db, request)?.book.id == 3)
            #expect(try request.fetchCount(db) == 4)
            #expect(try Book.including(required: Book.author).fetchCount(db) == 3)
            #expect(try Book.fetchAll(db, request).count == 4)
        }
    }

    @Test(.proves("ASC-002", "ASC-025", "ASC-011"))
    func `All rows that name this one are fetched by one more query`() throws {
        struct AuthorInfo: Decodable, FetchableRecord {
            var author: Author
            var books: [Book]
            var translations: Set<Book>
        }
        let request = Author.including(all: Author.books).including(all: Author.translations)
            .order(\.id)
        try queue.read { db throws in
            var infos: [AuthorInfo] = []
            let captured = try db.capturedSQL { infos = try AuthorInfo.fetchAll(db, request) }
            #expect(
                infos.map { $0.books.map(\.title) } == [["Moby-Dick"], ["Colline", "Regain"], []])
            #expect(infos.map { $0.translations.map(\.title) } == [[], ["Moby-Dick"], []])
            #expect(captured.count == 3)
            #expect(
                captured[1] == """
                    SELECT "book".*, "book"."authorId" AS "grdb_authorId" FROM "book" \
                    WHERE "book"."authorId" IN (1, 2, 3) ORDER BY "book"."year"
                    """)
            let one = try #require(try AuthorInfo.fetchOne(db, request.filter { $0.id == 2 }))
            #expect(one.books.count == 2)
            let cursor = DatabaseError.thrown { _ = try AuthorInfo.fetchCursor(db, request) }
            #expect(cursor?.message?.contains("fetchAll") == true)
        }
    }

    @Test(.proves("ASC-003", "ASC-014"))
    func `Rows are found over those of another table`() throws {
        struct CountryInfo: Decodable, FetchableRecord {
            var country: Country
            var citizens: [Author]
        }
        let request = Country.including(all: Country.citizens.order(\.name)).order(Column("code"))
        try queue.read { db throws in
            var infos: [CountryInfo] = []
            let captured = try db.capturedSQL { infos = try CountryInfo.fetchAll(db, request) }
            #expect(
                infos.map { $0.citizens.map(\.name) } == [[], ["Giono", "Melville"], ["Melville"]])
            #expect(captured.count == 2)
            #expect(
                captured[1] == """
                    SELECT "author".*, "passport"."countryCode" AS "grdb_countryCode" FROM "author" \
                    JOIN "passport" ON "passport"."authorId" = "author"."id" \
                    WHERE "passport"."countryCode" IN ('DE', 'FR', 'US') ORDER BY "author"."name"
                    """)
            let joined = Country.joining(required: Country.citizens.filter { $0.name == "Giono" })
            #expect(
                try db.sql(of: joined) == """
                    SELECT "country".* FROM "country" \
                    JOIN "passport" ON "passport"."countryCode" = "country"."code" \
                    JOIN "author" ON ("author"."id" = "passport"."authorId") \
                    AND ("author"."name" = 'Giono')
                    """)
            #expect(try joined.fetchAll(db).map(\.code) == ["FR"])
        }
    }

    @Test(.proves("ASC-015"))
    func `What is fetched with a row may fetch more`() throws {
        struct Info: Decodable, FetchableRecord {
            struct AuthorInfo: Decodable {
                var name: String
                var countries: [Country]
                var books: [Book]
            }
            var title: String
            var author: AuthorInfo?
        }
        let author = Book.author.including(all: Author.countries.order(Column("code")))
            .including(all: Author.books)
        let request = Book.including(optional: author).order(\.title)
        try queue.read { db throws in
            let infos = try Info.fetchAll(db, request)
            #expect(infos.map(\.title) == ["Anonymous", "Colline", "Moby-Dick", "Regain"])
            #expect(
                infos.map { $0.author?.countries.map(\.code) } == [
                    nil, ["FR"], ["FR", "US"], ["FR"],
                ])
            #expect(infos[1].author?.books.count == 2)
        }
    }

    @Test(.proves("ASC-009"))
    func `A table is joined to itself`() throws {
        try publishing.expect(
            Employee.including(optional: Employee.boss.including(optional: Employee.boss)),
            """
            SELECT "employee1".*, "employee2".*, "employee3".* FROM "employee" "employee1" \
            LEFT JOIN "employee" "employee2" ON "employee2"."id" = "employee1"."bossId" \
            LEFT JOIN "employee" "employee3" ON "employee3"."id" = "employee2"."bossId"
            """)
        try queue.read { db throws in
            let rows = try Row.fetchAll(
                db,
                Employee.including(optional: Employee.boss).including(all: Employee.staff)
                    .order(Column("id")))
            #expect(rows.map { $0.scopes["boss"]?["name"] as String? } == [nil, "Ann", "Ann"])
            #expect(
                rows.map { $0.prefetchedRows["staffs"]?.count ?? $0.prefetchedRows["staff"]?.count }
                    == [2, 0, 0])
        }
    }

    @Test(.proves("ASC-007", "ASC-008", "ASC-010"))
    func `Foreign keys come from the schema, or the error says why not`() throws {
        let guessed = Book.belongsTo(Author.self)
        let impossible = Country.belongsTo(Author.self)
        try queue.read { db throws in
            let ambiguous = DatabaseError.thrown {
                _ = try Row.fetchAll(db, Book.including(required: guessed))
            }
            #expect(
                ambiguous?.message?.hasPrefix("Ambiguous foreign key from 'book' to 'author'.")
                    == true)
            let missing = DatabaseError.thrown {
                _ = try Row.fetchAll(db, Country.including(required: impossible))
            }
            #expect(
                missing?.message?.hasPrefix(
                    "Could not infer foreign key from 'country' to 'author'.")
                    == true)
        }
        try queue.write { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE pair(a INT, b INT, PRIMARY KEY (a, b));
                    CREATE TABLE child(x INT, y INT, FOREIGN KEY (x, y) REFERENCES pair);
                    INSERT INTO pair VALUES (1, 1), (1, 2);
                    INSERT INTO child VALUES (1, 1), (1, 2), (1, 2), (1, NULL);
                    CREATE VIEW bookView AS SELECT * FROM book;
                    """)
            let pair = Table("pair")
            let child = Table("child")
            let rows = try pair.including(all: pair.hasMany(child)).order(Column("b")).fetchAll(db)
            #expect(rows.map { $0.prefetchedRows["children"]?.count } == [1, 2])
            #expect(try child.joining(required: child.belongsTo(pair)).fetchCount(db) == 3)
            let view = Table("bookView")
            let author = view.belongsTo(Author.self, using: ForeignKey(["authorId"]))
            #expect(try view.joining(required: author).fetchCount(db) == 3)
        }
    }
}
