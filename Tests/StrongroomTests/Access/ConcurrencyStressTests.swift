import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Everything that may happen to a pool at once, for `STRONGROOM_STRESS_SECONDS` (2 if unset).
@Suite(.serialized, .timeLimit(.minutes(30))) struct ConcurrencyStressTests {
    let fixture: FixtureDatabase

    static let seconds =
        ProcessInfo.processInfo.environment["STRONGROOM_STRESS_SECONDS"].flatMap { Double($0) } ?? 2

    init() throws {
        fixture = try FixtureDatabase()
    }

    /// Two accounts whose sum never changes, and two tables that count transactions alike.
    static let schema = """
        CREATE TABLE account(name TEXT PRIMARY KEY, amount INTEGER NOT NULL);
        INSERT INTO account VALUES ('a', 1000), ('b', 1000);
        CREATE TABLE first(count INTEGER); CREATE TABLE second(count INTEGER);
        INSERT INTO first VALUES (0); INSERT INTO second VALUES (0);
        """

    /// A transaction that a reader must never see half of.
    @Sendable static func transfer(_ db: Database) throws {
        try db.execute(sql: "UPDATE first SET count = count + 1")
        try db.execute(sql: "UPDATE account SET amount = amount - 7 WHERE name = 'a'")
        try db.execute(sql: "UPDATE account SET amount = amount + 7 WHERE name = 'b'")
        try db.execute(sql: "UPDATE second SET count = count + 1")
    }

    /// The number of transactions that are seen.
    ///
    /// - Throws: If half of one is.
    @Sendable static func observe(_ db: Database) throws -> Int {
        let first = try Int.fetchOne(db, sql: "SELECT count FROM first") ?? -1
        let sum = try Int.fetchOne(db, sql: "SELECT SUM(amount) FROM account")
        let second = try Int.fetchOne(db, sql: "SELECT count FROM second")
        guard first == second, sum == 2000 else { throw Torn(first, second, sum) }
        return first
    }

    struct Torn: Error, CustomStringConvertible {
        let description: String

        init(_ first: Int, _ second: Int?, _ sum: Int?) {
            description = "half a transaction: \(first), \(second ?? -1), \(sum ?? -1)"
        }
    }

    /// What goes on until the time is over, and what it met that it must not.
    final class Run: Sendable {
        let deadline = ContinuousClock.now + .seconds(ConcurrencyStressTests.seconds)
        let problems = Collected()
        let counts = Locked<[String: Int]>([:])
        let committed = Locked(0)
        /// What each reader saw last.
        let seen = Locked<[Int: Int]>([:])

        /// Repeats a body; interruptions and busy files are part of the game.
        func repeats(_ name: String, _ body: () throws -> Void) {
            while ContinuousClock.now < deadline {
                do {
                    try body()
                    count(name)
                } catch let error as DatabaseError
                    where error.isInterruptionError || error.resultCode == .SQLITE_BUSY
                {
                    count("\(name), refused")
                } catch is CancellationError {
                    count("\(name), cancelled")
                } catch {
                    problems.add("\(name): \(error)")
                }
            }
        }

        func count(_ name: String) {
            counts.withLock { $0[name, default: 0] += 1 }
        }
    }

    typealias Activity = @Sendable (DatabasePool, Run) throws -> Void

    struct Refusal: Error {}

    static let activities: [(String, Activity)] = [
        (
            "write",
            { pool, run in
                try pool.write { db in
                    db.afterNextTransaction { _ in run.committed.withLock { $0 += 1 } }
                    try transfer(db)
                }
            }
        ),
        (
            "failed write",
            { pool, _ in
                do {
                    try pool.write { db in
                        try transfer(db)
                        throw Refusal()
                    }
                } catch is Refusal {}
            }
        ),
        (
            "checkpoint",
            { pool, _ in
                try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            }
        ),
        (
            "snapshot",
            { pool, _ in
                let snapshot = try pool.makeSnapshot()
                let count = try snapshot.read(observe)
                guard try snapshot.read(observe) == count else { throw Torn(count, nil, nil) }
            }
        ),
        (
            "release",
            { pool, _ in
                pool.releaseMemory()
                pool.invalidateReadOnlyConnections()
                pool.interrupt()
            }
        ),
        ("barrier", { pool, _ in _ = try pool.barrierWriteWithoutTransaction(observe) }),
    ]

    /// A reader that never sees less than before.
    static func read(number: Int) -> Activity {
        { pool, run in
            let count = try pool.read(observe)
            let before = run.seen.withLock { seen in
                defer { seen[number] = count }
                return seen[number, default: 0]
            }
            if count < before { throw Torn(count, before, nil) }
        }
    }

    @Test(.proves("CCY-003", "IRQ-001"))
    func `No reader ever sees half a transaction, nor one less than before`() async throws {
        let pool = try fixture.openPool { $0.busyMode = .timeout(10) }
        try await pool.write { try $0.execute(sql: Self.schema) }
        let run = Run()
        await withCheckedContinuation { done in
            let group = DispatchGroup()
            let readers = (1...8).map { ("read", Self.read(number: $0)) }
            let activities = Self.activities + readers
            for (name, activity) in activities {
                group.enter()
                Thread.detachNewThread {
                    run.repeats(name) { try activity(pool, run) }
                    group.leave()
                }
            }
            for _ in 0..<4 {
                group.enter()
                Task {
                    while ContinuousClock.now < run.deadline {
                        let task = Task { try await pool.read(Self.observe) }
                        if Bool.random() { task.cancel() }
                        switch await task.result {
                        case .success: run.count("task")
                        case .failure(let error as Torn): run.problems.add("task: \(error)")
                        case .failure: run.count("task, cancelled")
                        }
                    }
                    group.leave()
                }
            }
            group.notify(queue: .global()) { done.resume() }
        }
        print(run.counts.withLock { $0 }.sorted { $0.key < $1.key })
        #expect(run.problems.texts == [])
        #expect(try await pool.read(Self.observe) == run.committed.withLock { $0 })
        #expect(run.counts.withLock { $0["read", default: 0] } > 0)
        try pool.close()
        #expect(try fixture.shell().cell("PRAGMA integrity_check") == "ok")
        #expect(try fixture.shell().rows("PRAGMA cipher_integrity_check").isEmpty)
    }

    @Test(.proves("CCY-002"))
    func `Readers around a commit see one of two states`() throws {
        let pool = try fixture.openPool()
        try pool.write { try $0.execute(sql: Self.schema) }
        let run = Run()
        let writes = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 3) { index in
            run.repeats("reader \(index)") {
                if index == 0 {
                    try pool.write(Self.transfer)
                    writes.withLock { $0 += 1 }
                } else {
                    let before = writes.withLock { $0 }
                    let seen = try pool.read(Self.observe)
                    let after = writes.withLock { $0 }
                    // A commit may be done, and not be counted yet.
                    guard (before...(after + 1)).contains(seen) else {
                        throw Torn(before, seen, after)
                    }
                }
            }
        }
        #expect(run.problems.texts == [])
    }

    @Test(.proves("IRQ-011"), arguments: WriterKind.allCases)
    func `Two processes write the same file, and every write counts`(kind: WriterKind) throws {
        let writer = try fixture.open(kind) { $0.busyMode = .timeout(60) }
        try writer.write { try $0.execute(sql: Self.schema) }
        let writes = Int(Self.seconds * 100)
        let shell = fixture.shell()
        let commands =
            ".timeout 60000\n"
            + String(repeating: "UPDATE first SET count = count + 1;\n", count: writes)
        let outcome = Locked<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            do {
                if index == 0 {
                    try shell.run(commands)
                } else {
                    for _ in 0..<writes {
                        try writer.write { db in
                            try db.execute(sql: "UPDATE first SET count = count + 1")
                        }
                    }
                }
            } catch {
                outcome.withLock { $0 = error }
            }
        }
        #expect(outcome.withLock { $0 } == nil)
        let count = try writer.read { try Int.fetchOne($0, sql: "SELECT count FROM first") }
        #expect(count == 2 * writes)
    }
}
