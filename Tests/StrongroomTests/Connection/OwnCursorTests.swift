import CSQLCipher
import Strongroom
import StrongroomTestSupport
import Testing

/// Cursors as libraries define them: they prepare a statement, bind values by the C functions, and
/// have the protocol step.
@Suite struct OwnCursorTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    class ValueCursor<Element>: DatabaseCursor {
        var _isDone = false
        let _statement: Statement

        init(_ db: Database, _ sql: String, _ values: [Int64] = []) throws {
            _statement = try db.makeStatement(sql: sql)
            for (index, value) in values.enumerated() {
                let code = sqlite3_bind_int64(
                    _statement.sqliteStatement, CInt(index + 1), value)
                guard code == SQLITE_OK else { throw DatabaseError(resultCode: .SQLITE_ERROR) }
            }
        }

        deinit {
            sqlite3_reset(_statement.sqliteStatement)
        }

        func _element(sqliteStatement: SQLiteStatement) throws -> Element {
            fatalError("it is overridden")
        }
    }

    final class NumberCursor: ValueCursor<Int64> {
        struct Odd: Error {}
        var refusesOdd = false
        var onElement: (Int64) throws -> Void = { _ in }

        override func _element(sqliteStatement: SQLiteStatement) throws -> Int64 {
            let number = sqlite3_column_int64(sqliteStatement, 0)
            if refusesOdd, number % 2 == 1 { throw Odd() }
            try onElement(number)
            return number
        }
    }

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER UNIQUE);
                    INSERT INTO t(a) VALUES (10), (20), (30), (31)
                    """)
        }
    }

    private static let insertion = "INSERT INTO t(a) VALUES (?), (?) RETURNING a"

    @Test(.proves("CMP-75"))
    func `A cursor of another module has what ours have`() throws {
        try queue.read { db throws in
            let sql = "SELECT a, id FROM t WHERE a > ?"
            let cursor = try NumberCursor(db, sql + ";", [10])
            #expect(try cursor.next() == 20)
            #expect(try cursor.next() == 30)
            #expect(try cursor.next() == 31)
            #expect(try cursor.next() == nil && cursor._isDone)
            #expect(try cursor.next() == nil)
            #expect(cursor.sql == sql && cursor.arguments.isEmpty)
            #expect(cursor.columnNames == ["a", "id"] && cursor.columnCount == 2)
            #expect(cursor.databaseRegion.description == "t(a,id)")
            var numbers: [Int64] = []
            try NumberCursor(db, sql, [20]).forEach { numbers.append($0) }
            #expect(numbers == [30, 31])
            #expect(try Array(NumberCursor(db, sql, [20])) == [30, 31])
            #expect(try Array(NumberCursor(db, sql, [0]).map { $0 / 10 }.prefix(2)) == [1, 2])
            let any: any DatabaseCursor<Int64> = try NumberCursor(db, sql, [30])
            #expect(try any.next() == 31)
        }
    }

    @Test(.proves("CMP-75"))
    func `Our cursors have the members of the protocol, too`() throws {
        try queue.read { db throws in
            func second<C: DatabaseCursor>(_ cursor: C) throws -> C.Element? {
                guard try cursor.next() != nil, try cursor.next() != nil else { return nil }
                return try cursor._element(sqliteStatement: cursor._statement.sqliteStatement)
            }
            let sql = "SELECT a FROM t ORDER BY a"
            #expect(try second(Int.fetchCursor(db, sql: sql)) == 20)
            #expect(try second(Row.fetchCursor(db, sql: sql)) == ["a": 20])
            let cursor = try Int.fetchCursor(db, sql: sql)
            #expect(!cursor._isDone && cursor._statement.sql == sql)
            cursor._isDone = true
            #expect(try cursor.next() == nil)
        }
    }

    @Test(.proves("CMP-75"))
    func `Observers are told what its statement writes`() throws {
        let recorder = Recorder()
        queue.add(transactionObserver: recorder)
        let values = Collected()
        let observation = DatabaseRegionObservation(tracking: Table("t"))
        let cancellable = observation.start(in: queue) { _ in
        } onChange: { _ in
            values.add("t")
        }
        defer { cancellable.cancel() }
        try queue.write { db throws in
            #expect(try Array(NumberCursor(db, Self.insertion, [1, 2])) == [1, 2])
        }
        let both = ["insert main.t 5", "insert main.t 6", "will commit", "commit"]
        #expect(recorder.take() == both)
        #expect(values.texts == ["t"])
        try queue.writeWithoutTransaction { db throws in
            let cursor = try NumberCursor(db, "DELETE FROM t WHERE a < ? RETURNING a", [3])
            #expect(try Array(cursor) == [1, 2])
        }
        #expect(recorder.take().suffix(2) == ["will commit", "commit"])
        #expect(values.texts == ["t", "t"])
    }

    @Test(.proves("CMP-75"))
    func `A commit is told, too, when the cursor goes before its last row`() throws {
        let recorder = Recorder()
        queue.add(transactionObserver: recorder)
        let values = Collected()
        let observation = DatabaseRegionObservation(tracking: Table("t"))
        let cancellable = observation.start(in: queue) { _ in
        } onChange: { _ in
            values.add("t")
        }
        defer { cancellable.cancel() }
        try queue.writeWithoutTransaction { db throws in
            #expect(try NumberCursor(db, Self.insertion, [1, 2]).next() == 1)
        }
        #expect(recorder.take().suffix(2) == ["will commit", "commit"])
        #expect(values.texts == ["t"])
        try queue.writeWithoutTransaction { db throws in
            try db.beginTransaction()
            #expect(try NumberCursor(db, Self.insertion, [3, 4]).next() == 3)
            try db.rollback()
        }
        #expect(recorder.take().last == "rollback")
        try queue.write { db throws in
            #expect(try NumberCursor(db, Self.insertion, [5, 6]).next() == 5)
        }
        #expect(recorder.take().suffix(2) == ["will commit", "commit"])
        #expect(values.texts == ["t", "t"])
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM t") } == 8)
    }

    @Test(.proves("CMP-75"))
    func `An error has the statement and its arguments, and stays`() throws {
        try queue.write { db throws in
            let cursor = try NumberCursor(db, "INSERT INTO t(a) VALUES (?) RETURNING a")
            try cursor._statement.setArguments([10])
            for _ in 1...2 {
                let error = #expect(throws: DatabaseError.self) { try cursor.next() }
                #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
                #expect(error?.sql == "INSERT INTO t(a) VALUES (?) RETURNING a")
                #expect(error?.expandedDescription.contains("[10]") == true)
            }
            let other = try NumberCursor(db, "SELECT a FROM t ORDER BY a")
            other.refusesOdd = true
            #expect(try [other.next(), other.next(), other.next()] == [10, 20, 30])
            #expect(throws: NumberCursor.Odd.self) { try other.next() }
            #expect(try other.next() == nil)
        }
    }

    @Test(.proves("CMP-75"))
    func `A statement can be used by one cursor after the other`() throws {
        final class Numbers: DatabaseCursor {
            var _isDone = false
            let _statement: Statement
            init(_ statement: Statement) { _statement = statement }
            deinit { sqlite3_reset(_statement.sqliteStatement) }
            func _element(sqliteStatement: SQLiteStatement) throws -> Int64 {
                sqlite3_column_int64(sqliteStatement, 0)
            }
        }
        for _ in 1...2 {
            try queue.write { db throws in
                let statement = try db.cachedStatement(sql: "SELECT a FROM t ORDER BY a")
                #expect(try Numbers(statement).next() == 10)
                #expect(try Array(Numbers(statement).prefix(4)) == [10, 20, 30, 31])
                let insertion = try db.cachedStatement(
                    sql: "INSERT OR IGNORE INTO t(a) VALUES (?) RETURNING a")
                sqlite3_bind_int64(insertion.sqliteStatement, 1, 40)
                _ = try Numbers(insertion).next()
                sqlite3_bind_int64(insertion.sqliteStatement, 1, 41)
                _ = try Numbers(insertion).next()
            }
        }
        let all = try queue.read { try Int.fetchAll($0, sql: "SELECT a FROM t ORDER BY a") }
        #expect(all == [10, 20, 30, 31, 40, 41])
    }

    @Test(.proves("CMP-75"))
    func `An element may use the database`() throws {
        try queue.write { db throws in
            let cursor = try NumberCursor(db, "SELECT a FROM t ORDER BY a")
            var inner: [Int64] = []
            cursor.onElement = { number in
                try db.execute(sql: "INSERT INTO t(a) VALUES (?)", arguments: [-number])
                inner += try Array(NumberCursor(db, "SELECT a FROM t WHERE a = ?", [-number]))
            }
            #expect(try Array(cursor.prefix(2)) == [10, 20])
            #expect(inner == [-10, -20])
        }
    }

    @Test(.proves("CMP-75"))
    func `The cancellation of a task ends it`() async throws {
        let started = AsyncStream.makeStream(of: Void.self)
        let task = Task { [queue] in
            try await queue.read { db in
                let cursor = try NumberCursor(
                    db,
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                    SELECT i FROM n
                    """)
                cursor.onElement = { if $0 == 5 { started.continuation.yield() } }
                while try cursor.next() != nil {}
            }
        }
        for await _ in started.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(.proves("CMP-75"))
    func `It is not used after its access`() async {
        for begun in [false, true] {
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) { [begun = begun as Bool] in
                let queue = try DatabaseQueue()
                let cursor = try queue.inDatabase { db throws in
                    let cursor = try NumberCursor(db, "VALUES (1), (2)")
                    if begun { #expect(try cursor.next() == 1) }
                    return cursor
                }
                _ = try queue.inDatabase { _ throws in try cursor.next() }
            }
            let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(output.contains("A cursor was used after the database access that made it."))
        }
    }
}
