import Foundation
import Strongroom

// Cursors: the lazy ones, those that are asked for a value, and what Swift's collections make of them.

func cursorSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try cursorSnippets1(db, snippet)
    try cursorSnippets2(db, snippet)
    try cursorSnippets3(db, snippet)
    try cursorSnippets4(db, snippet)
}

private func prices(_ db: Database) throws -> FastDatabaseValueCursor<Double> {
    try Double.fetchCursor(db, Book.select(price).order(price))
}

func cursorSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("Cursor.compactMap") {
        let countries = try Author.order(Column("id")).fetchCursor(db).compactMap(\.country)
        try expect(try Array(countries) == ["GR", "GB"])
        let numbers: MapCursor<FilterCursor<MapCursor<AnyCursor<String>, Int?>>, Int> =
            AnyCursor(["1", "x", "3"]).compactMap { Int($0) }
        try expect(try Array(numbers) == [1, 3])
    }
    try snippet("Cursor.first(where:) and contains(where:)") {
        try expect(try prices(db).first { $0 > 9 } == 10)
        try expect(try prices(db).first(where: { $0 > 99 }) == nil)
        try expect(try prices(db).contains { $0 == 20 } && !prices(db).contains { $0 == 21 })
        try expect(try prices(db).contains(12))
    }
    try snippet("Cursor.drop(while:), PrefixWhileCursor") {
        let dear: DropWhileCursor<FastDatabaseValueCursor<Double>> = try prices(db).drop {
            $0 < 10
        }
        try expect(try Array(dear) == [10, 12, 20])
        let cheap: PrefixWhileCursor<FastDatabaseValueCursor<Double>> = try prices(db).prefix {
            $0 < 10
        }
        try expect(try Array(cheap) == [8, 9])
        try expect(try cheap.next() == nil)
    }
    try snippet("DropFirstCursor, EnumeratedCursor") {
        let rest: DropFirstCursor<FastDatabaseValueCursor<Double>> = try prices(db).dropFirst()
        try expect(try Array(rest) == [9, 10, 12, 20])
        let numbered: EnumeratedCursor<FastDatabaseValueCursor<Double>> = try prices(db)
            .enumerated()
        let last = try numbered.suffix(1)
        try expect(last.count == 1 && last[0].0 == 4 && last[0].1 == 20)
    }
    try snippet("Cursor.reduce(into:)") {
        let byAuthor = try Book.fetchCursor(db).reduce(into: [Int64: Double]()) { sums, book in
            sums[book.authorId, default: 0] += book.price
        }
        try expect(byAuthor == [1: 22, 2: 17, 3: 20])
    }
}

func cursorSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("FlattenCursor of cursors and of sequences") {
        let ids = try Int64.fetchCursor(db, Author.select(Column("id")).order(Column("id")))
        let nested = ids.flatMap { id in
            try String.fetchCursor(
                db, Book.select(title).filter(Column("authorId") == id).order(Column("id")))
        }
        try expect(
            try Array(nested) == ["Iliad", "Odyssey", "Emma", "Persuasion", "Moby-Dick"])
        let joined: FlattenCursor<AnyCursor<AnyCursor<Int>>> = AnyCursor([
            AnyCursor([1, 2]), AnyCursor([3]),
        ]).joined()
        try expect(try Array(joined) == [1, 2, 3])
        try expect(try Array(AnyCursor([[1], [], [2, 3]]).joined()) == [1, 2, 3])
    }
    try snippet("Cursor.max(by:), min(by:), isEmpty") {
        let longest = try Book.fetchCursor(db).max { $0.title.count < $1.title.count }
        let cheapest = try Book.fetchCursor(db).min { $0.price < $1.price }
        try expect(longest?.title == "Persuasion" && cheapest?.title == "Emma")
        try expect(try Book.none().fetchCursor(db).isEmpty && !Book.fetchCursor(db).isEmpty)
    }
    try snippet("Cursor.forEach and an error thrown inside") {
        var seen: [String] = []
        try String.fetchCursor(db, Book.select(title).order(title)).forEach { seen.append($0) }
        try expect(seen.first == "Emma" && seen.count == 5)
        struct Stop: Error {}
        try expectError(Stop.self) {
            try Book.fetchCursor(db).forEach { if $0.price > 10 { throw Stop() } }
        }
    }
    try snippet("AnyCursor of an iterator and of a closure") {
        let letters = AnyCursor(iterator: ["a", "b"].makeIterator())
        try expect(try letters.next() == "a" && letters.next() == "b" && letters.next() == nil)
        var number = 3
        let down = AnyCursor<Int> {
            number -= 1
            return number >= 0 ? number : nil
        }
        try expect(try Array(down) == [2, 1, 0])
        let erased: AnyCursor<Double> = AnyCursor(try prices(db))
        try expect(try erased.next() == 8)
    }
}

func cursorSnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("collections of cursors with a capacity") {
        let array = try Array(prices(db), minimumCapacity: 5)
        let contiguous = try ContiguousArray(prices(db))
        let set = try Set(Int.fetchCursor(db, sql: "VALUES (1), (1), (2)"), minimumCapacity: 3)
        try expect(array == [8, 9, 10, 12, 20] && contiguous.count == 5 && set == [1, 2])
        let slice = try ArraySlice(prices(db).map { Int($0) }.filter { $0 > 10 })
        try expect(slice == [12, 20])
    }
    try snippet("Set and cursors") {
        let numbers = Set([1.0, 8, 9])
        try expect(try numbers.union(prices(db)) == [1, 8, 9, 10, 12, 20])
        try expect(try numbers.intersection(prices(db)) == [8, 9])
        var changed = numbers
        try changed.formIntersection(prices(db))
        try expect(changed == [8, 9])
        try changed.formUnion(AnyCursor([2]))
        try expect(changed == [2, 8, 9])
    }
    try snippet("Dictionary of cursors") {
        let titles = try Dictionary(
            minimumCapacity: 5,
            uniqueKeysWithValues: Book.fetchCursor(db).map { ($0.id!, $0.title) })
        try expect(titles.count == 5 && titles[3] == "Emma")
        let books = try Dictionary(
            minimumCapacity: 3, grouping: Book.fetchCursor(db), by: \.authorId)
        try expect(books[2]?.map(\.title) == ["Emma", "Persuasion"])
        let rows = try Dictionary(grouping: Row.fetchCursor(db, Book.all())) { row in
            row["authorId"] as Int64
        }
        try expect(rows[1]?.count == 2)
    }
    try snippet("Optional values in cursors") {
        let countries = try String?.fetchCursor(
            db, Author.select(Column("country")).order(Column("id")))
        var found: [String?] = []
        while let country = try countries.next() { found.append(country) }
        try expect(found == ["GR", "GB", nil])
        let set = try String?.fetchSet(db, sql: "SELECT country FROM author")
        try expect(set == ["GR", "GB", nil])
    }
}

func cursorSnippets4(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("SQLStatementCursor") {
        let statements: SQLStatementCursor = try db.allStatements(
            sql: "SELECT :a; SELECT :b", arguments: ["a": 1, "b": 2])
        let texts = statements.map { statement in
            "\(statement.sql)=\(try Int.fetchOne(statement) ?? 0)"
        }
        try expect(try Array(texts) == ["SELECT :a=1", "SELECT :b=2"])
        try expectError(DatabaseError.self) {
            _ = try db.allStatements(sql: "SELECT ?", arguments: [1, 2]).map { $0.sql }.suffix(1)
        }
    }
    try snippet("Rows of a cursor that are kept") {
        let cursor = try Row.fetchCursor(db, sql: "SELECT title FROM book ORDER BY title")
        var kept: [Row] = []
        while let row = try cursor.next(), kept.count < 2 { kept.append(row.copy()) }
        try expect(kept.map { $0["title"] as String } == ["Emma", "Iliad"])
    }
    try snippet("DatabaseCursor of each kind as an existential") {
        func count<Element>(_ cursor: some DatabaseCursor<Element>) throws -> Int {
            try expect(cursor.sql.hasPrefix("SELECT") && cursor.arguments.isEmpty)
            return try cursor.map { _ in 1 }.reduce(0, +)
        }
        try expect(try count(Row.fetchCursor(db, sql: "SELECT id FROM book")) == 5)
        try expect(try count(Int.fetchCursor(db, sql: "SELECT id FROM author")) == 3)
        try expect(try count(Suit.fetchCursor(db, sql: "SELECT 'hearts'")) == 1)
        try expect(try count(Award.fetchCursor(db, sql: "SELECT * FROM award")) == 2)
        let erased: any Cursor<Int> = try Int.fetchCursor(db, sql: "SELECT 7")
        try expect(try erased.next() == 7)
    }
}
