import Foundation
import Strongroom

// What values become in the database and back, what rows say, and what goes wrong.

func conversionSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try conversionSnippets1(db, snippet)
    try conversionSnippets2(db, snippet)
    try conversionSnippets7(db, snippet)
    try conversionSnippets3(db, snippet)
    try conversionSnippets4(db, snippet)
    try conversionSnippets5(db, snippet)
    try conversionSnippets6(db, snippet)
}

/// What the database makes of a value: its type, and its text.
private func stored(_ db: Database, _ value: (any DatabaseValueConvertible)?) throws -> String {
    let row = try Row.fetchOne(db, sql: "SELECT typeof(?1), CAST(?1 AS TEXT)", arguments: [value])!
    return "\(row[0] as String) \(row[1] as String? ?? "-")"
}

func conversionSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("values of each type, as they are stored") {
        try expect(try stored(db, true) == "integer 1" && stored(db, nil) == "null -")
        try expect(
            try stored(db, UInt8.max) == "integer 255"
                && stored(db, Int64.min).hasPrefix("integer -9"))
        try expect(try stored(db, Float(1.5)) == "real 1.5" && stored(db, CGFloat(2)) == "real 2.0")
        try expect(try stored(db, URL(string: "https://a.b/c")) == "text https://a.b/c")
        try expect(try stored(db, Date(timeIntervalSince1970: 0)) == "text 1970-01-01 00:00:00.000")
        try expect(
            try stored(db, Suit.hearts) == "text hearts" && stored(db, Rank.king) == "integer 13")
        try expect(try stored(db, Decimal(string: "1.10")) == "text 1.1")
        try expect(try stored(db, "é") == "text é" && stored(db, Data([65])) == "blob A")
        try expect(
            try stored(db, NSNull()) == "null -" && stored(db, NSNumber(value: 1.5)) == "real 1.5")
    }
    try snippet("integers that do not fit, and numbers that are whole") {
        try expect(Int8.fromDatabaseValue(200.databaseValue) == nil)
        try expect(UInt.fromDatabaseValue((-1).databaseValue) == nil)
        try expect(Int.fromDatabaseValue(3.0.databaseValue) == 3)
        try expect(Bool.fromDatabaseValue(2.databaseValue) == true)
        try expect(Double.fromDatabaseValue(2.databaseValue) == 2)
        try expect(Int.fromDatabaseValue("3".databaseValue) == nil)
        try expect(String.fromDatabaseValue(Data("a".utf8).databaseValue) == "a")
        try expect(Data.fromDatabaseValue("a".databaseValue) == Data("a".utf8))
    }
    try snippet("dates in each form that SQLite knows") {
        let texts = [
            "1970-01-02", "1970-01-02 00:00", "1970-01-02 00:00:00", "1970-01-02 00:00:00.000",
            "1970-01-02T00:00:00", "1970-01-02T00:00:00.000Z", "1970-01-02 02:00:00+02:00",
        ]
        for text in texts {
            try expect(
                try Date.fetchOne(db, sql: "SELECT ?", arguments: [text])
                    == Date(timeIntervalSince1970: 86_400))
        }
        try expect(
            Date.fromDatabaseValue(86_400.databaseValue) == Date(timeIntervalSince1970: 86_400))
        try expect(Date.fromDatabaseValue("yesterday".databaseValue) == nil)
    }
    try snippet("DatabaseDateComponents of each format") {
        let all = DateComponents(
            year: 2020, month: 2, day: 3, hour: 4, minute: 5, second: 6, nanosecond: 7_000_000)
        let formats: [(DatabaseDateComponents.Format, String)] = [
            (.YMD, "2020-02-03"), (.YMD_HM, "2020-02-03 04:05"),
            (.YMD_HMS, "2020-02-03 04:05:06"), (.YMD_HMSS, "2020-02-03 04:05:06.007"),
            (.HM, "04:05"), (.HMS, "04:05:06"), (.HMSS, "04:05:06.007"),
        ]
        for (format, text) in formats {
            let components = DatabaseDateComponents(all, format: format)
            try expect(components.databaseValue == text.databaseValue)
            let read = DatabaseDateComponents.fromDatabaseValue(text.databaseValue)
            try expect(read?.format == format && read?.databaseValue == text.databaseValue)
        }
    }
}

func conversionSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("Codable values, and their own encoders") {
        struct Point: Codable, DatabaseValueConvertible, Equatable {
            var theX: Int
            static func databaseJSONEncoder() -> JSONEncoder {
                let encoder = JSONEncoder()
                encoder.keyEncodingStrategy = .convertToSnakeCase
                return encoder
            }
            static func databaseJSONDecoder() -> JSONDecoder {
                let decoder = JSONDecoder()
                decoder.keyDecodingStrategy = .convertFromSnakeCase
                return decoder
            }
        }
        try expect(Point(theX: 1).databaseValue == #"{"the_x":1}"#.databaseValue)
        try expect(Point.fromDatabaseValue(#"{"the_x":2}"#.databaseValue) == Point(theX: 2))
        struct Color: Codable, DatabaseValueConvertible {
            var name: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(name)
            }
            init(from decoder: any Decoder) throws {
                name = try decoder.singleValueContainer().decode(String.self)
            }
        }
        try expect(
            Color.fromDatabaseValue("red".databaseValue)?.databaseValue == "red".databaseValue)
    }
}

func conversionSnippets7(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("a value that a missing column gives") {
        enum Level: Int, DatabaseValueConvertible {
            case low, high
            static func fromMissingColumn() -> Level? { .low }
        }
        let row: Row = ["a": 1]
        try expect(try row.decode(Level.self, forColumn: "a") == .high)
        try expect(try row.decode(Level.self, forColumn: "b") == .low)
        try expect(try row.decode(Int?.self, forColumn: "b") == nil)
        try expectError(RowDecodingError.self) { _ = try row.decode(Int.self, forColumn: "b") }
        try expect((row["b"] as Int?) == nil)
    }
    try snippet("StatementColumnConvertible by raw values and by hand") {
        enum Size: Int, DatabaseValueConvertible, StatementColumnConvertible { case small, big }
        let sizes: FastDatabaseValueCursor<Size> = try Size.fetchCursor(db, sql: "VALUES (1), (0)")
        try expect(try Array(sizes) == [.big, .small])
        try expect(try Size.fetchOne(db, sql: "SELECT NULL") == nil)
        try expect(try Size?.fetchAll(db, sql: "VALUES (NULL), (1)") == [nil, .big])
        try expectError(RowDecodingError.self) { _ = try Size.fetchAll(db, sql: "SELECT 7") }
    }
    try snippet("fetchOne of no row, of null, and of the wrong type") {
        try expect(try Int.fetchOne(db, sql: "SELECT 1 WHERE 0") == nil)
        try expect(try Int.fetchOne(db, sql: "SELECT NULL") == nil)
        try expect(try Int?.fetchOne(db, sql: "SELECT NULL") == .some(nil))
        try expect(try Int?.fetchOne(db, sql: "SELECT 1 WHERE 0") == nil)
        do {
            _ = try UUID.fetchOne(db, sql: "SELECT 'a' AS letter")
            try expect(false)
        } catch let error as RowDecodingError {
            try expect(
                error.description.contains("could not decode UUID from database value \"a\""))
            try expect(error.description.contains("letter"))
        }
    }
}

func conversionSnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    let row = try Row.fetchOne(db, sql: "SELECT 1 AS a, 2 AS A, x'0102' AS d, NULL AS n")!
    try snippet("rows with a name twice, and in another case") {
        try expect(row["a"] == 1 && row["A"] == 1 && row[1] == 2 && row.hasColumn("D"))
        try expect(Array(row.columnNames) == ["a", "A", "d", "n"])
        let any: (any DatabaseValueConvertible)? = row["d"]
        try expect(any?.databaseValue == Data([1, 2]).databaseValue)
        let missing: (any DatabaseValueConvertible)? = row["zzz"]
        try expect(missing == nil)
    }
    try snippet("rows: data by column, decode by index and column") {
        try row.withUnsafeData(at: Column("d")) { try expect($0 == Data([1, 2])) }
        try row.withUnsafeData(named: "n") { try expect($0 == nil) }
        try row.withUnsafeData(named: "zzz") { try expect($0 == nil) }
        try expect(try row.decode(Int.self, atIndex: 0) == 1)
        try expect(try row.decode(Data.self, forColumn: Column("d")) == Data([1, 2]))
        try expectError(RowDecodingError.self) { _ = try row.decode(Int.self, forColumn: "n") }
    }
    try snippet("rows as keys, as literals and from dictionaries") {
        let literal: Row = ["b": 1, "a": "x", "c": nil]
        try expect(literal.description == "[b:1 a:\"x\" c:NULL]")
        try expect(Set([literal, ["b": 1, "a": "x", "c": nil]]).count == 1)
        try expect(literal != ["a": "x", "b": 1, "c": nil])
        try expect(Row(["a": Date() as Any]) != nil && Row(["a": Row.self as Any]) == nil)
        let position = literal.startIndex.advanced(by: 2)
        try expect(
            literal[position].0 == "c" && literal.index(before: literal.endIndex) == position)
    }
    try snippet("scopes of scopes") {
        let inner = ScopeAdapter(
            base: RangeRowAdapter(1..<2), scopes: ["last": SuffixRowAdapter(fromIndex: 2)])
        let adapter = ScopeAdapter(base: ColumnMapping(["x": "a"]), scopes: ["in": inner])
        let row = try Row.fetchOne(db, sql: "SELECT 1 AS a, 2 AS b, 3 AS c", adapter: adapter)!
        try expect(row.unscoped == ["x": 1] && row.scopes["in"]?.unscoped == ["b": 2])
        try expect(row.scopes["in"]?.scopes["last"] == ["c": 3])
        try expect(row.scopesTree["last"] == ["c": 3] && row.unadapted == ["a": 1, "b": 2, "c": 3])
        try expect(row.debugDescription.contains("in"))
    }
}

