import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct AccessTests {
    let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
    }

    @Test
    func `A closed queue says so, and closes again`() throws {
        let queue = try fixture.open()
        try queue.close()
        try queue.close()
        queue.interrupt()
        queue.releaseMemory()
        let accesses: [() throws -> Void] = [
            { try queue.read { try $0.execute(sql: "SELECT 1") } },
            { try queue.write { try $0.execute(sql: "SELECT 1") } },
            { try queue.inDatabase { _ = try $0.makeStatement(sql: "SELECT 1") } },
        ]
        for access in accesses {
            let error = #expect(throws: DatabaseError.self) { try access() }
            #expect(error?.resultCode == .SQLITE_MISUSE)
            #expect(error?.message == "Connection is closed")
        }
    }

    private func outcome(_ sql: String, _ change: (inout Configuration) -> Void) throws
        -> ResultCode?
    {
        var configuration = Configuration()
        change(&configuration)
        do {
            try DatabaseQueue(configuration: configuration).inDatabase { try $0.execute(sql: sql) }
            return nil
        } catch let error as DatabaseError {
            return error.extendedResultCode
        }
    }

    @Test(.proves("CNF-019", "CNF-020"))
    func `Foreign keys are enforced and double-quoted strings refused, unless configured`() throws {
        let orphan = """
            CREATE TABLE p(i INTEGER PRIMARY KEY, q REFERENCES p); INSERT INTO p VALUES (1, 2)
            """
        #expect(try outcome(orphan) { _ in } == .SQLITE_CONSTRAINT_FOREIGNKEY)
        #expect(try outcome(orphan) { $0.foreignKeysEnabled = false } == nil)
        let quoted = "SELECT \"text\"; CREATE TABLE t(a CHECK (a <> \"text\"))"
        #expect(try outcome(quoted) { _ in } == .SQLITE_ERROR)
        #expect(try outcome(quoted) { $0.acceptsDoubleQuotedStringLiterals = true } == nil)
    }

    @Test(.proves("CNF-021", "CNF-022"))
    func `A busy database is an error at once, after a time, or when a function says so`() throws {
        let collected = Collected()
        let modes: [Database.BusyMode] = [
            .immediateError, .timeout(0.05),
            .callback { tries in
                collected.add("\(tries)")
                return tries < 2
            },
        ]
        let queues = try modes.map { mode in try fixture.open { $0.busyMode = mode } }
        let holder = try fixture.open { $0.allowsUnsafeTransactions = true }
        try holder.inDatabase { try $0.beginTransaction(.exclusive) }
        for queue in queues {
            let error = #expect(throws: DatabaseError.self) { try queue.write { _ in } }
            #expect(error?.resultCode == .SQLITE_BUSY)
        }
        #expect(collected.texts == ["0", "1", "2"])
        try holder.inDatabase { try $0.rollback() }
        for queue in queues { try queue.write { _ in } }
    }

    /// `ObservationStressTests` has met the lock that is taken for a moment, once in many hours.
    @Test(.proves("CNF-061"))
    func `The writer of a pool waits for locks of a moment, and no longer`() throws {
        func patience(_ writer: any DatabaseWriter) throws -> Int? {
            try writer.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA busy_timeout") }
        }
        let pool = try fixture.openPool()
        #expect(try patience(pool) == 100)
        #expect(try patience(fixture.openPool { $0.busyMode = .timeout(0.05) }) == 50)
        #expect(try patience(fixture.open()) == 0)
        let other = try fixture.open { $0.allowsUnsafeTransactions = true }
        try other.inDatabase { try $0.beginTransaction(.immediate) }
        let error = #expect(throws: DatabaseError.self) { try pool.write { _ in } }
        #expect(error?.resultCode == .SQLITE_BUSY)
        try other.inDatabase { try $0.rollback() }
        try pool.write { _ in }
    }

    @Test(.proves("CCY-016", "CCY-031"))
    func `Reentrant accesses get the same connection`() throws {
        let queue = try fixture.open()
        queue.inDatabase { db in
            queue.unsafeReentrantWrite { #expect($0 === db) }
            queue.unsafeReentrantRead { #expect($0 === db) }
        }
        queue.writeWithoutTransaction { #expect(!$0.isInsideTransaction) }
    }

    @Test
    func `Accesses of many threads run one at a time`() throws {
        let queue = try fixture.open()
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (0)") }
        DispatchQueue.concurrentPerform(iterations: 200) { _ in
            try? queue.write { db in
                let a = try Int.fetchOne(db, sql: "SELECT a FROM t") ?? -1
                try db.execute(sql: "UPDATE t SET a = ?", arguments: [a + 1])
            }
        }
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 200)
    }

    @Test(.proves("IRQ-003"))
    func `What runs is interrupted from another thread`() throws {
        let queue = try fixture.open()
        let thread = Thread {
            // An interruption ends what runs already: it may come too early, so it comes again.
            while !Thread.current.isCancelled { queue.interrupt() }
        }
        thread.start()
        defer { thread.cancel() }
        let error = #expect(throws: DatabaseError.self) {
            try queue.read {
                try Int.fetchOne(
                    $0,
                    sql: """
                        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n)
                        SELECT COUNT(*) FROM n
                        """)
            }
        }
        #expect(error?.isInterruptionError == true)
    }

    @Test func `Interruptions at any moment leave whole transactions only`() throws {
        let queue = try fixture.open()
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a); CREATE TABLE u(a)") }
        let thread = Thread {
            while !Thread.current.isCancelled { queue.interrupt() }
        }
        thread.start()
        var committed = 0
        for number in 0..<300 {
            do {
                try queue.write { db in
                    try db.inSavepoint {
                        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
                        return .commit
                    }
                    try db.execute(sql: "INSERT INTO u VALUES (?)", arguments: [number])
                }
                committed += 1
            } catch let error as DatabaseError {
                #expect(error.isInterruptionError, "\(error)")
            }
        }
        thread.cancel()
        let counts = try fixture.shell().rows("SELECT COUNT(*) FROM t; SELECT COUNT(*) FROM u")
        #expect(counts == [[.integer(Int64(committed))], [.integer(Int64(committed))]])
    }
}
