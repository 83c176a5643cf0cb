import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct StatementCursorTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
    }

    @Test(.proves("STM-005"))
    func `Statements are compiled one at a time`() throws {
        try queue.inDatabase { db throws in
            let sql = """
                CREATE TABLE t(a); -- first
                INSERT INTO t VALUES (?); INSERT INTO t VALUES (?), (:b);
                SELECT a FROM t
                """
            let statements = try db.allStatements(sql: sql, arguments: [1, 2] + ["b": 3])
            var texts: [String] = []
            while let statement = try statements.next() {
                texts.append(statement.sql)
                try statement.execute()
            }
            #expect(texts.count == 4 && texts[3] == "SELECT a FROM t")
            #expect(try statements.next() == nil)
            #expect(try Int.fetchAll(db, sql: "SELECT a FROM t") == [1, 2, 3])

            _ = #expect(throws: DatabaseError.self) {
                try Array(db.allStatements(sql: "CREATE TABLE u(a); INSERT INTO u VALUES (1)"))
            }
            let both = try Array(db.allStatements(literal: "SELECT \(1); SELECT \("x"), \(2)"))
            #expect(both.map(\.arguments) == [[1], ["x", 2]])
        }
    }

    @Test(.proves("STM-006"))
    func `The results of several queries are chained`() throws {
        try queue.inDatabase { db throws in
            let statements = try db.allStatements(
                literal: """
                    SELECT 1 UNION ALL SELECT \(2);
                    SELECT 3 WHERE 0;
                    SELECT \(4)
                    """)
            let values = statements.flatMap { try Int.fetchCursor($0) }
            #expect(try Array(values) == [1, 2, 4])
        }
    }

    static let wrongArguments: [(String, StatementArguments, valid: Int)] = [
        ("SELECT ?; SELECT ?", [1], 1),
        ("SELECT ?; SELECT 2", [1, 2], 1),
        ("SELECT :a; SELECT :b", ["a": 1], 1),
        ("-- nothing", [1], 0),
    ]

    @Test(.proves("STM-005"), arguments: wrongArguments)
    func `Wrong arguments show at the statement that they are wrong for`(
        sql: String, arguments: StatementArguments, valid: Int
    ) throws {
        try queue.inDatabase { db throws in
            let statements = try db.allStatements(sql: sql, arguments: arguments)
            for _ in 0..<valid { _ = try #require(try statements.next()) }
            let error = #expect(throws: DatabaseError.self) { try statements.next() }
            #expect(error?.resultCode == .SQLITE_MISUSE)
        }
    }

    @Test func `Without arguments, statements wait for theirs`() throws {
        try queue.inDatabase { db throws in
            let statements = try db.allStatements(sql: "SELECT ?; SELECT ?")
            let values = try Array(statements).map { statement in
                try Int.fetchOne(statement, arguments: [7])
            }
            #expect(values == [7, 7])
            #expect(try db.allStatements(sql: " ; -- nothing").next() == nil)
        }
    }

    @Test(.proves("STM-003"))
    func `A statement is exactly one`() throws {
        try queue.inDatabase { db throws in
            #expect(try Int.fetchOne(db.makeStatement(sql: "SELECT 1; -- the end")) == 1)
            #expect(try Int.fetchOne(db.makeStatement(literal: "SELECT \(2) /* two */;")) == 2)
            for literal: SQL in ["SELECT 1; SELECT 2", "SELECT \(1); SELECT 2"] {
                let several = #expect(throws: DatabaseError.self) {
                    try db.makeStatement(literal: literal)
                }
                #expect(several?.resultCode == .SQLITE_MISUSE)
            }
            let none = #expect(throws: DatabaseError.self) { try db.makeStatement(literal: " -- ") }
            #expect(none?.resultCode == .SQLITE_ERROR && none?.message == "empty statement")
        }
    }

    @Test(.proves("STM-004"))
    func `A cached statement is the same object, a failed one leaves the cache`() throws {
        try queue.inDatabase { db throws in
            try db.execute(sql: "CREATE TABLE t(a UNIQUE)")
            let sql = "INSERT INTO t VALUES (?)"
            let statement = try db.cachedStatement(sql: sql)
            #expect(try db.cachedStatement(sql: sql) === statement)
            #expect(try db.cachedStatement(literal: "INSERT INTO t VALUES (\(1))") === statement)
            #expect(statement.arguments == [1])
            try statement.execute()
            _ = #expect(throws: DatabaseError.self) { try statement.execute() }
            #expect(try db.cachedStatement(sql: sql) !== statement)
        }
    }

    @Test(.proves("STM-015"))
    func `What a write returns is fetched like a query's rows`() throws {
        try queue.write { db throws in
            try db.execute(sql: "CREATE TABLE t(id INTEGER PRIMARY KEY, a)")
            let sql = "INSERT INTO t(a) VALUES (?) RETURNING id, a"
            #expect(try Row.fetchAll(db, sql: sql, arguments: ["x"]) == [["id": 1, "a": "x"]])
            #expect(try Int.fetchOne(db, sql: sql, arguments: ["y"]) == 2)
            let statement = try db.makeStatement(sql: "DELETE FROM t RETURNING a")
            #expect(try String.fetchAll(statement) == ["x", "y"])
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t") == 0)
        }
    }

    @Test(.proves("STM-016"))
    func `A cursor starts its statement, and lets go of it`() throws {
        try queue.inDatabase { db throws in
            let statement = try db.makeStatement(sql: "SELECT 1 UNION ALL SELECT 2")
            let first = try Int.fetchCursor(statement)
            #expect(try first.next() == 1)
            do {
                let second = try Int.fetchCursor(statement)
                #expect(try second.next() == 1)
            }
            // A statement that is not reset keeps a table from being dropped.
            try db.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)")
            do {
                let cursor = try Int.fetchCursor(db, sql: "SELECT a FROM t")
                #expect(try cursor.next() == 1)
                _ = #expect(throws: DatabaseError.self) { try db.execute(sql: "DROP TABLE t") }
                withExtendedLifetime(cursor) {}
            }
            try db.execute(sql: "DROP TABLE t")
        }
    }

    @Test func `SQL with a NUL is refused, whatever made it`() throws {
        try queue.inDatabase { db throws in
            let name = "t\0\"); DROP TABLE u"
            for sql in [
                "SELECT 1\0; SELECT 2", "\0", "CREATE TABLE \(name.quotedDatabaseIdentifier)(a)",
            ] {
                let error = #expect(throws: DatabaseError.self) { try db.execute(sql: sql) }
                #expect(error?.resultCode == .SQLITE_MISUSE)
                #expect(error?.message?.contains("NUL") == true)
            }
            #expect(try String.fetchOne(db, sql: "SELECT ?", arguments: ["a\0b"]) == "a\0b")
        }
    }
}
