import CSQLCipher
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct StatementTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a, b)") }
    }

    @Test(.proves("STM-001"))
    func `Several statements share named arguments and consume positional ones`() throws {
        try queue.write { db throws in
            try db.execute(
                sql: """
                    -- a comment
                    INSERT INTO t VALUES (?, ?); INSERT INTO t VALUES (?, 'x'); ;
                    /* and another */
                    """, arguments: [1, 2, 3])
            try db.execute(
                sql: "INSERT INTO t VALUES (:a, :a); INSERT INTO t VALUES (@a, $b)",
                arguments: ["a": 4, "b": 5])
            try db.execute(sql: "")
            try db.execute(sql: " -- nothing \n ; ")
            let rows = try Row.fetchAll(db, sql: "SELECT * FROM t ORDER BY rowid")
            #expect(
                rows == [
                    ["a": 1, "b": 2], ["a": 3, "b": "x"], ["a": 4, "b": 4], ["a": 4, "b": 5],
                ])
        }
    }

    static let wrongArguments: [(String, StatementArguments, Int)] = [
        ("INSERT INTO t VALUES (?, ?)", [1], 0),
        ("INSERT INTO t VALUES (?, ?)", [1, 2, 3], 0),
        ("INSERT INTO t VALUES (:a, :b)", ["a": 1], 0),
        ("INSERT INTO t VALUES (1, 1); INSERT INTO t VALUES (?, ?)", [1, 2, 3], 1),
        ("INSERT INTO t VALUES (1, 1); INSERT INTO t VALUES (?, ?)", [1], 1),
        ("", [1], 0),
    ]

    @Test(.proves("STM-022", "STM-010"), arguments: wrongArguments)
    func `Wrong arguments are refused before the statement runs`(
        sql: String, arguments: StatementArguments, inserted: Int
    ) throws {
        try queue.write { db throws in
            let error = #expect(throws: DatabaseError.self) {
                try db.execute(sql: sql, arguments: arguments)
            }
            #expect(error?.resultCode == .SQLITE_MISUSE)
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == inserted)
        }
    }

    @Test(.proves("STM-007", "STM-008"))
    func `A statement that failed runs again with its new arguments`() throws {
        try queue.inDatabase { db throws in
            try db.execute(sql: "CREATE TABLE u(a UNIQUE); INSERT INTO u VALUES (1)")
            let insert = try db.makeStatement(sql: "INSERT INTO u VALUES (?)")
            #expect(throws: DatabaseError.self) { try insert.execute(arguments: [1]) }
            try insert.execute(arguments: [2])
            #expect(try Int.fetchAll(db, sql: "SELECT a FROM u ORDER BY a") == [1, 2])
        }
    }

    @Test(.proves("STM-009", "STM-011", "STM-013"))
    func `A statement describes itself`() throws {
        try queue.inDatabase { db throws in
            let select = try db.makeStatement(sql: "  SELECT a, b AS B2 FROM t WHERE a = ?1;  ")
            #expect(select.sql == "SELECT a, b AS B2 FROM t WHERE a = ?1")
            #expect(select.columnNames == ["a", "B2"])
            #expect(select.columnCount == 2)
            #expect(select.index(ofColumn: "b2") == 1)
            #expect(select.isReadonly)
            #expect(try !db.makeStatement(sql: "DELETE FROM t").isReadonly)
            select.arguments = [5]
            #expect(select.arguments == [5])
        }
    }

    @Test func `The same SQL runs twice at once`() throws {
        try queue.write { db throws in
            try db.execute(sql: "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)")
            let sql = "SELECT a FROM t ORDER BY a"
            var pairs: [[Int]] = []
            let outer = try Int.fetchCursor(db, sql: sql)
            while let a = try outer.next() {
                let inner = try Int.fetchCursor(db, sql: sql)
                while let b = try inner.next() { pairs.append([a, b]) }
            }
            #expect(pairs.count == 9)
        }
    }

    @Test func `Reused statements follow a changed schema`() throws {
        try queue.inDatabase { db throws in
            let sql = "SELECT * FROM t"
            try db.execute(sql: "INSERT INTO t VALUES (1, 2)")
            #expect(try Row.fetchOne(db, sql: sql) == ["a": 1, "b": 2])
            try db.execute(sql: "ALTER TABLE t ADD COLUMN c DEFAULT 3")
            #expect(try Row.fetchOne(db, sql: sql) == ["a": 1, "b": 2, "c": 3])
        }
    }

    @Test func `Many statements are remembered only so far`() throws {
        try queue.read { db throws in
            for number in 0..<1000 {
                #expect(try Int.fetchOne(db, sql: "SELECT \(number)") == number)
            }
            #expect(try liveStatementCount(db) < 200)
        }
    }
}

/// The statements that SQLite itself counts on a connection.
private func liveStatementCount(_ db: Database) throws -> Int {
    let connection = try #require(db.sqliteConnection)
    var count = 0
    var statement = sqlite3_next_stmt(connection, nil)
    while statement != nil {
        count += 1
        statement = sqlite3_next_stmt(connection, statement)
    }
    return count
}
