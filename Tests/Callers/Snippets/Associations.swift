import Foundation
import Strongroom

private struct BookInfo: FetchableRecord, Decodable, Equatable {
    var book: Book
    var author: Author
}

private struct AuthorInfo: FetchableRecord, Decodable {
    var author: Author
    var books: [Book]
    var profile: Profile?
}

private struct Career: Codable, FetchableRecord {
    var author: Author
    var bookCount: Int
    var maxBookPrice: Double?
}

extension Author {
    fileprivate static let costlyBooks = books.filter(Column("price") > 9).forKey("costlyBooks")
    fileprivate static let written = hasMany(
        Book.self, key: "written", using: ForeignKey(["authorId"]))
    fileprivate static let firstBook = hasOne(Book.self, key: "firstBook").order(Column("id"))
}

func associationSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try associationSnippets1(db, snippet)
    try associationSnippets2(db, snippet)
    try associationSnippets3(db, snippet)
    try associationSnippets4(db, snippet)
}

func associationSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("including required") {
        let infos = try Book.including(required: Book.author).asRequest(of: BookInfo.self).fetchAll(
            db)
        try expect(infos.count == 5 && infos[0].author.name == "Homer")
    }
    try snippet("including optional and all") {
        let request = Author.including(all: Author.books.order(Column("title"))).including(
            optional: Author.profile)
        let infos = try request.asRequest(of: AuthorInfo.self).fetchAll(db)
        try expect(
            infos.map(\.books.count) == [2, 2, 1]
                && infos.map { $0.profile?.text } == ["blind", nil, nil])
    }
    try snippet("AuthorInfo.fetchAll of a request") {
        try expect(try AuthorInfo.fetchAll(db, Author.including(all: Author.books)).count == 3)
        try expect(try BookInfo.fetchOne(db, Book.including(required: Book.author)) != nil)
    }
    try snippet("joining and filters of an association") {
        try expect(
            try Book.joining(required: Book.author.filter(Column("country") == "GB")).fetchCount(db)
                == 2)
        try expect(try Book.joining(optional: Book.author).fetchCount(db) == 5)
        try expect(
            try Book.joining(required: Book.author.filter(key: ["name": "Homer"])).fetchCount(db)
                == 2)
        try expect(
            try Book.joining(required: Book.author.filter(sql: "country = ?", arguments: ["GR"]))
                .fetchCount(db) == 2)
    }
    try snippet("annotated with aggregates") {
        let careers = try Author.annotated(
            with: Author.books.count, Author.books.max(Column("price"))
        ).asRequest(of: Career.self).fetchAll(db)
        try expect(careers.map(\.bookCount) == [2, 2, 1] && careers[2].maxBookPrice == 20)
        let rows = try Row.fetchAll(
            db,
            Author.annotated(
                with: Author.books.sum(Column("price")).forKey("worth"),
                Author.books.average(Column("price")), Author.books.min(Column("price")),
                Author.books.total(Column("price"))))
        try expect(rows[0]["worth"] == 22.0 && rows[0]["averageBookPrice"] == 11.0)
    }
}

func associationSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("having aggregates") {
        try expect(try Author.having(Author.books.count > 1).fetchCount(db) == 2)
        try expect(
            try Author.having(Author.books.isEmpty).fetchCount(db) == 0
                && Author.having(!Author.books.isEmpty).fetchCount(db) == 3)
        try expect(
            try Author.having(
                Author.books.isEmpty == false && Author.books.max(Column("price")) < 10
            ).fetchCount(db) == 1)
        try expect(
            try Author.having(Author.books.count + Author.awards.count >= 3).fetchCount(db) >= 0)
        try expect(
            try Author.having(Author.books.sum(Column("price")) / Author.books.count > 15)
                .fetchCount(db) == 1)
    }
    try snippet("keys and foreign keys of associations") {
        let rows = try Row.fetchAll(
            db, Author.including(all: Author.written).including(all: Author.costlyBooks))
        try expect(
            rows[0].prefetchedRows["written"]?.count == 2
                && rows[1].prefetchedRows["costlyBooks"]?.count == 0)
        try expect(Set(rows[0].prefetchedRows.keys) == ["written", "costlyBooks"])
        let one = try Row.fetchOne(db, Author.including(optional: Author.firstBook))!
        try expect(one.scopes["firstBook"]?["title"] == "Iliad")
    }
    try snippet("through associations") {
        let rows = try Row.fetchAll(db, Author.including(all: Author.awards))
        try expect(rows.map { $0.prefetchedRows["awards"]!.count } == [1, 0, 1])
        let profile = try Row.fetchOne(db, Book.including(optional: Book.profile))!
        try expect(profile.scopes["author"]?.scopes["profile"]?["text"] == "blind")
        try expect(
            profile.scopesTree["profile"]?["text"] == "blind"
                && profile.scopesTree.names == ["author", "profile"])
    }
    try snippet("nested associations") {
        let request = Author.including(
            all: Author.books.including(all: Book.awards).forKey("works"))
        let row = try Row.fetchOne(db, request)!
        try expect(row.prefetchedRows["works"]?.first?.prefetchedRows["awards"]?.count == 1)
        let deep = Award.including(
            required: Award.book.including(
                required: Book.author.including(optional: Author.profile)))
        let rows = try Row.fetchAll(db, deep)
        try expect(
            rows.count == 2
                && rows[0].scopes["book"]?.scopes["author"]?.scopes["profile"]?["text"] == "blind")
        try expect(rows[0].scopesTree["profile"] != nil)
    }
}

func associationSnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("request(for:)") {
        let homer = try Author.find(db, key: 1)
        try expect(
            try homer.books.fetchCount(db) == 2
                && homer.request(for: Author.awards).fetchCount(db) == 1)
        try expect(try Book.find(db, id: 3).author.fetchOne(db)?.name == "Austen")
    }
    try snippet("annotated with columns of an association") {
        let row = try Row.fetchOne(
            db, Book.annotated(withRequired: Book.author.select(Column("name").forKey("writer"))))!
        try expect(row["writer"] == "Homer")
        try expect(
            try Row.fetchAll(
                db, Author.annotated(withOptional: Author.profile.select(Column("text")))
            ).map { $0["text"] as String? } == ["blind", nil, nil])
    }
    try snippet("aliases across associations") {
        let author = TableAlias<Author>()
        let request = Book.joining(required: Book.author.aliased(author)).filter(
            author[Column("name")] != "Homer"
        ).order(author[Column("name")].desc, Column("id"))
        try expect(try request.fetchOne(db)?.title == "Moby-Dick")
        let exists = TableAlias()
        try expect(
            try Author.joining(optional: Author.profile.aliased(exists)).filter(exists.exists)
                .fetchCount(db) == 1)
    }
    try snippet("foreign keys by hand") {
        struct Line: TableRecord {
            static let databaseTableName = "award"
            static let volume = belongsTo(
                Book.self, key: "volume", using: ForeignKey([Column("bookId")], to: [Column("id")]))
            enum ForeignKeys { static let book = ForeignKey(["bookId"], to: ["id"]) }
        }
        let rows = try Row.fetchAll(db, Line.including(required: Line.volume))
        try expect(rows.count == 2 && rows[1].scopes["volume"]?["title"] == "Moby-Dick")
        try expect(
            try Book.joining(required: Book.hasMany(Line.self, using: Line.ForeignKeys.book))
                .fetchCount(db) == 2)
    }
    try snippet("association(to:on:) of tables") {
        let association = Author.association(
            to: Table("book"),
            on: { author, book in
                author[Column("id")] == book[Column("authorId")] && book[Column("price")] > 9
            })
        try expect(try Author.joining(required: association).fetchCount(db) == 3)
    }
}

func associationSnippets4(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("generic associations") {
        func counts<A: AssociationToMany>(_ association: A) throws -> Int
        where A.OriginRowDecoder == Author {
            try Author.having(association.count > 0).fetchCount(db)
        }
        try expect(try counts(Author.books) == 3 && counts(Author.awards) == 2)
        func join<A: Association>(_ association: A) throws -> Int where A.OriginRowDecoder == Book {
            try Book.joining(required: association).fetchCount(db)
        }
        try expect(try join(Book.author) == 5 && join(Book.awards) == 2 && join(Book.profile) == 2)
        let toOne: any AssociationToOne = Book.author
        _ = toOne
        let through: HasManyThroughAssociation<Author, Award> = Author.awards
        let one: HasOneThroughAssociation<Book, Profile> = Book.profile
        let belongs: BelongsToAssociation<Book, Author> = Book.author
        _ = (through, one, belongs)
    }
    try snippet("fetching records with prefetched rows by row:") {
        struct Work: FetchableRecord {
            let author: Author
            let books: [Book]
            let titles: Set<String>
            init(row: Row) throws {
                author = try Author(row: row)
                books = row["books"]
                titles = Set(row.prefetchedRows["books"]!.map { $0["title"] })
            }
        }
        let works = try Work.fetchAll(db, Author.including(all: Author.books))
        try expect(works[0].books.count == 2 && works[0].titles == ["Iliad", "Odyssey"])
        struct Joined: FetchableRecord {
            let author: Author
            let profile: Profile?
            init(row: Row) throws {
                author = row["author"]
                profile = row["profile"]
            }
        }
        let joined = try Joined.fetchAll(
            db, Book.including(required: Book.author).including(optional: Book.profile))
        try expect(joined.count == 5 && joined[0].profile?.text == "blind")
    }
    try snippet("custom inflections") {
        var inflections = Inflections.default
        inflections.irregularSuffix("corpus", "corpora")
        inflections.uncountableWords(["fleet"])
        inflections.plural("oe$", "ae")
        inflections.singular("ae$", "oe")
        try expect(
            inflections.singularize("corpora") == "corpus"
                && inflections.pluralize("fleet") == "fleet")
    }
}
