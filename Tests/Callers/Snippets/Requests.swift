import Foundation
import Strongroom

// The query interface: requests, expressions, orderings, selections, tables, common table expressions.

let title = Column("title")
let price = Column("price")

func titles(_ db: Database, _ request: some FetchRequest<Book>) throws -> [String] {
    try request.fetchAll(db).map(\.title)
}

func requestSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try requestSnippets1(db, snippet)
    try requestSnippets2(db, snippet)
    try requestSnippets3(db, snippet)
    try requestSnippets4(db, snippet)
    try requestSnippets5(db, snippet)
    try requestSnippets6(db, snippet)
    try requestSnippets7(db, snippet)
}

func requestSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("all, none, limit, offset") {
        try expect(
            try titles(db, Book.all().order(title).limit(2, offset: 1)) == ["Iliad", "Moby-Dick"])
        try expect(try Book.none().isEmpty(db) && !Book.all().isEmpty(db))
        try expect(try Book.limit(3).fetchCount(db) == 3)
    }
    try snippet("filter by columns of an enum") {
        try expect(
            try Book.filter(Book.Columns.price > 10 && Book.Columns.title != "Moby-Dick")
                .fetchCount(db) == 1)
        try expect(
            try Author.filter(Author.Columns.country == nil).fetchOne(db)?.name == "Melville")
        try expect(try Author.filter { $0.name == "HOMER" }.fetchCount(db) == 1)
    }
    try snippet("filter by SQL and literals") {
        let least = 9.0
        try expect(try Book.filter(sql: "price > ?", arguments: [least]).fetchCount(db) == 3)
        try expect(try Book.filter(sql: "price > :p", arguments: ["p": least]).fetchCount(db) == 3)
        try expect(try Book.filter(literal: "price > \(least)").fetchCount(db) == 3)
        try expect(try Book.filter(SQL("\(price) > \(least)")).fetchCount(db) == 3)
    }
    try snippet("filter by keys") {
        try expect(try Book.filter(key: 1).fetchOne(db)?.title == "Iliad")
        try expect(try Book.filter(keys: [1, 2, 99]).fetchCount(db) == 2)
        try expect(try Author.filter(key: ["name": "Homer"]).fetchCount(db) == 1)
        try expect(
            try Book.filter(ids: [1, 2]).fetchCount(db) == 2
                && Book.filter(id: 1).fetchCount(db) == 1)
        try expect(try Setting.filter(key: "a").fetchOne(db)?.value == 1)
    }
    try snippet("comparisons, ranges, between, in, like") {
        try expect(try Book.filter((8...10).contains(price)).fetchCount(db) == 3)
        try expect(try Book.filter((8..<10).contains(price)).fetchCount(db) == 2)
        try expect(try Book.filter(["Emma", "Iliad"].contains(title)).fetchCount(db) == 2)
        try expect(try Book.filter(!["Emma", "Iliad"].contains(title)).fetchCount(db) == 3)
        try expect(try Book.filter(title.like("%d%")).fetchCount(db) == 3)
        try expect(try Book.filter(title.like("100!%", escape: "!")).fetchCount(db) == 0)
        try expect(try Book.filter(("A"..."J").contains(title)).fetchCount(db) == 2)
        try expect(
            try Book.filter(
                Author.select(Column("id")).filter(Column("country") == "GB").contains(
                    Column("authorId"))
            ).fetchCount(db) == 2)
        try expect(try Book.filter(title === "Emma" || title !== "Emma").fetchCount(db) == 5)
        try expect(try Author.filter(Column("country") !== "GR").fetchCount(db) == 2)
    }
}

func requestSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("arithmetic, bits and concatenation") {
        try expect(try Book.filter(price * 2 - 1 > 20 && price / 2 + 1 > 0).fetchCount(db) == 2)
        let id = Column("id")
        try expect(try Int.fetchAll(db, Book.select(id & 1).order(id)) == [1, 0, 1, 0, 1])
        try expect(try Int.fetchAll(db, Book.select(id << 1).filter(id | 1 == 3)) == [4, 6])
        try expect(try Int.fetchOne(db, Book.select(~id).filter(id == 1)) == -2)
        try expect(
            try String.fetchOne(
                db, Book.select([title, "!".databaseValue.sqlExpression].joined(operator: .concat)))
                == "Iliad!")
        try expect(try Int.fetchOne(db, Book.select(-id).filter(key: 3)) == -3)
        try expect(
            try Bool.fetchOne(
                db,
                Book.select([id > 1, price > 1, title == "Emma"].joined(operator: .and)).filter(
                    key: 3)) == true)
        try expect(try Book.filter([id == 1, id == 2].joined(operator: .or)).fetchCount(db) == 2)
        try expect(
            try Int.fetchOne(db, Book.select([id, id].joined(operator: .add)).filter(key: 4)) == 8)
        try expect(
            try Int.fetchOne(db, Book.select([id, id].joined(operator: .multiply)).filter(key: 4))
                == 16)
    }
    try snippet("functions") {
        try expect(try Int.fetchOne(db, Book.select(length(title)).filter(key: 3)) == 4)
        try expect(
            try String.fetchOne(
                db,
                Author.select(
                    coalesce(
                        [Column("country"), "??".sqlExpression] as [any SQLSpecificExpressible])
                ).filter(key: 3)) == "??")
        try expect(
            try String.fetchOne(db, Author.select(Column("country") ?? "??").filter(key: 3)) == "??"
        )
        try expect(
            try Double.fetchOne(db, Book.select(sum(price))) == 59
                && Double.fetchOne(db, Book.select(total(price))) == 59)
        try expect(try Double.fetchOne(db, Book.select(average(price))) == 59.0 / 5)
        try expect(
            try Double.fetchOne(db, Book.select(min(price))) == 8
                && Double.fetchOne(db, Book.select(max(price))) == 20)
        try expect(try Int.fetchOne(db, Book.select(count(distinct: Column("authorId")))) == 3)
        try expect(try Int.fetchOne(db, Book.select(count(Column("id")))) == 5)
        try expect(try Double.fetchOne(db, Book.select(abs(price * -1)).filter(key: 1)) == 10)
        try expect(try String.fetchOne(db, Book.select(title.uppercased)) == "ILIAD")
        try expect(try String.fetchOne(db, Book.select(title.lowercased.capitalized)) == "Iliad")
        try expect(
            try String.fetchOne(db, Book.select(julianDay("1970-01-02".databaseValue))) != nil)
        try expect(
            try String.fetchOne(
                db, Book.select(dateTime(Column("published"), .day(1), .startOfDay)))
                == "1970-01-03 00:00:00")
    }
}

func requestSnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("cast and SQLExpression") {
        try expect(try Int.fetchOne(db, Book.select(cast(price, as: .integer))) == 10)
        try expect(
            try DatabaseValue.fetchOne(db, Book.select(cast(Column("id"), as: .text)))?.storage
                == .string("1"))
        let expressions: [any SQLExpressible] = [1, "a", price, SQL("1"), DatabaseValue.null]
        try expect(expressions.map(\.sqlExpression).count == 5)
        try expect(try Int.fetchOne(db, Book.select(1.sqlExpression + 1)) == 2)
    }
    try snippet("order, reversed, unordered, nulls, collations") {
        let country = Column("country")
        try expect(try titles(db, Book.order(price.desc, title)).first == "Moby-Dick")
        try expect(try titles(db, Book.order { [$0.price.desc] }).first == "Moby-Dick")
        try expect(try titles(db, Book.order(title).reversed()).first == "Persuasion")
        try expect(try Author.order(country.ascNullsLast).fetchOne(db)?.name == "Austen")
        try expect(try Author.order(country.descNullsFirst).fetchOne(db)?.name == "Melville")
        try expect(try Book.order(title.collating(.nocase).desc, Column.rowID).fetchCount(db) == 5)
        try expect(try titles(db, Book.order(sql: "price DESC LIMIT 1")).count == 1)
        try expect(try titles(db, Book.order(literal: "price * \(-1)")).first == "Moby-Dick")
        try expect(
            try Book.orderByPrimaryKey().unordered().order(title).withStableOrder().fetchOne(db)?
                .title == "Emma")
        let terms: [any SQLOrderingTerm] = [price, title.desc, SQL("id")]
        try expect(try titles(db, Book.order(terms)).first == "Emma")
    }
    try snippet("select, annotated, distinct, group, having") {
        try expect(try String.fetchAll(db, Book.select(title).order(title)).first == "Emma")
        try expect(try Int.fetchAll(db, Book.select(Column("authorId")).distinct()).count == 3)
        let rows = try Row.fetchAll(
            db,
            Book.select(Column("authorId"), count(Column("id")).forKey("n")).group(
                Column("authorId")
            ).having(count(Column("id")) > 1))
        try expect(rows.count == 2 && rows[0]["n"] == 2)
        try expect(
            try Row.fetchOne(db, Book.annotated(with: (price * 2).forKey("double")))?["double"]
                == 20.0)
        try expect(
            try Row.fetchOne(db, Book.select(sql: "1 AS one, ? AS two", arguments: [2])) == [
                "one": 1, "two": 2,
            ])
        try expect(try Int.fetchOne(db, Book.select(literal: "\(3) AS three")) == 3)
        try expect(try Int.fetchOne(db, Book.select(max(Column("id")), as: Int.self)) == 5)
        try expect(try Book.select(title, as: String.self).fetchSet(db).count == 5)
        try expect(try Row.fetchOne(db, Book.select(.allColumns, .rowID))?.count == 7)
        let selectables: [any SQLSelectable] = [title, AllColumns(), SQL("1 AS x")]
        try expect(try Row.fetchOne(db, Book.select(selectables))?["x"] == 1)
    }
    try snippet("allColumns excluding") {
        let row = try Row.fetchOne(db, Book.select(.allColumns(excluding: ["tags", "published"])))!
        try expect(Array(row.columnNames) == ["id", "authorId", "title", "price"])
        try expect(try Row.fetchOne(db, Book.select(.allColumns))?.count == 6)
        try expect(try Row.fetchOne(db, Book.select(.rowID))?.count == 1)
    }
}

