import Foundation
import Strongroom

func requestSnippets5(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("Table without a record") {
        let table = Table("book")
        try expect(try table.fetchCount(db) == 5)
        try expect(
            try table.filter(price > 10).select(title).asRequest(of: String.self).fetchAll(db).count
                == 2)
        let books = Table<Book>("book")
        try expect(
            try books.filter(key: 1).fetchOne(db)?.title == "Iliad" && books.exists(db, key: 2))
        try expect(try books.filter(id: 3).fetchOne(db)?.title == "Emma")
        let authors = Table<Author>("author")
        let written = authors.hasMany(books)
        try expect(try authors.including(all: written).fetchAll(db).count == 3)
        try expect(
            try authors.annotated(with: written.count).asRequest(of: Row.self).fetchOne(db)?[
                "bookCount"] == 2)
        try expect(try Table("setting").updateAll(db, Column("value").set(to: 1)) == 1)
        try expect(try Table("note").deleteAll(db) == 0)
        try expect(try Table<String>("setting").fetchAll(db) == ["a"])
    }
    try snippet("common table expressions") {
        let cte = CommonTableExpression(named: "costly", request: Book.filter(price > 11))
        try expect(try cte.all().with(cte).fetchCount(db) == 2)
        try expect(
            try Book.with(cte).filter(cte.all().select(Column("id")).contains(Column("id")))
                .fetchCount(db) == 2)
        let numbers = CommonTableExpression<Int>(
            recursive: true, named: "n", columns: ["i"],
            sql: "VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < ?", arguments: [4])
        try expect(try numbers.all().with(numbers).fetchAll(db) == [1, 2, 3, 4])
        let association = Book.association(to: cte) { book, costly in
            book[Column("id")] == costly[Column("id")]
        }
        try expect(try Book.with(cte).joining(required: association).fetchCount(db) == 2)
        let literal = CommonTableExpression<Row>(named: "one", literal: "SELECT \(1) AS a")
        try expect(try literal.all().with(literal).fetchOne(db) == ["a": 1])
    }
    try snippet("batch updates and deletions") {
        try db.inSavepoint {
            try expect(try Book.updateAll(db, price += 1, title.set(to: title.uppercased)) == 5)
            try expect(
                try Book.filter(key: 1).updateAll(db, [price -= 1]) == 1)
            try expect(
                try Book.filter(price > 100).updateAll(db, onConflict: .ignore, price.set(to: 3))
                    == 0)
            try expect(try Book.updateAll(db, price *= 2, price /= 2) >= 0)
            try expect(try Book.order(title).limit(1).deleteAll(db) == 1)
            try expect(try Book.deleteAll(db, keys: [1, 2]) == 2 && !Book.deleteOne(db, key: 1))
            try expect(try Book.deleteAll(db, ids: [5]) <= 1)
            return .rollback
        }
    }
}

func requestSnippets6(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("updates and deletions that return rows") {
        try db.inSavepoint {
            let books = try Book.filter(price > 10).updateAndFetchAll(db, [price += 1])
            try expect(books.count == 2 && books.allSatisfy { $0.price > 11 })
            try expect(try Book.all().deleteAndFetchAll(db).count == 5)
            try expect(try Author.all().deleteAndFetchIds(db).count == 3)
            return .rollback
        }
    }
    try snippet("JSON") {
        let tags = JSONColumn("tags")
        try expect(try String.fetchOne(db, Book.select(tags["$[0]"])) == "classic")
        try expect(try Int.fetchOne(db, Book.select(Database.jsonArrayLength(tags))) == 1)
        try expect(try Book.filter(tags["$[0]"] == "classic").fetchCount(db) == 5)
        try expect(
            try String.fetchOne(db, Book.select(tags.jsonExtract(atPath: "$[0]"))) == "classic")
        try expect(
            try String.fetchOne(
                db, Book.select(Column("tags").asJSON.jsonRepresentation(atPath: "$")))
                == "[\"classic\"]")
        try expect(
            try String.fetchOne(db, Book.select(Database.jsonObject(["t": title])).filter(key: 3))
                == "{\"t\":\"Emma\"}")
        try expect(
            try String.fetchOne(db, Book.select(Database.jsonGroupArray(Column("id"))))
                == "[1,2,3,4,5]")
        try expect(try Bool.fetchOne(db, Book.select(Database.jsonIsValid(tags))) == true)
        try expect(
            try String.fetchOne(db, Book.select(Database.json(#" {"a": 1} "#))) == "{\"a\":1}")
        try expect(
            try String.fetchOne(db, Book.select(Database.jsonSet(tags, ["$[1]": "x"])))
                == "[\"classic\",\"x\"]")
        try expect(
            try String.fetchOne(
                db, Book.select(Database.jsonArray([1, 2] as [any SQLExpressible]))) == "[1,2]")
        try expect(
            try String.fetchOne(db, Book.select(Database.jsonRemove(tags, atPath: "$[0]"))) == "[]")
        try expect(try String.fetchOne(db, Book.select(Database.jsonType(tags))) == "array")
        try expect(
            try String.fetchOne(db, Book.select(Database.jsonQuote(title)).filter(key: 3))
                == "\"Emma\"")
    }
}

func requestSnippets7(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("QueryInterfaceRequest with generics") {
        func firstTitle<R: FilteredRequest & OrderedRequest & FetchRequest>(_ request: R) throws
            -> String?
        where R.RowDecoder == Book {
            try request.filter(Column("price") > 0).order(Column("title")).fetchOne(db)?.title
        }
        try expect(try firstTitle(Book.all()) == "Emma")
        func count<R: TableRecord>(_ type: R.Type) throws -> Int { try R.fetchCount(db) }
        try expect(try count(Book.self) == 5)
        let types: [any TableRecord.Type] = [Book.self, Author.self]
        try expect(try types.map { try $0.fetchCount(db) } == [5, 3])
        try expect(Book.databaseSelection.count == 1)
    }
    try snippet("detached columns and aliases in SQL") {
        let alias = TableAlias(name: "w")
        let request = Book.joining(required: Book.author.aliased(alias)).order(sql: "w.name")
            .select(title)
        try expect(
            try String.fetchAll(db, request).first.map { $0 == "Emma" || $0 == "Persuasion" }
                == true)
        try expect(
            try Book.select(price.forKey("p")).order(Column("p").detached.desc).asRequest(
                of: Double.self
            ).fetchOne(db) == 20)
    }
}
