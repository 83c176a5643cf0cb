import Foundation
import Strongroom

// Associations: each kind by its type, aggregates and their operators, rows that were joined or
// fetched after, and tables that refer to themselves.

private struct Employee: Codable, FetchableRecord, MutablePersistableRecord, Hashable {
    var id: Int64?
    var name: String
    var managerId: Int64?
    var mentorId: Int64?

    static let managerKey = ForeignKey(["managerId"])
    static let manager = belongsTo(Employee.self, key: "manager", using: managerKey)
    static let mentor = belongsTo(Employee.self, key: "mentor", using: ForeignKey(["mentorId"]))
    static let reports = hasMany(Employee.self, key: "reports", using: managerKey)
    static let peers = hasMany(Employee.self, through: manager, using: reports, key: "peers")

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

private struct EmployeeInfo: Decodable, FetchableRecord {
    var employee: Employee
    var manager: Employee?
    var reports: Set<Employee>?
}

func associationKindSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try associationKindSnippets1(db, snippet)
    try associationKindSnippets2(db, snippet)
    try associationKindSnippets3(db, snippet)
    try associationKindSnippets4(db, snippet)
    try associationKindSnippets5(db, snippet)
    try associationKindSnippets6(db, snippet)
}

func associationKindSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try db.create(table: "employee") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull()
        t.column("managerId", .integer).references("employee")
        t.column("mentorId", .integer).references("employee")
    }
    for (name, manager, mentor) in [
        ("Ada", nil, nil), ("Bob", 1, nil), ("Cyd", 1, 2), ("Dee", 2, 3),
    ] as [(String, Int64?, Int64?)] {
        var employee = Employee(id: nil, name: name, managerId: manager, mentorId: mentor)
        try employee.insert(db)
    }
    try snippet("a table that refers to itself") {
        let request = Employee.including(optional: Employee.manager)
            .including(all: Employee.reports).order(Column("id"))
        let infos = try request.asRequest(of: EmployeeInfo.self).fetchAll(db)
        try expect(infos.map { $0.manager?.name } == [nil, "Ada", "Ada", "Bob"])
        try expect(infos.map { $0.reports?.count ?? -1 } == [2, 1, 0, 0])
        try expect(infos[0].employee.name == "Ada")
    }
    try snippet("two foreign keys to one table") {
        let request = Employee.including(required: Employee.manager)
            .including(required: Employee.mentor).order(Column("id"))
        let rows = try Row.fetchAll(db, request)
        try expect(rows.map { $0.scopes["manager"]?["name"] as String? } == ["Ada", "Bob"])
        try expect(rows.map { $0.scopes["mentor"]?["name"] as String? } == ["Bob", "Cyd"])
    }
    try snippet("through a belongsTo to a hasMany") {
        let bob = try Employee.find(db, key: 2)
        let peers = try bob.request(for: Employee.peers).order(Column("id")).fetchAll(db)
        try expect(peers.map(\.name) == ["Bob", "Cyd"])
        let counted = try Employee.annotated(with: Employee.peers.count.forKey("n"))
            .order(Column("id")).asRequest(of: Row.self).fetchAll(db)
        try expect(counted.map { $0["n"] as Int } == [0, 2, 2, 1])
    }
    try snippet("a tree as a recursive common table expression") {
        let chain = CommonTableExpression<Employee>(
            recursive: true, named: "chain",
            literal: """
                \(Employee.filter(key: 4)) UNION ALL
                SELECT employee.* FROM employee JOIN chain ON employee.id = chain.managerId
                """)
        let names = try chain.all().with(chain).fetchAll(db).map(\.name)
        try expect(names == ["Dee", "Bob", "Ada"])
    }
}

func associationKindSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    func authors(_ condition: AssociationAggregate<Author>) throws -> [String] {
        try Author.having(condition).order(Column("id")).fetchAll(db).map(\.name)
    }
    let books = Author.books
    let count = books.count
    try snippet("aggregates: comparisons") {
        try expect(try authors(count == 1) == ["Melville"] && authors(count != 1).count == 2)
        try expect(try authors(2 <= count).count == 2 && authors(count < 2).count == 1)
        try expect(try authors(books.max(price) > 9.5) == ["Homer", "Melville"])
        try expect(try authors(books.min(price) >= books.max(price)) == ["Melville"])
        try expect(try authors(Author.awards.isEmpty == true) == ["Austen"])
        try expect(try authors(Author.awards.isEmpty != true) == ["Homer", "Melville"])
        let none: Double? = nil
        try expect(try authors(books.filter(price > 15).max(price) == none).count == 2)
        try expect(try authors(books.filter(price > 15).max(price) !== nil) == ["Melville"])
    }
    try snippet("aggregates: logic and arithmetic") {
        try expect(try authors(count == 1 || books.max(price) == 9) == ["Austen", "Melville"])
        try expect(try authors(count > 1 && !Author.awards.isEmpty) == ["Homer"])
        try expect(try authors(books.sum(price) - books.max(price) * 1 > 9) == ["Homer"])
        try expect(try authors(-count == -1) == ["Melville"])
        try expect(try authors(books.total(price) / count + 1 == 21) == ["Melville"])
        try expect(try authors((books.filter(price > 15).max(price) ?? 0) == 0).count == 2)
        try expect(try authors(count > 1 && Column("country") == "GR") == ["Homer"])
    }
    try snippet("aggregates: keys and functions") {
        enum Keys: String, CodingKey { case bookTotal, width }
        let row = try Row.fetchOne(
            db,
            Author.annotated(
                with: books.sum(price).forKey(Keys.bookTotal),
                length(books.max(title)).forKey(Keys.width),
                abs(books.min(price) - 100).forKey("far"),
                cast(books.average(price), as: .integer).forKey("whole")))
        try expect(row?["bookTotal"] == 22.0 && row?["width"] == 7 && row?["far"] == 90.0)
        try expect(row?["whole"] == 11)
        let defaults = try Row.fetchOne(
            db, Author.annotated(with: count, books.isEmpty, books.min(price), books.total(price)))
        try expect(defaults?["bookCount"] == 2 && defaults?["hasNoBook"] == false)
        try expect(defaults?["minBookPrice"] == 10.0 && defaults?["bookPriceSum"] == 22.0)
    }
}

func associationKindSnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("aggregates by closures of columns") {
        let row = try Row.fetchOne(
            db,
            Author.annotated(
                with: Author.books.max { $0.price }, Author.books.sum { $0.price },
                Author.books.average { $0.price }))
        try expect(
            row?["maxBookPrice"] == 12.0 && row?["bookPriceSum"] == 22.0
                && row?["averageBookPrice"] == 11.0)
        try expect(try Author.having(Author.books.min { $0.price } > 9).fetchCount(db) == 2)
    }
    try snippet("aggregates of two associations of one table") {
        let dear = Author.books.filter(price > 9).forKey("dearBooks")
        let cheap = Author.books.filter(price <= 9).forKey("cheapBooks")
        let rows = try Row.fetchAll(
            db, Author.annotated(with: dear.count, cheap.count).order(Column("id")))
        try expect(rows.map { $0["dearBookCount"] as Int } == [2, 0, 1])
        try expect(rows.map { $0["cheapBookCount"] as Int } == [0, 2, 0])
    }
    try snippet("HasManyAssociation, HasOneAssociation, their requests") {
        let many: HasManyAssociation<Author, Book> = Author.hasMany(Book.self)
        let one: HasOneAssociation<Author, Profile> = Author.hasOne(Profile.self)
        let homer = try Author.find(db, key: 1)
        try expect(try homer.request(for: many).fetchCount(db) == 2)
        try expect(try homer.request(for: one).fetchOne(db)?.text == "blind")
        try expect(
            try sql(db, homer.request(for: many))
                == "SELECT * FROM \"book\" WHERE \"authorId\" = ?")
        let nobody = Author(id: nil, name: "x", country: nil)
        try expect(try nobody.request(for: many).fetchAll(db).isEmpty)
    }
    try snippet("associations of tables") {
        let author = Table<Author>("author")
        let book = Table<Book>("book")
        let profile = Table<Profile>("profile")
        let writer = book.belongsTo(author, key: "writer")
        let life = book.hasOne(Profile.self, through: writer, using: author.hasOne(profile))
        let row = try Row.fetchOne(db, book.including(required: writer).including(optional: life))
        try expect(row?.scopes["writer"]?["name"] == "Homer")
        try expect(row?.scopesTree["profile"]?["text"] == "blind")
        let awards = author.hasMany(Award.self, through: author.hasMany(book), using: Book.awards)
        try expect(try author.having(awards.count == 1).fetchCount(db) == 2)
    }
}

func associationKindSnippets4(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("the same association twice is one join") {
        let request = Book.including(required: Book.author)
            .joining(required: Book.author.filter(Column("country") == "GR"))
        try expect(try request.fetchCount(db) == 2)
        try expect(try sql(db, request).components(separatedBy: "JOIN").count == 2)
        let stronger = Book.joining(optional: Book.author).joining(
            required: Book.author.filter(key: 2))
        try expect(try stronger.fetchCount(db) == 2)
    }
    try snippet("rows without an associated one") {
        let profile = TableAlias<Profile>()
        let request = Author.joining(optional: Author.profile.aliased(profile))
            .filter(!profile.exists)
        try expect(try request.fetchAll(db).map(\.name) == ["Austen", "Melville"])
        let byKey = Author.joining(optional: Author.profile.aliased(profile))
            .filter(profile[Column("id")] == nil)
        try expect(try byKey.fetchCount(db) == 2)
    }
    try snippet("joined to-many rows come once for each") {
        let request = Author.joining(required: Author.books)
        try expect(try request.fetchAll(db).count == 5 && request.distinct().fetchCount(db) == 3)
        try expect(try request.groupByPrimaryKey().fetchAll(db).count == 3)
    }
    try snippet("annotations by joined columns") {
        let request = Book.annotated(
            withRequired: Book.author.select(
                Column("name").forKey("authorName"), Column("country").forKey("origin")))
        struct Line: Decodable, FetchableRecord, Equatable {
            var title: String
            var authorName: String
            var origin: String?
        }
        let lines = try request.order(Column("id")).asRequest(of: Line.self).fetchAll(db)
        try expect(
            lines.last == Line(title: "Moby-Dick", authorName: "Melville", origin: nil)
                && lines.count == 5)
    }
    try snippet("keys of associations by coding keys") {
        struct Info: Decodable, FetchableRecord {
            var author: Author
            var works: [Book]
            enum CodingKeys: String, CodingKey { case author, works }
        }
        let request = Author.including(all: Author.books.forKey(Info.CodingKeys.works))
        try expect(try Info.fetchAll(db, request).map(\.works.count) == [2, 2, 1])
    }
}
