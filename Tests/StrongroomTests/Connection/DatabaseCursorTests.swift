import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct DatabaseCursorTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db throws in
            try db.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (2)")
        }
    }

    private static let sql = "SELECT a FROM t ORDER BY rowid"

    @Test func `Four verbs fetch rows and values`() throws {
        try queue.read { db throws in
            let cursor: RowCursor = try Row.fetchCursor(db, sql: Self.sql)
            #expect(try cursor.map { $0[0] as Int }.reduce(0, +) == 5)
            #expect(try Row.fetchAll(db, sql: Self.sql) == [["a": 1], ["a": 2], ["a": 2]])
            #expect(try Row.fetchSet(db, sql: Self.sql) == [["a": 1], ["a": 2]])
            #expect(try Row.fetchOne(db, sql: Self.sql) == ["a": 1])
            let fast: FastDatabaseValueCursor<Int> = try Int.fetchCursor(db, sql: Self.sql)
            #expect(try Array(fast) == [1, 2, 2])
            let slow: DatabaseValueCursor<URL> = try URL.fetchCursor(db, sql: "SELECT 'a:b'")
            #expect(try slow.next()?.scheme == "a")
            #expect(try Int.fetchSet(db, sql: Self.sql) == [1, 2])
        }
    }

    @Test(.proves("ROW-036"))
    func `Changing the rows that a cursor visits harms no row that it gave`() throws {
        try queue.write { db throws in
            try db.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n LIMIT 500)
                    INSERT INTO t SELECT i FROM n
                    """)
            var kept: [Row] = []
            let cursor = try Row.fetchCursor(db, sql: "SELECT a, 'text' || a AS t FROM t")
            while kept.count < 2000, let row = try cursor.next() {
                kept.append(row)
                let a: Int = row[0]
                try db.execute(sql: "DELETE FROM t WHERE a > ? AND a % 3 = 0", arguments: [a])
                try db.execute(sql: "UPDATE t SET a = a + 1000 WHERE a = ?", arguments: [a])
            }
            #expect(kept.count >= 3)
            #expect(kept.allSatisfy { $0["t"] as String == "text\($0["a"] as Int)" })
        }
    }

    @Test(.proves("ROW-002"))
    func `Rows come from SQL, from a statement and from a request`() throws {
        try queue.read { db throws in
            let sql = "SELECT a FROM t WHERE a >= ? ORDER BY a"
            let statement = try db.makeStatement(sql: sql)
            let request = SQLRequest<Int>(sql: sql, arguments: [2])
            let all: [Row] = [["a": 2], ["a": 2]]
            #expect(try Row.fetchAll(db, sql: sql, arguments: [2]) == all)
            #expect(try Row.fetchAll(statement, arguments: [2]) == all)
            #expect(try Row.fetchAll(db, request) == all)
            #expect(try Row.fetchSet(db, sql: sql, arguments: [2]) == [["a": 2]])
            #expect(try Row.fetchSet(statement, arguments: [2]) == [["a": 2]])
            #expect(try Row.fetchSet(db, request) == [["a": 2]])
            #expect(try Row.fetchOne(db, sql: sql, arguments: [1]) == ["a": 1])
            #expect(try Row.fetchOne(statement, arguments: [1]) == ["a": 1])
            #expect(try Row.fetchOne(db, request) == ["a": 2])
            #expect(try Row.fetchOne(db, sql: sql, arguments: [9]) == nil)
            #expect(try Array(Row.fetchCursor(db, sql: sql, arguments: [2])) == all)
            #expect(try Array(Row.fetchCursor(statement, arguments: [2])) == all)
            #expect(try Array(Row.fetchCursor(db, request)) == all)
        }
    }

    @Test(.proves("ROW-035"))
    func `A cursor that escapes from its access is not used again`() async {
        for runsBefore in [false, true] {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) { [runsBefore = runsBefore as Bool] in
                let queue = try DatabaseQueue()
                let cursor = try queue.inDatabase { db throws in
                    let cursor = try Int.fetchCursor(db, sql: "VALUES (1), (2)")
                    if runsBefore { #expect(try cursor.next() == 1) }
                    return cursor
                }
                _ = try queue.inDatabase { _ throws in try cursor.next() }
            }
            let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(output.contains("A cursor was used after the database access that made it."))
        }
    }

    @Test(.proves("ROW-039"))
    func `An adapter may be sent anywhere`() async throws {
        let adapter: any RowAdapter = ScopeAdapter(["s": RenameColumnAdapter { $0 + $0 }])
        let queue = queue
        let row = try await Task.detached {
            try queue.read { db throws in
                try Row.fetchOne(db, sql: Self.sql, adapter: adapter)?.scopes["s"]?.description
            }
        }.value
        #expect(row == "[aa:1]")
    }

    @Test func `A cursor that goes early frees its statement`() throws {
        try queue.inDatabase { db throws in
            do {
                let cursor = try Row.fetchCursor(db, sql: Self.sql).map { $0[0] as Int }.dropFirst()
                #expect(try cursor.next() == 2)
            }
            try db.execute(sql: "DROP TABLE t")
        }
    }

    @Test(.proves("ROW-053"))
    func `Text comes in full through every fetch`() throws {
        let text = "a\0b\0\0é"
        let other = "\0"
        try queue.read { db throws in
            let sql = "SELECT ? AS x, ? AS y"
            let arguments: StatementArguments = [other, text]
            let last = SuffixRowAdapter(fromIndex: 1)
            let statement = try db.makeStatement(sql: sql)
            statement.arguments = arguments
            #expect(try String.fetchOne(db, sql: sql, arguments: arguments) == other)
            #expect(try String.fetchAll(statement, adapter: last) == [text])
            #expect(try String.fetchSet(statement, adapter: last) == [text])
            #expect(try String.fetchCursor(statement, adapter: last).next() == text)
            #expect(try String?.fetchAll(statement, adapter: last) == [text])
            #expect(try DatabaseValue.fetchAll(statement, adapter: last) == [text.databaseValue])
            #expect(try Data.fetchOne(statement, adapter: last) == Data(text.utf8))
            let rows = try Row.fetchCursor(statement)
            let row = try #require(try rows.next())
            func check(_ row: Row) throws {
                #expect(row["x"] as String == other && row["y"] as String == text)
                #expect(
                    row["y"] as? String == text && row["y"] as DatabaseValue == text.databaseValue)
                #expect(try row.decode(String.self, forColumn: "y") == text)
                #expect(try row.withUnsafeData(named: "y") { $0 } == Data(text.utf8))
                #expect(row.coalesce(["z", "y"]) as String? == text)
                #expect(row[row.startIndex.advanced(by: 1)].1 == text.databaseValue)
            }
            try check(row)
            #expect(try rows.next() == nil)
            try check(row)
        }
    }
}