func requestSnippets4(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("counts, sums, contains of a request") {
        try expect(try Book.filter(price > 9).fetchCount(db) == 3 && Book.fetchCount(db) == 5)
        try expect(try Book.select(Column("authorId")).distinct().fetchCount(db) == 3)
    }
    try snippet("subqueries, exists, scalar comparison") {
        let best = Book.select(max(price))
        try expect(try titles(db, Book.filter(price == best)) == ["Moby-Dick"])
        let alias = TableAlias(name: "b")
        let has = Book.aliased(alias).filter(alias[price] > 15).exists()
        try expect(try Author.filter(has).fetchCount(db) == 3)
        let author = TableAlias<Author>()
        let rich = Book.filter(Column("authorId") == author[Column("id")] && price > 15)
        try expect(try Author.aliased(author).filter(rich.exists()).fetchCount(db) == 1)
        try expect(
            try Int.fetchOne(db, Author.select(SQLRequest<Int>("SELECT COUNT(*) FROM book"))) == 5)
    }
    try snippet("unions by SQL interpolation") {
        let first = Book.select(title).filter(key: 1)
        let second: SQLRequest<String> = "SELECT name FROM author WHERE id = 1"
        let all: SQLRequest<String> = "\(first) UNION ALL \(second)"
        try expect(try all.fetchAll(db) == ["Iliad", "Homer"])
    }
    try snippet("SQL interpolation") {
        let names = ["Homer", "Austen"]
        let request: SQLRequest<Author> = """
            SELECT \(columnsOf: Author.self), \(Column("name")) AS again FROM \(Author.self)
            WHERE \(Column("name")) IN \(names) AND \(sql: "id > ?", arguments: [0]) ORDER BY \(Author.Columns.name)
            """
        try expect(try request.fetchAll(db).map(\.name) == ["Austen", "Homer"])
        var sql: SQL = "SELECT 1"
        sql += " + \(2)"
        sql.append(literal: " + \(3)")
        sql.append(sql: " + ?", arguments: [4])
        try expect(try SQLRequest<Int>(literal: sql).fetchOne(db) == 10)
        try expect(try sql.build(db).arguments == [2, 3, 4] && !sql.isEmpty)
        let list = [SQL("1"), SQL("\(2)")].joined(separator: ", ")
        try expect(try Row.fetchOne(db, SQLRequest(literal: "SELECT \(list)"))?.count == 2)
        let table = "book"
        try expect(try SQLRequest<Int>("SELECT COUNT(*) FROM \(sql: table)").fetchOne(db) == 5)
    }
    try snippet("SQLRequest with names, adapters and a cache") {
        let request = SQLRequest<Row>(
            sql: "SELECT :a AS a, :b AS b", arguments: ["a": 1, "b": 2],
            adapter: ColumnMapping(["c": "b"]), cached: true)
        try expect(try request.fetchOne(db) == ["c": 2])
        try expect(request.adapter != nil)
        let cached: SQLRequest<Int> = SQLRequest(literal: "SELECT \(1)", cached: true)
        try expect(try cached.fetchOne(db) == 1 && cached.fetchOne(db) == 1)
    }
}
