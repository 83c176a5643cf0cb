import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Snapshot pools beside a writer that never rests: what it writes keeps a sum.
@Suite(.timeLimit(.minutes(30))) struct SnapshotInvariantTests {
    static func prepared(_ fixture: FixtureDatabase) throws -> DatabasePool {
        let pool = try DatabasePool(
            path: fixture.path,
            configuration: FixtureDatabase.configuration(passphrase: fixture.key))
        try pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE account(id INTEGER PRIMARY KEY, amount INTEGER);
                    INSERT INTO account VALUES (1, 1000), (2, 0), (3, 0);
                    CREATE TABLE round(number INTEGER); INSERT INTO round VALUES (0)
                    """)
        }
        return pool
    }

    /// Moves something from one account to another, in two statements, until it is told to stop.
    private static func moveAround(_ pool: DatabasePool, until isOver: Locked<Bool>) throws {
        var round = 0
        while !isOver.withLock({ $0 }) {
            round += 1
            try pool.write { db in
                try db.execute(
                    sql: "UPDATE account SET amount = amount - 7 WHERE id = ?",
                    arguments: [round % 3 + 1])
                try db.execute(
                    sql: "UPDATE account SET amount = amount + 7 WHERE id = ?",
                    arguments: [(round + 1) % 3 + 1])
                try db.execute(sql: "UPDATE round SET number = number + 1")
            }
        }
    }

    private static func state(_ db: Database) throws -> [Int] {
        try Int.fetchAll(
            db, sql: "SELECT SUM(amount) FROM account UNION ALL SELECT number FROM round")
    }

    @Test(.proves("CMP-84"), arguments: [FixtureDatabase.rawKey, FixtureDatabase.passphrase])
    func `All readers of a snapshot see one state`(key: String) throws {
        let fixture = try FixtureDatabase(key: key)
        let pool = try Self.prepared(fixture)
        let isOver = Locked(false)
        let group = DispatchGroup()
        let failures = Collected()
        group.enter()
        Thread {
            do { try Self.moveAround(pool, until: isOver) } catch { failures.add("\(error)") }
            group.leave()
        }.start()
        defer {
            isOver.withLock { $0 = true }
            group.wait()
            #expect(failures.texts.isEmpty)
        }
        let configuration = FixtureDatabase.configuration(passphrase: key) {
            $0.busyMode = .timeout(20)
        }
        for number in 0..<50 {
            let snapshot =
                number % 5 == 4
                ? try DatabaseSnapshotPool(path: fixture.path, configuration: configuration)
                : try pool.makeSnapshotPool()
            let states = Collected()
            // Each read holds its connection until all have one.
            DispatchQueue.concurrentPerform(iterations: 2) { _ in
                let found = try? snapshot.read { db in
                    try snapshot.unsafeReentrantRead { _ in try Self.state(db) }
                }
                states.add("\(found ?? [])")
            }
            let again = try snapshot.read(Self.state)
            #expect(Set(states.texts) == ["\(again)"] && again[0] == 1000)
            try snapshot.close()
        }
    }

    @Test(.proves("CMP-84"))
    func `In an access a snapshot is of what the access sees, or there is none`() throws {
        let fixture = try FixtureDatabase()
        let pool = try Self.prepared(fixture)
        func addRound() throws {
            try pool.write { try $0.execute(sql: "UPDATE round SET number = number + 1") }
        }
        let quiet = try pool.read { db in
            _ = try Self.state(db)
            return try pool.makeSnapshotPool()
        }
        try addRound()
        #expect(try quiet.read(Self.state) == [1000, 0])
        let late = Result {
            try pool.read { db in
                _ = try Self.state(db)
                try addRound()
                return try DatabaseSnapshotPool(db)
            }
        }
        switch late {
        case .success(let snapshot): #expect(try snapshot.read(Self.state) == [1000, 1])
        case .failure(let error):
            #expect((error as? DatabaseError)?.extendedResultCode == .SQLITE_BUSY_SNAPSHOT)
        }
        let written = #expect(throws: DatabaseError.self) {
            try pool.write { db in
                try db.execute(sql: "UPDATE round SET number = 9")
                _ = try DatabaseSnapshotPool(db)
            }
        }
        #expect(written?.resultCode == .SQLITE_ERROR)
    }

    @Test(.proves("CMP-84"))
    func `A snapshot keeps the log from being cut off`() throws {
        let fixture = try FixtureDatabase()
        let pool = try Self.prepared(fixture)
        let snapshot = try pool.makeSnapshotPool()
        try pool.write { try $0.execute(sql: "UPDATE round SET number = 5") }
        let held = pool.writeWithoutTransaction { try? $0.checkpoint(.truncate) }
        #expect(held?.walFrameCount != 0)
        #expect(try snapshot.read(Self.state) == [1000, 0])
        try snapshot.close()
        let freed = try pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        #expect(freed.walFrameCount == 0)
    }

    @Test(.proves("OBS-022"))
    func `An observation gives a snapshot of each state`() throws {
        let fixture = try FixtureDatabase()
        let pool = try Self.prepared(fixture)
        let values = Values<DatabaseSnapshotPool>()
        let cancellable = ValueObservation.tracking { db in
            _ = try Self.state(db)
            return try DatabaseSnapshotPool(db)
        }
        .start(
            in: pool, scheduling: .async(onQueue: DispatchQueue(label: "snapshots")),
            onError: values.fail, onChange: values.add)
        values.wait { $0.count == 1 }
        try pool.write { try $0.execute(sql: "UPDATE round SET number = 1") }
        values.wait { $0.count == 2 }
        #expect(try values.all.map { try $0.read(Self.state) } == [[1000, 0], [1000, 1]])
        cancellable.cancel()
    }
}
