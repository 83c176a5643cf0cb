import CSQLCipher
import Strongroom
import StrongroomTestSupport
import Testing

/// What the cache spares must not show: the same SQL, another, and the same again.
@Suite struct StatementCacheTests {
    @Test(arguments: [1, 2, 3, 100])
    func `Statements give their own rows however few of them are kept`(capacity: Int) throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open { $0.statementCacheCapacity = capacity }
        try queue.read { db throws in
            for number in [1, 1, 2, 1, 2, 3, 3, 4, 1, 4, 5, 1, 1, 5, 2] {
                let sql = "SELECT \(number), ?"
                let row = try Row.fetchOne(db, sql: sql, arguments: [-number])
                #expect(row == ["\(number)": number, "?": -number])
            }
        }
        try queue.close()
    }

    @Test
    func `The same SQL runs twice at once, and once more inside`() throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        try queue.read { db throws in
            let sql = "SELECT ? UNION ALL SELECT 2"
            for _ in 1...2 {
                let outer = try Int.fetchCursor(db, sql: sql, arguments: [1])
                var pairs: [[Int]] = []
                while let left = try outer.next() {
                    let inner = try Int.fetchCursor(db, sql: sql, arguments: [left * 10])
                    while let right = try inner.next() {
                        let third = try Int.fetchOne(db, sql: sql, arguments: [0])
                        pairs.append([left, right, third ?? -1])
                    }
                }
                #expect(pairs == [[1, 10, 0], [1, 2, 0], [2, 20, 0], [2, 2, 0]])
            }
        }
    }

    @Test
    func `Arguments that are not set again are NULL`() throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        try queue.read { db throws in
            let statement = try db.makeStatement(sql: "SELECT ? AS a, ? AS b")
            statement.setUncheckedArguments([1, 2])
            #expect(try Row.fetchOne(statement) == ["a": 1, "b": 2])
            statement.setUncheckedArguments([3])
            #expect(try Row.fetchOne(statement) == ["a": 3, "b": nil])
            #expect(throws: DatabaseError.self) { try statement.setArguments([4]) }
            #expect(try Row.fetchOne(statement) == ["a": 3, "b": nil])
        }
    }

    /// What SQLite itself says that the statements of the connection take.
    private func statementByteCount(_ db: Database) -> Int {
        var current: CInt = 0
        var highest: CInt = 0
        sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_STMT_USED, &current, &highest, 0)
        return Int(current)
    }

    @Test
    func `Large statements are not kept until there are many of them`() throws {
        let fixture = try FixtureDatabase()
        try fixture.open().read { db throws in
            func sql(_ number: Int, _ byteCount: Int) -> String {
                "SELECT \(number), '" + String(repeating: "x", count: byteCount) + "'"
            }
            for number in 0..<60 {
                _ = try Row.fetchOne(db, sql: sql(number, 500_000))
                _ = try db.cachedStatement(sql: sql(-number, 500_000))
            }
            #expect(statementByteCount(db) < 17_000_000)
            // It is there where the next use asks for it, however large.
            let large = try db.cachedStatement(sql: sql(1, 9_000_000))
            #expect(try db.cachedStatement(sql: sql(1, 9_000_000)) === large)
            // Small ones are kept by their number.
            for number in 0..<64 { _ = try db.cachedStatement(sql: sql(number, 10)) }
            let kept = try (0..<64).map { try db.cachedStatement(sql: sql($0, 10)) }
            for number in 0..<64 {
                #expect(try db.cachedStatement(sql: sql(number, 10)) === kept[number])
            }
        }
    }
}
