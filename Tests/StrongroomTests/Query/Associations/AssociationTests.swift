import Strongroom
import StrongroomTestSupport
import Testing

private struct Country: Codable, FetchableRecord, PersistableRecord, Hashable {
    var code: String
    var name: String

    static let passports = hasMany(Passport.self)
    static let citizens = hasMany(
        Author.self, through: passports, using: Passport.author, key: "citizens")
}

private struct Passport: Codable, FetchableRecord, PersistableRecord {
    var countryCode: String
    var authorId: Int64

    static let country = belongsTo(Country.self)
    static let author = belongsTo(Author.self)
}

private struct Author: Codable, FetchableRecord, PersistableRecord, Hashable, Identifiable {
    var id: Int64
    var name: String

    enum Columns {
        static let id = Column("id")
        static let name = Column("name")
    }

    static let books = hasMany(Book.self, using: Book.authorKey).order(Column("year"))
    static let translations = hasMany(
        Book.self, key: "translations", using: ForeignKey(["translatorId"]))
    static let passports = hasMany(Passport.self)
    static let countries = hasMany(Country.self, through: passports, using: Passport.country)
}

private struct Book: Codable, FetchableRecord, PersistableRecord, Hashable, Identifiable {
    var id: Int64
    var title: String
    var year: Int
    var authorId: Int64?
    var translatorId: Int64?

    enum Columns {
        static let title = Column("title")
        static let year = Column("year")
    }

    static let authorKey = ForeignKey(["authorId"])
    static let author = belongsTo(Author.self, using: authorKey)
    static let translator = belongsTo(
        Author.self, key: "translator", using: ForeignKey([Column("translatorId")]))
}

private struct Employee: TableRecord, FetchableRecord {
    let row: Row
    init(row: Row) { self.row = row }

    static let boss = belongsTo(Employee.self, key: "boss", using: ForeignKey(["bossId"]))
    static let staff = hasMany(Employee.self, key: "staff", using: ForeignKey(["bossId"]))
}