func conversionSnippets4(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("arguments: names, positions, and what is missing") {
        let statement = try db.makeStatement(sql: "SELECT :a, :b, :a")
        try statement.setArguments(["a": 1, "b": nil])
        try expect(
            try Row.fetchOne(statement)?.databaseValues.map(\.description) == ["1", "NULL", "1"])
        try expectError(DatabaseError.self) { try statement.setArguments(["a": 1]) }
        // One dictionary may serve several statements: names that are left over are no error.
        try statement.setArguments(["a": 1, "b": 2, "c": 3])
        try expect(
            try Row.fetchOne(statement)?.databaseValues.map(\.description) == ["1", "2", "1"])
        try expectError(DatabaseError.self) { try statement.setArguments([1, 2, 3]) }
        try expect(try Row.fetchOne(statement, arguments: [5, 6])?[2] == 5)
        let mixed: StatementArguments = [1] + ["n": 2]
        try expect(try Int.fetchOne(db, sql: "SELECT ? + :n", arguments: mixed) == 3)
    }
    try snippet("arguments of sequences, of optionals, and of a row") {
        let row = try Row.fetchOne(db, sql: "SELECT 'a' AS x, NULL AS y, 3 AS z")!
        let names = ["x", "y", "z"]
        let values: [(any DatabaseValueConvertible)?] = names.map { row[$0] }
        let arguments: StatementArguments = StatementArguments(values)
        try expect(
            try Row.fetchOne(db, sql: "SELECT ?, ?, ?", arguments: arguments)?[1] == nil as Int?)
        let inline: StatementArguments = StatementArguments(names.map { row[$0] })
        try expect(inline == arguments && inline.description == "[\"a\", NULL, 3]")
        let untyped = StatementArguments(names.map { row[$0] })
        try expect(untyped == arguments)
        let numbers: [Int?] = [1, nil]
        try expect(StatementArguments(numbers).description == "[1, NULL]")
        try expect(StatementArguments(Set([4])) == [4])
        try expect(StatementArguments(row.databaseValues) == arguments)
    }
    try snippet("arguments of pairs and dictionaries") {
        let pairs = zip(["a", "b"], [1, 2]).map { ($0, $1 as (any DatabaseValueConvertible)?) }
        let arguments = StatementArguments(pairs)
        try expect(try Int.fetchOne(db, sql: "SELECT :a * 10 + :b", arguments: arguments) == 12)
        let dictionary: [String: (any DatabaseValueConvertible)?] = ["a": 3, "b": nil]
        try expect(
            try Int.fetchOne(
                db, sql: "SELECT :a + ifnull(:b, 1)", arguments: StatementArguments(dictionary))
                == 4)
        let untrusted: [String: Any] = ["a": Row.self]
        try expect(StatementArguments(untrusted) == nil)
    }
}
