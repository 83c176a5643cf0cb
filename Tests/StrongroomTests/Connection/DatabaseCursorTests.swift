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
                sql:
                    "WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n LIMIT 500) INSERT INTO t SELECT i FROM n"
            )
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
