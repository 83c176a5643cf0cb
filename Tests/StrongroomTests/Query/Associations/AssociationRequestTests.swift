import Strongroom
import StrongroomTestSupport
import Testing

private typealias Author = Publishing.Author
private typealias Book = Publishing.Book

@Suite struct AssociationRequestTests {
    private let publishing: Publishing
    private var queue: DatabaseQueue { publishing.queue }

    init() throws {
        publishing = try Publishing()
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
        try publishing.expect(
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
        try publishing.expect(
            Book.joining(required: Book.author.aliased(author).order(\.name))
                .filter(author.name == "Giono").order { [$0.year, author.id] },
            """
            SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" \
            WHERE "author"."name" = 'Giono' \
            ORDER BY "book"."year", "author"."id", "author"."name"
            """)
        try publishing.expect(
            Book.joining(required: Book.author.order(\.name)).order(\.year).reversed()
                .withStableOrder(),
            """
            SELECT "book".* FROM "book" JOIN "author" ON "author"."id" = "book"."authorId" \
            ORDER BY "book"."year" DESC, "book"."id" DESC, "author"."name" DESC, \
            "author"."id" DESC
            """)
        try publishing.expect(
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
