import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Debian's SQLCipher has no snapshots, others have: each test says what holds with either.
@Suite struct SnapshotPoolTests {
    let fixture: FixtureDatabase
    let pool: DatabasePool

    init() throws {
        fixture = try FixtureDatabase()
        pool = try fixture.openPool()
        try pool.write {
            try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)")
        }
    }

    private func count(_ db: Database) throws -> Int? {
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM t")
    }

    private func insert() throws {
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    }

    @Test(.proves("CNF-053", "CNF-054", "CMP-84"))
    func `Each way makes a snapshot, whatever SQLCipher was built with`() throws {
        let configuration = FixtureDatabase.configuration()
        let path = fixture.path
        let snapshots = [
            try pool.makeSnapshotPool(),
            try pool.read { try DatabaseSnapshotPool($0) },
            try pool.unsafeRead { try DatabaseSnapshotPool($0) },
            try pool.writeWithoutTransaction { try DatabaseSnapshotPool($0) },
            try fixture.open().inDatabase {
                try DatabaseSnapshotPool($0, configuration: configuration)
            },
            try DatabaseSnapshotPool(path: path, configuration: configuration),
        ]
        try insert()
        for snapshot in snapshots {
            #expect(snapshot.path == path)
            #expect(try snapshot.read { try count($0) } == 1)
        }
        #expect(try pool.read { try count($0) } == 2)
    }

    @Test(.proves("CNF-052"))
    func `Reads of a snapshot run at the same time and see one state, whatever is written`()
        throws
    {
        let configuration = FixtureDatabase.configuration { $0.maximumReaderCount = 3 }
        let snapshot = try DatabaseSnapshotPool(path: fixture.path, configuration: configuration)
        let meeting = Meeting(of: 3)
        for round in 0..<5 {
            try insert()
            if round == 2 {
                try pool.write { try $0.execute(sql: "CREATE TABLE u(a); DELETE FROM t") }
                try pool.vacuum()
            }
            _ = try pool.writeWithoutTransaction { try $0.checkpoint(.passive) }
            let counts = Collected()
            inThreads(3) {
                let count = try? snapshot.read { db in
                    // All three are here before one goes on.
                    meeting.wait()
                    return try Int.fetchOne(
                        db, sql: "SELECT COUNT(*) + (SELECT COUNT(*) FROM sqlite_master) FROM t")
                }
                counts.add(count.map(String.init) ?? "nothing")
            }
            #expect(counts.texts == ["2", "2", "2"])
        }
    }

    @Test func `Sixteen readers wait for the connections of a snapshot, in tasks too`()
        async throws
    {
        let snapshot = try pool.makeSnapshotPool()
        try await pool.write { try $0.execute(sql: "DELETE FROM t") }
        let counts = try await withThrowingTaskGroup { group in
            for number in 0..<16 {
                group.addTask {
                    if number.isMultiple(of: 2) {
                        return try await snapshot.unsafeRead { try self.count($0) }
                    }
                    return try await withCheckedThrowingContinuation { continuation in
                        snapshot.asyncRead { db in
                            continuation.resume(with: Result { try self.count(db.get()) })
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 1, count: 16))
    }

    @Test func `Nothing can be written to a snapshot, and its state cannot be left`() throws {
        let snapshot = try pool.makeSnapshotPool()
        try insert()
        for sql in ["INSERT INTO t VALUES (3)", "CREATE TEMP TABLE u(a)"] {
            let error = #expect(throws: DatabaseError.self) {
                try snapshot.read { try $0.execute(sql: sql) }
            }
            #expect(error?.resultCode == .SQLITE_READONLY)
        }
        if LogSnapshot.isAvailable {
            try expectStateIsFoundAgain(snapshot)
        } else {
            try expectStateIsKept(snapshot)
        }
        let nested = try snapshot.read { db in
            try snapshot.reentrantRead { try $0 === db && count($0) == 1 }
        }
        #expect(nested)
    }

    /// Whoever ends the transaction leaves the next read what it shall see.
    private func expectStateIsFoundAgain(_ snapshot: DatabaseSnapshotPool) throws {
        for sql in ["COMMIT", "ROLLBACK"] {
            try snapshot.read { try $0.execute(sql: sql) }
            #expect(try snapshot.read { try count($0) } == 1)
        }
        // Nothing more starts in that access, which would see another state.
        let end = #expect(throws: DatabaseError.self) {
            try snapshot.read { try $0.execute(sql: "COMMIT; BEGIN; SELECT * FROM t") }
        }
        #expect(end?.resultCode == .SQLITE_ABORT)
        #expect(try snapshot.read { try count($0) } == 1)
    }

    /// Where the state could not be found again, the transaction is not ended.
    private func expectStateIsKept(_ snapshot: DatabaseSnapshotPool) throws {
        for sql in ["COMMIT", "ROLLBACK", "COMMIT; BEGIN; SELECT * FROM t"] {
            let end = #expect(throws: DatabaseError.self) {
                try snapshot.read { try $0.execute(sql: sql) }
            }
            #expect(end?.resultCode == .SQLITE_MISUSE)
            #expect(try snapshot.read { try count($0) } == 1)
        }
    }

    @Test func `A snapshot lives on when its pool is closed, until it is closed itself`() throws {
        let snapshot = try pool.makeSnapshotPool()
        try insert()
        try pool.close()
        #expect(try snapshot.read { try count($0) } == 1)
        try snapshot.close()
        try snapshot.close()
        let error = #expect(throws: DatabaseError.self) { try snapshot.read { _ in } }
        #expect(error?.resultCode == .SQLITE_MISUSE)
        let checkpoint = try fixture.openPool().writeWithoutTransaction {
            try $0.checkpoint(.truncate)
        }
        #expect(checkpoint.walFrameCount == 0)
    }

    @Test func `A log that was cut to nothing gets a commit that changes nothing`() throws {
        try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        let configuration = FixtureDatabase.configuration()
        try pool.close()
        let first = try DatabaseSnapshotPool(path: fixture.path, configuration: configuration)
        let again = try fixture.openPool()
        let second = try again.makeSnapshotPool()
        try again.write { try $0.execute(sql: "PRAGMA user_version = 5; DELETE FROM t") }
        for snapshot in [first, second] {
            #expect(try snapshot.read { try count($0) } == 1)
            let version = try snapshot.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
            #expect(version == 0)
        }
    }

    @Test func `A log that lies in the database already does not begin anew under a snapshot`()
        throws
    {
        try pool.writeWithoutTransaction { _ = try $0.checkpoint(.full) }
        let snapshot = try pool.makeSnapshotPool()
        for _ in 0..<3 {
            try insert()
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.restart) }
        }
        #expect(try snapshot.read { try count($0) } == 1)
    }

    @Test func `There is no snapshot of what is not committed, in memory, or without a log`()
        throws
    {
        let uncommitted = #expect(throws: DatabaseError.self) {
            try pool.write { db in
                try db.execute(sql: "INSERT INTO t VALUES (2)")
                _ = try DatabaseSnapshotPool(db)
            }
        }
        #expect(uncommitted?.resultCode == .SQLITE_ERROR)
        let memory = #expect(throws: DatabaseError.self) {
            try DatabaseQueue().inDatabase { _ = try DatabaseSnapshotPool($0) }
        }
        #expect(memory?.resultCode == .SQLITE_CANTOPEN)
        let other = try FixtureDatabase()
        try other.open().write { try $0.execute(sql: "CREATE TABLE t(a)") }
        let logless = #expect(throws: DatabaseError.self) {
            try DatabaseSnapshotPool(
                path: other.path, configuration: FixtureDatabase.configuration())
        }
        #expect(logless?.resultCode == .SQLITE_ERROR)
        #expect(logless?.message?.contains("WAL") == true)
    }
}

/// A dispatch queue has no more threads than there are processors.
private func inThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    for _ in 0..<count {
        group.enter()
        Thread {
            body()
            group.leave()
        }.start()
    }
    group.wait()
}

/// Lets threads go on when a number of them have come.
private final class Meeting: Sendable {
    private let size: Int
    private let arrived = Locked(0)
    private let gate = DispatchSemaphore(value: 0)

    init(of size: Int) {
        self.size = size
    }

    func wait() {
        let isLast = arrived.withLock { arrived in
            arrived += 1
            defer { if arrived == size { arrived = 0 } }
            return arrived == size
        }
        guard isLast else { return gate.wait() }
        for _ in 1..<size { gate.signal() }
    }
}
