import Foundation
import Strongroom

// Expressions: operators, functions, dates, JSON and SQL by hand, each with the value that it gives.

func expressionSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try expressionSnippets1(db, snippet)
    try expressionSnippets2(db, snippet)
    try expressionSnippets3(db, snippet)
    try expressionSnippets4(db, snippet)
    try expressionSnippets5(db, snippet)
    try expressionSnippets6(db, snippet)
    try expressionSnippets7(db, snippet)
}

private let id = Column("id")

/// The SQL of a request.
func sql(_ db: Database, _ request: some FetchRequest) throws -> String {
    try request.makePreparedRequest(db, forSingleResult: false).statement.sql
}

/// The value of an expression of the first book.
func firstBook<T: DatabaseValueConvertible & StatementColumnConvertible>(
    _ db: Database, _ expression: some SQLSelectable, as type: T.Type = T.self
) throws -> T? {
    try T.fetchOne(db, Book.filter(key: 1).select(expression))
}

func expressionSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("comparisons with nil, true and false") {
        let country = Column("country")
        try expect(try Author.filter(country == nil).fetchCount(db) == 1)
        try expect(try Author.filter(country != nil).fetchCount(db) == 2)
        let none: String? = nil
        try expect(try Author.filter(country == none).fetchCount(db) == 1)
        try expect(try Book.filter((price > 10) == false).fetchCount(db) == 3)
        try expect(try Book.filter(!(price > 10)).fetchCount(db) == 3)
        try expect(
            try sql(db, Author.filter(country == nil))
                == "SELECT * FROM \"author\" WHERE \"country\" IS NULL")
    }
    try snippet("ranges that are open on a side") {
        try expect(try Book.filter((10...).contains(price)).fetchCount(db) == 3)
        try expect(try Book.filter((...10).contains(price)).fetchCount(db) == 3)
        try expect(try Book.filter((..<10).contains(price)).fetchCount(db) == 2)
        let ids: CountableClosedRange<Int> = 2...3
        let others: CountableRange<Int> = 2..<3
        try expect(try Book.filter(ids.contains(id)).fetchCount(db) == 2)
        try expect(try Book.filter(others.contains(id)).fetchCount(db) == 1)
        try expect(try Book.filter(("a"..."i").contains(title)).fetchCount(db) == 0)
        try expect(
            try Book.filter(("a"..."i").contains(title.collating(.nocase))).fetchCount(db) == 1)
    }
    try snippet("contains of sequences, of none and of requests") {
        try expect(try Book.filter(Set([1, 2, 3]).contains(id)).fetchCount(db) == 3)
        try expect(try Book.filter([Int]().contains(id)).fetchCount(db) == 0)
        try expect(try Book.filter(![Int]().contains(id)).fetchCount(db) == 5)
        let expressions: [any SQLExpressible] = [1, Column("authorId")]
        try expect(try Book.filter(expressions.contains(id)).fetchCount(db) == 1)
        let request: SQLRequest<Int64> = "SELECT bookId FROM award"
        try expect(try Book.filter(request.contains(id)).fetchCount(db) == 2)
        let names = ["homer", "AUSTEN"]
        try expect(try Author.filter(names.contains(Column("name"))).fetchCount(db) == 2)
        try expect(
            try Author.filter(names.contains(Column("name").collating(.binary))).fetchCount(db)
                == 0)
    }
}

func expressionSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("shifts, bits and operators with values on the left") {
        try expect(try firstBook(db, 8 >> id, as: Int.self) == 4)
        try expect(try firstBook(db, 1 << id, as: Int.self) == 2)
        try expect(try firstBook(db, (id << 3) >> 1, as: Int.self) == 4)
        try expect(try firstBook(db, 100 - price, as: Double.self) == 90)
        try expect(try firstBook(db, 100 / price, as: Double.self) == 10)
        try expect(try firstBook(db, (2 * price) + (id * 3) - 1, as: Double.self) == 22)
        try expect(try firstBook(db, 6 & (id | 2), as: Int.self) == 2)
        try expect(try Book.filter(10 < price).fetchCount(db) == 2)
        try expect(try Book.filter("Emma" == title || 12 <= price).fetchCount(db) == 3)
    }
    try snippet("?? of columns, expressions and SQL") {
        let country = Column("country")
        let melville = Author.filter(key: 3)
        try expect(try String.fetchOne(db, melville.select(country ?? "none")) == "none")
        try expect(
            try String.fetchOne(db, melville.select(country.uppercased ?? "none")) == "none")
        try expect(
            try String.fetchOne(db, melville.select(SQL("country") ?? Column("name")))
                == "Melville")
        try expect(
            try Int.fetchOne(
                db, melville.select(Author.select(Column("id")).filter(sql: "0") ?? 7)) == 7)
    }
    try snippet("concatenation, capitals and lengths") {
        let both = [title, ": ".sqlExpression, price].joined(operator: .concat)
        try expect(try firstBook(db, both, as: String.self) == "Iliad: 10.0")
        try expect(try firstBook(db, title.uppercased, as: String.self) == "ILIAD")
        try expect(try firstBook(db, title.lowercased, as: String.self) == "iliad")
        try expect(try firstBook(db, title.lowercased.capitalized, as: String.self) == "Iliad")
        try expect(try firstBook(db, title.localizedUppercased, as: String.self) == "ILIAD")
        try expect(try firstBook(db, title.localizedLowercased, as: String.self) == "iliad")
        try expect(
            try firstBook(db, title.lowercased.localizedCapitalized, as: String.self) == "Iliad")
        try expect(try firstBook(db, length(title.uppercased), as: Int.self) == 5)
        try expect(
            try firstBook(db, [String]().map(\.sqlExpression).joined(operator: .concat)) == "")
    }
    try snippet("joined operators of none and of one") {
        let none: [SQLExpression] = []
        try expect(try firstBook(db, none.joined(operator: .and), as: Bool.self) == true)
        try expect(try firstBook(db, none.joined(operator: .or), as: Bool.self) == false)
        try expect(try firstBook(db, none.joined(operator: .add), as: Int.self) == 0)
        try expect(try firstBook(db, none.joined(operator: .multiply), as: Int.self) == 1)
        try expect(try firstBook(db, [id].joined(operator: .add), as: Int.self) == 1)
        try expect(try firstBook(db, [id, 6.sqlExpression].joined(operator: .bitwiseOr)) == 7)
    }
}

func expressionSnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("aggregates with filters and orders") {
        let dear = price > 9
        try expect(try Double.fetchOne(db, Book.select(sum(price, filter: dear))) == 42)
        try expect(try Double.fetchOne(db, Book.select(average(price, filter: dear))) == 14)
        try expect(try Double.fetchOne(db, Book.select(max(price, filter: !dear))) == 9)
        try expect(try Double.fetchOne(db, Book.select(min(price, filter: dear))) == 10)
        try expect(try Double.fetchOne(db, Book.select(total(price, filter: price > 99))) == 0)
        try expect(try Double.fetchOne(db, Book.select(sum(price, filter: price > 99))) == nil)
        try expect(
            try String.fetchOne(
                db,
                Book.select(Database.jsonGroupArray(id, orderBy: title.desc, filter: dear)))
                == "[2,5,1]")
    }
    try snippet("count of all, of values and of distinct ones") {
        try expect(try Int.fetchOne(db, Author.select(count(.allColumns))) == 3)
        try expect(try Int.fetchOne(db, Author.select(count(Column("country")))) == 2)
        try expect(try Int.fetchOne(db, Book.select(count(distinct: Column("authorId")))) == 3)
    }
    try snippet("min and max of several, abs, cast") {
        try expect(try firstBook(db, max(id, price), as: Double.self) == 10)
        try expect(try firstBook(db, min(id, price, -3), as: Int.self) == -3)
        try expect(try firstBook(db, abs(id - 5), as: Int.self) == 4)
        try expect(try firstBook(db, cast(price, as: .integer), as: String.self) == "10")
        try expect(try firstBook(db, cast(price, as: .text), as: String.self) == "10.0")
        try expect(try firstBook(db, cast(title, as: .blob), as: Data.self) == Data("Iliad".utf8))
        try expect(
            try firstBook(
                db, cast(id, as: Database.StorageClass(rawValue: "REAL")), as: Double.self)
                == 1)
    }
    try snippet("julianDay and dateTime") {
        let published = Column("published")
        try expect(try firstBook(db, julianDay(published), as: Double.self) == 2_440_588.5)
        try expect(
            try firstBook(db, dateTime(published, .day(1), .hour(-2)), as: String.self)
                == "1970-01-02 22:00:00")
        try expect(
            try firstBook(db, dateTime(published, .startOfYear, .month(2)), as: String.self)
                == "1970-03-01 00:00:00")
        let none: Date? = nil
        try expect(
            try Book.filter(dateTime(published) == none || dateTime(published) > "1970").fetchCount(
                db) == 5)
    }
}

