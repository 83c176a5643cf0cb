import Foundation
import Strongroom

// Rows, values, statements, adapters, errors.

func valueSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try valueSnippets1(db, snippet)
    try valueSnippets2(db, snippet)
    try valueSnippets3(db, snippet)
    try valueSnippets4(db, snippet)
    try valueSnippets5(db, snippet)
    try valueSnippets6(db, snippet)
}

func valueSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("rows by name, index and column") {
        let row = try Row.fetchOne(
            db, sql: "SELECT id, title, price, NULL AS empty FROM book WHERE id = 1")!
        try expect(row["id"] == 1 && row[1] == "Iliad" && row[Book.Columns.price] == 10.0)
        let title: String = row["TITLE"]
        let nothing: String? = row["empty"]
        try expect(title == "Iliad" && nothing == nil && row["absent"] as String? == nil)
        try expect(row.hasColumn("id") && row.hasNull(atIndex: 3) && row.containsNonNullValue)
        try expect(
            Array(row.columnNames).count == 4 && row.databaseValues.count == 4 && row.count == 4)
    }
    try snippet("rows are collections of columns and values") {
        let row: Row = ["a": 1, "b": nil, "c": "x"]
        try expect(row.map(\.0) == ["a", "b", "c"] && row.first?.1 == 1.databaseValue)
        try expect(
            Row(["a": 1]) == Row(["a": 1] as [String: (any DatabaseValueConvertible)?])
                && Row().isEmpty)
        try expect(Dictionary(row, uniquingKeysWith: { left, _ in left })["c"] == "x".databaseValue)
        try expect(Row(["a": 1, "b": Data()] as [AnyHashable: Any])?.count == 2)
        try expect(Set([row, row.copy()]).count == 1 && row.description.contains("a:1"))
    }
    try snippet("coalesce of rows") {
        let row: Row = ["a": nil, "b": 2]
        try expect(row.coalesce(["a", "b"]) == 2 && row.coalesce([Column("a"), Column("b")]) == 2)
    }
    try snippet("data without a copy") {
        let row = try Row.fetchOne(db, sql: "SELECT x'0102' AS d")!
        try row.withUnsafeData(named: "d") { data in try expect(data?.count == 2) }
        try row.withUnsafeData(atIndex: 0) { data in try expect(data == Data([1, 2])) }
    }
    try snippet("values of each type") {
        try expect(
            try Int.fetchOne(db, sql: "SELECT 1") == 1 && Int8.fetchOne(db, sql: "SELECT 1") == 1)
        try expect(
            try UInt32.fetchOne(db, sql: "SELECT 9") == 9
                && Bool.fetchOne(db, sql: "SELECT 1") == true)
        try expect(
            try Double.fetchOne(db, sql: "SELECT 1.5") == 1.5
                && Float.fetchOne(db, sql: "SELECT 1.5") == 1.5)
        try expect(try Data.fetchOne(db, sql: "SELECT x'00'") == Data([0]))
        try expect(try URL.fetchOne(db, sql: "SELECT 'https://a.b'")?.host == "a.b")
        let uuid = UUID()
        try expect(try UUID.fetchOne(db, sql: "SELECT ?", arguments: [uuid]) == uuid)
        try expect(
            try Date.fetchOne(db, sql: "SELECT '1970-01-01 00:00:01'")
                == Date(timeIntervalSince1970: 1))
        try expect(
            try Decimal.fetchOne(db, sql: "SELECT ?", arguments: [Decimal(string: "1.25")!])
                == Decimal(string: "1.25"))
        try expect(try String?.fetchAll(db, sql: "SELECT NULL UNION ALL SELECT 'a'") == [nil, "a"])
        try expect(try Int.fetchSet(db, sql: "VALUES (1), (2), (1)") == [1, 2])
    }
}

func valueSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("DatabaseValue") {
        let value = "a".databaseValue
        switch value.storage {
        case .string(let text): try expect(text == "a")
        case .null, .int64, .double, .blob: try expect(false)
        }
        try expect(
            DatabaseValue.null.isNull && DatabaseValue(value: 1 as Any)?.storage == .int64(1)
                && DatabaseValue(value: Date()) != nil)
        try expect(
            Int.fromDatabaseValue(1.0.databaseValue) == 1
                && String.fromDatabaseValue(1.databaseValue) == nil)
        try expect(
            value.storage.value as? String == "a" && Set([value, value]).count == 1
                && value == "a".databaseValue)
    }
    try snippet("DatabaseDateComponents") {
        let parts = try DatabaseDateComponents.fetchOne(db, sql: "SELECT '2015-07-14 12:30'")!
        try expect(parts.format == .YMD_HM && parts.dateComponents.year == 2015)
        let own = DatabaseDateComponents(DateComponents(year: 2020, month: 2, day: 3), format: .YMD)
        try expect(own.databaseValue == "2020-02-03".databaseValue)
    }
    try snippet("StatementArguments") {
        var arguments: StatementArguments = ["a": 1]
        arguments += ["b": 2]
        try expect(try Int.fetchOne(db, sql: "SELECT :a + :b", arguments: arguments) == 3)
        _ = arguments.append(contentsOf: [3])
        try expect(
            StatementArguments([1, "a"]).description == "[1, \"a\"]" && StatementArguments().isEmpty
        )
        try expect(
            StatementArguments([1, "x"] as [Any])?.isEmpty == false
                && StatementArguments([AnyHashable("a"): 1]) != nil)
        try expect(
            ([1] as StatementArguments) &+ [2] == [1, 2]
                && databaseQuestionMarks(count: 3) == "?,?,?")
    }
}

func valueSnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("statements") {
        let statement = try db.makeStatement(sql: "INSERT INTO note(text) VALUES (:t)")
        try statement.execute(arguments: ["t": "one"])
        try statement.execute(arguments: ["two"])
        try expect(
            !statement.isReadonly && statement.columnNames.isEmpty && db.lastInsertedRowID == 2)
        let literal = try db.makeStatement(literal: "SELECT \(1), \("a")")
        try expect(
            try Row.fetchOne(literal)?.count == 2 && literal.isReadonly && literal.columnCount == 2)
        try expect(literal.databaseRegion.isEmpty && literal.index(ofColumn: "x") == nil)
        let cached = try db.cachedStatement(literal: "SELECT * FROM note WHERE id > \(0)")
        try expect(
            try Row.fetchCursor(cached).next()?["text"] == "one"
                && cached.databaseRegion.description == "note(id,text)")
        try db.execute(literal: "DELETE FROM note WHERE id > \(0)")
        try expect(db.changesCount == 2 && db.totalChangesCount > 2)
    }
    try snippet("scripts and allStatements") {
        try db.execute(
            sql: "INSERT INTO note(text) VALUES (?); DELETE FROM note WHERE text = ?",
            arguments: ["a", "a"])
        let statements = try db.allStatements(sql: "SELECT 1; SELECT ?; ", arguments: [2])
        var sum = 0
        while let statement = try statements.next() { sum += try Int.fetchOne(statement) ?? 0 }
        try expect(sum == 3)
        let literals = try db.allStatements(literal: "SELECT \(3); SELECT \(4)")
        try expect(try literals.map { try Int.fetchOne($0)! }.reduce(0, +) == 7)
    }
}

func valueSnippets4(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("row adapters") {
        let sql = "SELECT 1 AS a, 2 AS b, 3 AS c"
        let adapter = ScopeAdapter([
            "left": RangeRowAdapter(0..<1), "right": SuffixRowAdapter(fromIndex: 1),
            "map": ColumnMapping(["x": "c"]), "none": EmptyRowAdapter(),
            "renamed": RenameColumnAdapter { "my_" + $0 },
        ])
        let row = try Row.fetchOne(db, sql: sql, adapter: adapter)!
        try expect(
            row.scopes["left"] == ["a": 1] && row.scopes["map"] == ["x": 3]
                && row.scopes["right"]?.count == 2)
        try expect(
            row.scopes["renamed"]?["my_a"] == 1 && row.unscoped == ["a": 1, "b": 2, "c": 3]
                && row.unadapted.count == 3)
        try expect(
            Set(row.scopes.names) == ["left", "right", "map", "none", "renamed"]
                && row.scopes.count == 5)
        let added = SuffixRowAdapter(fromIndex: 1).addingScopes(["first": RangeRowAdapter(0...0)])
        try expect(try Row.fetchOne(db, sql: sql, adapter: added)?.scopes["first"] == ["a": 1])
        let split = splittingRowAdapters(columnCounts: [1, 2])
        try expect(
            try Row.fetchOne(db, sql: sql, adapter: ScopeAdapter(["r": split[1]]))?.scopes["r"] == [
                "b": 2, "c": 3,
            ])
        try expect(try Int.fetchOne(db, sql: sql, adapter: SuffixRowAdapter(fromIndex: 2)) == 3)
    }
}