@Suite struct AssociationTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE country(code TEXT PRIMARY KEY, name TEXT);
                    CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT);
                    CREATE TABLE passport(
                        countryCode TEXT REFERENCES country, authorId INT REFERENCES author,
                        PRIMARY KEY (countryCode, authorId));
                    CREATE TABLE book(
                        id INTEGER PRIMARY KEY, title TEXT, year INT,
                        authorId INT REFERENCES author, translatorId INT REFERENCES author);
                    CREATE TABLE employee(id INTEGER PRIMARY KEY, name TEXT, bossId INT);
                    INSERT INTO country VALUES ('FR', 'France'), ('US', 'USA'), ('DE', 'Germany');
                    INSERT INTO author VALUES (1, 'Melville'), (2, 'Giono'), (3, 'Nobody');
                    INSERT INTO passport VALUES ('US', 1), ('FR', 1), ('FR', 2);
                    INSERT INTO book VALUES
                        (1, 'Moby-Dick', 1851, 1, 2), (2, 'Colline', 1929, 2, NULL),
                        (3, 'Regain', 1930, 2, NULL), (4, 'Anonymous', 1500, NULL, NULL);
                    INSERT INTO employee VALUES (1, 'Ann', NULL), (2, 'Bob', 1), (3, 'Cy', 1);
                    """)
        }
    }

    private func expect(
        _ request: some FetchRequest, _ sql: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        try queue.read { db throws in
            #expect(try db.sql(of: request) == sql, sourceLocation: location)
        }
    }

    @Test(.proves("ASC-001", "ASC-006", "ASC-013"))
    func `A row that another names is joined, with its columns or without`() throws {
        try expect(
            Book.including(required: Book.author),
            """
            SELECT "book".*, "author".* FROM "book" \
            JOIN "author" ON "author"."id" = "book"."authorId"
            """)
        try expect(
            Book.including(optional: Book.author).filter { $0.year > 1900 },
            """
            SELECT "book".*, "author".* FROM "book" \
            LEFT JOIN "author" ON "author"."id" = "book"."authorId" WHERE "book"."year" > 1900
            """)
        try expect(
            Book.joining(required: Book.author.filter { $0.name == "Giono" }),
            """
            SELECT "book".* FROM "book" JOIN "author" \
            ON ("author"."id" = "book"."authorId") AND ("author"."name" = 'Giono')
            """)
        try expect(
            Book.joining(optional: Book.author).order(\.title),
            """
            SELECT "book".* FROM "book" \
            LEFT JOIN "author" ON "author"."id" = "book"."authorId" ORDER BY "book"."title"
            """)
        try expect(
            Book.annotated(withRequired: Book.author.select(\.name)),
            """
            SELECT "book".*, "author"."name" FROM "book" \
            JOIN "author" ON "author"."id" = "book"."authorId"
            """)
        let table = Table<Book>("book")
        try expect(
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
        try expect(
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
        try expect(
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

    @Test(.proves("ASC-022", "REC-063"))
    func `A record has requests for what belongs to it`() throws {
        try queue.write { db throws in
            let giono = try #require(try Author.fetchOne(db, key: 2))
            let books = giono.request(for: Author.books)
            #expect(
                try db.sql(of: books)
                    == #"SELECT * FROM "book" WHERE "authorId" = 2 ORDER BY "year""#)
            #expect(try books.fetchAll(db).map(\.title) == ["Colline", "Regain"])
            let countries = giono.request(for: Author.countries)
            #expect(
                try db.sql(of: countries) == """
                    SELECT "country".* FROM "country" JOIN "passport" \
                    ON "passport"."countryCode" = "country"."code" WHERE "passport"."authorId" = 2
                    """)
            #expect(try countries.fetchAll(db).map(\.code) == ["FR"])
            let book = try #require(try Book.fetchOne(db, key: 1))
            #expect(try book.request(for: Book.author).fetchOne(db)?.name == "Melville")
            let anonymous = try #require(try Book.fetchOne(db, key: 4))
            #expect(try anonymous.request(for: Book.author).fetchCount(db) == 0)
            #expect(try books.updateAll(db, Column("year") += 1) == 2)
            let melville = try #require(try Author.fetchOne(db, key: 1))
            #expect(
                try melville.request(for: Author.countries).updateAll(
                    db, Column("name").set(to: "x")) == 2)
            #expect(try books.deleteAll(db) == 2)
        }
    }

    @Test(.proves("ASC-021"))
    func `The same association twice becomes one join`() throws {
        try expect(
            Book.joining(optional: Book.author.filter { $0.id > 0 })
                .including(required: Book.author.filter { $0.id < 9 }.order(\.name))
                .joining(optional: Book.author),
            """
            SELECT "book".*, "author".* FROM "book" JOIN "author" \
            ON ("author"."id" = "book"."authorId") AND ("author"."id" > 0) \
            AND ("author"."id" < 9) ORDER BY "author"."name"
            """)
    }

    @Test(.proves("ASC-016", "ASC-018"))
    func `What can't be joined is an error that says so`() throws {
        let chained = Book.including(optional: Book.author.joining(required: Author.passports))
        let grouped = Book.including(required: Book.author.group(\.name))
        let distinct = Book.including(required: Book.author.distinct())
        try queue.read { db throws in
            for (request, text) in [
                (chained, "chaining a required association behind an optional association"),
                (grouped, "join an association with a GROUP BY clause"),
                (distinct, "selects DISTINCT rows"),
            ] {
                let error = DatabaseError.thrown { _ = try request.fetchAll(db) }
                #expect(error?.message?.contains(text) == true)
            }
        }
    }

    @Test(.proves("ASC-019", "ASC-020", "QRY-040"))
    func `Orderings follow each other, and aliases reach across`() throws {
        let author = TableAlias<Author>()
        try expect(
            Book.joining(required: Book.author.aliased(author).order(\.name))
                .filter(author.name == "Giono").order { [$0.year, author.id] },
            """
            SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" \
            WHERE "author"."name" = 'Giono' \
            ORDER BY "book"."year", "author"."id", "author"."name"
            """)
        try expect(
            Book.joining(required: Book.author.order(\.name)).order(\.year).reversed()
                .withStableOrder(),
            """
            SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" \
            ORDER BY "book"."year" DESC, "book"."id" ASC, "author"."name" DESC, \
            "author"."id" ASC
            """)
        try expect(
            Book.joining(required: Book.author).filter(sql: "year > ?", arguments: [1])
                .filter(literal: "\(Column("title")) <> ''"),
            """
            SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" \
            WHERE (year > 1) AND ("book"."title" <> '')
            """)
    }

    @Test(.proves("QRY-052"))
    func `One alias stands for one table`() throws {
        let alias = TableAlias<Author>()
        let twice = Book.joining(required: Book.author.aliased(alias))
            .joining(required: Book.translator.aliased(alias))
        let named = Book.joining(required: Book.author.aliased(TableAlias(name: "X")))
            .joining(required: Book.translator.aliased(TableAlias(name: "x")))
        try queue.read { db throws in
            let reuse = DatabaseError.thrown { _ = try twice.fetchAll(db) }
            #expect(reuse?.message?.contains("two tables") == true)
            let ambiguity = DatabaseError.thrown { _ = try named.fetchAll(db) }
            #expect(ambiguity?.message == "ambiguous alias: x")
        }
    }

    @Test(.proves("ASC-004", "QRY-048"))
    func `A common table expression is joined like a table`() throws {
        let counts = CommonTableExpression<Row>(
            named: "counts", sql: "SELECT authorId, COUNT(*) AS n FROM book GROUP BY authorId")
        let association = Author.association(to: counts) { author, count in
            author.id == count["authorId"]
        }
        try queue.read { db throws in
            let request = Author.with(counts).including(optional: association).order(\.id)
            #expect(
                try db.sql(of: request) == """
                    WITH "counts" AS (SELECT authorId, COUNT(*) AS n FROM book GROUP BY authorId) \
                    SELECT "author".*, "counts".* FROM "author" LEFT JOIN "counts" \
                    ON "author"."id" = "counts"."authorId" ORDER BY "author"."id"
                    """)
            let rows = try Row.fetchAll(db, request)
            #expect(rows.map { $0.scopes["count"]?["n"] as Int? } == [1, 2, nil])
            let back = counts.association(to: Author.self) { $0["authorId"] == $1.id }
            #expect(try counts.all().with(counts).joining(required: back).fetchCount(db) == 2)
        }
    }
}