func expressionSnippets6(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("interpolations of SQL, one by one") {
        let author = Author(id: 1, name: "x", country: nil)
        let cte = CommonTableExpression(named: "dear", request: Book.filter(price > 11))
        let request: SQLRequest<String> = """
            WITH \(definitionFor: cte) SELECT \(Column("name")) || \("!") || \(AllColumns().sqlCount)
            FROM \(cte) JOIN \(tableOf: author) ON author.id = dear.authorId
            ORDER BY \(Column("name").desc)
            """
        try expect(try request.fetchAll(db) == ["Melville!1", "Homer!1"])
    }
    try snippet("interpolated subqueries, sequences and optionals") {
        let none: Int? = nil
        let values: [any SQLExpressible] = [1, Column("id")]
        let row = try SQLRequest<Row>(
            """
            SELECT \(none) AS a, (\(Book.select(max(price)))) AS b, 2 IN \(values) AS c,
                1 IN \([Int]()) AS d, \(Data([1])) AS e FROM author WHERE id = \(2)
            """
        ).fetchOne(db)
        try expect(row == ["a": nil, "b": 20.0, "c": true, "d": false, "e": Data([1])])
    }
    try snippet("SQL of expressions, and SQL added up") {
        let condition = SQL(price > 10)
        try expect(try Book.filter(condition).fetchCount(db) == 2)
        var sql = SQL(sql: "SELECT ?", arguments: [1])
        sql.append(sql: " + :two", arguments: ["two": 2])
        sql += ""
        try expect(try SQLRequest<Int>(literal: sql).fetchOne(db) == 3 && SQL("").isEmpty)
        let conditions: [SQL] = ["id > 1", "price < \(13)"]
        try expect(
            try Book.filter(conditions.joined(separator: " AND ")).fetchCount(db) == 3)
    }
}

extension AllColumns {
    /// As a library extends what is interpolated.
    fileprivate var sqlCount: SQLExpression { 1.sqlExpression }
}

func expressionSnippets7(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("an interpolation of a library") {
        let request: SQLRequest<String> = "SELECT title FROM book \(largest: "price", 2)"
        try expect(try request.fetchAll(db) == ["Moby-Dick", "Odyssey"])
    }
    try snippet("orderings of each kind") {
        let country = Column("country")
        func names(_ ordering: any SQLOrderingTerm) throws -> [String] {
            try Author.order(ordering).fetchAll(db).map(\.name)
        }
        try expect(try names(country.asc) == ["Melville", "Austen", "Homer"])
        try expect(try names(country.ascNullsLast) == ["Austen", "Homer", "Melville"])
        try expect(try names(country.descNullsFirst) == ["Melville", "Homer", "Austen"])
        try expect(try names(country.ascNullsLast.sqlOrdering).last == "Melville")
        try expect(
            try Author.order(country.ascNullsLast).reversed().fetchAll(db).map(\.name)
                == ["Melville", "Homer", "Austen"])
        let maybe: Column? = country
        try expect(try names(maybe).first == "Melville")
    }
}

extension SQLInterpolation {
    fileprivate mutating func appendInterpolation(largest column: String, _ count: Int) {
        appendLiteral("ORDER BY ")
        appendInterpolation(Column(column).desc)
        appendLiteral(" LIMIT \(count)")
    }
}