func valueSnippets5(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("DatabaseError") {
        do {
            try db.execute(
                sql: "INSERT INTO author(id, name) VALUES (?, ?)", arguments: [9, "Homer"])
            try expect(false)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            try expect(
                error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE
                    && error.message?.contains("author.name") == true)
            try expect(error.sql != nil && error.arguments == nil || error.arguments != nil)
            try expect(
                !error.isInterruptionError && error.description.contains("19")
                    && !error.expandedDescription.isEmpty)
        }
        do {
            try db.execute(sql: "INSERT INTO book(authorId, title) VALUES (99, 'x')")
        } catch DatabaseError.SQLITE_CONSTRAINT_FOREIGNKEY {
        } catch DatabaseError.SQLITE_CONSTRAINT {
            try expect(false)
        }
        let own = DatabaseError(
            resultCode: .SQLITE_ABORT, message: "no", sql: "SELECT ?", arguments: [1])
        try expect(
            ResultCode.SQLITE_ABORT ~= own.extendedResultCode && own.errorCode == 4
                && own.localizedDescription.contains("no"))
        try expect(
            ResultCode(rawValue: 2067).primaryResultCode == .SQLITE_CONSTRAINT
                && db.lastErrorMessage != nil && db.lastErrorCode.rawValue >= 0)
    }
    try snippet("RowDecodingError") {
        do {
            _ = try Suit.fetchOne(db, sql: "SELECT 'a'")
            try expect(false)
        } catch let error as RowDecodingError {
            try expect(error.description.contains("could not decode"))
        }
    }
    try snippet("Codable values") {
        struct Point: Codable, DatabaseValueConvertible, Equatable { var x = 1, y = 2 }
        let text = try String.fetchOne(db, sql: "SELECT ?", arguments: [Point()])!
        try expect(text.contains("\"x\":1"))
        try expect(try Point.fetchOne(db, sql: "SELECT ?", arguments: [text]) == Point())
    }
    try snippet("FetchableRecordDecoder and Row as keys of Codable types") {
        struct Plain: Decodable, FetchableRecord { var id: Int; var title: String }
        let row: Row = ["id": 1, "title": "a", "more": 2]
        try expect(
            try FetchableRecordDecoder().decode(Plain.self, from: row).title == "a"
                && Plain(row: row).id == 1)
    }
}

func valueSnippets6(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("dumps") {
        struct Lines: TextOutputStream {
            var text = ""; mutating func write(_ string: String) { text += string }
        }
        final class Output: TextOutputStream {
            var text = ""; func write(_ string: String) { text += string }
        }
        let output = Output()
        try db.dumpSQL("SELECT 1 AS a", format: .list(header: true), to: output)
        try db.dumpRequest(Setting.all(), format: .json(), to: output)
        try db.dumpTables(
            ["setting"], format: .line(), tableHeader: .always, stableOrder: true, to: output)
        try db.dumpRequest(Setting.select(Column("key")), format: .quote(), to: output)
        try db.dumpRequest(Setting.select(Column("key")), format: .debug(header: true), to: output)
        try db.dumpSchema(to: output)
        try db.dumpContent(format: .list(separator: "|", nullValue: "-"), to: output)
        try expect(output.text.contains("a\n1\n") && output.text.contains("CREATE TABLE"))
    }
}
