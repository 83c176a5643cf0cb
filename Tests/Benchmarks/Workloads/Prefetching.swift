import Strongroom

private struct Shelf: TableRecord, FetchableRecord {
    static let articles = hasMany(Article.self)

    var id: Int64
    var name: String
    var room: Int

    init(row: Row) {
        id = row[0]
        name = row[1]
        room = row[2]
    }

    init(_ statement: CStatement, at column: Int32) {
        id = statement.int64(column)
        name = statement.text(column + 1)
        room = Int(statement.int64(column + 2))
    }

    func add(to digest: inout Digest) {
        digest.add(id)
        digest.add(name)
        digest.add(Int64(room))
    }
}

private struct Article: TableRecord, FetchableRecord {
    static let shelf = belongsTo(Shelf.self)

    var id: Int64
    var shelfId: Int64
    var title: String
    var price: Double?

    init(row: Row) {
        id = row[0]
        shelfId = row[1]
        title = row[2]
        price = row[3]
    }

    init(_ statement: CStatement) {
        id = statement.int64(0)
        shelfId = statement.int64(1)
        title = statement.text(2)
        price = statement.isNull(3) ? nil : statement.double(3)
    }

    func add(to digest: inout Digest) {
        digest.add(id)
        digest.add(shelfId)
        digest.add(title)
        price.map { digest.add($0) } ?? digest.addNull()
    }
}

private struct FilledShelf: FetchableRecord {
    var shelf: Shelf
    var articles: [Article]

    init(shelf: Shelf, articles: [Article]) {
        self.shelf = shelf
        self.articles = articles
    }

    init(row: Row) {
        shelf = Shelf(row: row)
        articles = row["articles"]
    }
}

private struct PlacedArticle: FetchableRecord {
    var article: Article
    var shelf: Shelf

    init(_ statement: CStatement) {
        article = Article(statement)
        shelf = Shelf(statement, at: 4)
    }

    init(row: Row) {
        article = Article(row: row)
        shelf = row["shelf"]
    }
}

private let shelfCount = 1000
private let articleCount = 20_000

/// Rows of associations: fetched afterwards for all rows, and joined.
func prefetchingWorkloads() -> [Workload] {
    [
        .inTransaction(
            "1,000 rows and the 20,000 that belong to them", aim: .ratio(1.6),
            operations: articleCount, prepare: prepare,
            library: { db in
                let shelves = try Shelf.including(all: Shelf.articles)
                    .asRequest(of: FilledShelf.self).fetchAll(db)
                return { digest(shelves) }
            },
            c: fetchShelves),
        .inTransaction(
            "20,000 rows joined to 1,000", aim: .ratio(1.6), operations: articleCount,
            prepare: prepare,
            library: { db in
                let articles = try Article.including(required: Article.shelf)
                    .asRequest(of: PlacedArticle.self).fetchAll(db)
                return { digest(articles) }
            },
            c: { connection in
                let statement = try CStatement(
                    connection,
                    "SELECT article.*, shelf.* FROM article JOIN shelf ON shelf.id = shelfId")
                defer { statement.finalize() }
                var articles: [PlacedArticle] = []
                while try statement.step() { articles.append(PlacedArticle(statement)) }
                return { digest(articles) }
            }),
    ]
}

private func fetchShelves(_ connection: OpaquePointer) throws -> Workload.Outcome {
    let shelves = try CStatement(connection, "SELECT * FROM shelf")
    defer { shelves.finalize() }
    var filled: [FilledShelf] = []
    var indexes: [Int64: Int] = [:]
    while try shelves.step() {
        let shelf = Shelf(shelves, at: 0)
        indexes[shelf.id] = filled.count
        filled.append(FilledShelf(shelf: shelf, articles: []))
    }
    let articles = try CStatement(
        connection, "SELECT * FROM article WHERE shelfId IN (SELECT id FROM shelf)")
    defer { articles.finalize() }
    while try articles.step() {
        let article = Article(articles)
        if let index = indexes[article.shelfId] { filled[index].articles.append(article) }
    }
    return { digest(filled) }
}

private func prepare(_ db: Database) throws {
    guard try !db.tableExists("shelf") else { return }
    try db.execute(
        sql: """
            CREATE TABLE shelf(id INTEGER PRIMARY KEY, name TEXT NOT NULL, room INT NOT NULL);
            CREATE TABLE article(
                id INTEGER PRIMARY KEY, shelfId INT NOT NULL REFERENCES shelf,
                title TEXT NOT NULL, price REAL);
            CREATE INDEX article_shelfId ON article(shelfId);
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?)
            INSERT INTO shelf SELECT i, 'Shelf number ' || i, i % 40 FROM n;
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?)
            INSERT INTO article SELECT
                i, 1 + i * 7919 % ?, 'The article of number ' || i,
                CASE WHEN i % 5 THEN i / 8.0 END
            FROM n;
            """, arguments: [shelfCount, articleCount, shelfCount])
}

private func digest(_ shelves: [FilledShelf]) -> UInt64 {
    var digest = Digest()
    for filled in shelves {
        filled.shelf.add(to: &digest)
        filled.articles.forEach { $0.add(to: &digest) }
    }
    return digest.value
}

private func digest(_ articles: [PlacedArticle]) -> UInt64 {
    var digest = Digest()
    for placed in articles {
        placed.article.add(to: &digest)
        placed.shelf.add(to: &digest)
    }
    return digest.value
}
