import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Writers, observers, cancellations and errors at random, for `STRONGROOM_STRESS_SECONDS`.
@Suite(.serialized, .timeLimit(.minutes(30))) struct ObservationStressTests {
    static let seconds =
        (ProcessInfo.processInfo.environment["STRONGROOM_STRESS_SECONDS"].flatMap { Double($0) }
            ?? 2)
        / 2

    /// What an observer of a number that only grows was given.
    final class Witness: Sendable {
        private let state = Locked((last: -1, isCancelled: false, problems: [String]()))

        func see(_ value: Int) {
            state.withLock { state in
                if state.isCancelled { state.problems.append("\(value) after the end") }
                if value < state.last { state.problems.append("\(value) after \(state.last)") }
                state.last = value
            }
        }

        /// To be called where values arrive, right after `cancel()`.
        func end() { state.withLock { $0.isCancelled = true } }

        var last: Int { state.withLock { $0.last } }
        var problems: [String] { state.withLock { $0.problems } }
    }

    @Sendable static func committed(_ db: Database) throws -> Int {
        let first = try Int.fetchOne(db, sql: "SELECT a FROM number") ?? -1
        let second = try Int.fetchOne(db, sql: "SELECT b FROM number") ?? -1
        guard first == second else { throw ObservedFailure() }
        return first
    }

    /// Counts up, or takes it back, or writes something else.
    static func write(_ writer: any DatabaseWriter, _ random: inout SeededGenerator) throws {
        let choice = Int.random(in: 0..<6, using: &random)
        do {
            try writer.write { db in
                if choice == 0 { return try db.execute(sql: "INSERT INTO other VALUES (1)") }
                try db.execute(sql: "UPDATE number SET a = a + 1")
                if choice == 1 { throw CancellationError() }
                try db.inSavepoint {
                    try db.execute(sql: "UPDATE number SET a = a + 1, b = b + 7")
                    return .rollback
                }
                try db.execute(sql: "UPDATE number SET b = b + 1")
            }
        } catch is CancellationError {}
    }

    static func observation(_ kind: Int) -> ValueObservation<
        ValueReducers.Map<ValueReducers.Fetch<Int>, Int>
    > {
        switch kind {
        case 0: ValueObservation.tracking(committed).map { $0 }
        case 1: ValueObservation.trackingConstantRegion(committed).map { $0 }
        default: ValueObservation.tracking(region: Table("number"), fetch: committed).map { $0 }
        }
    }

    @Test(
        .proves("OBS-005", "OBS-006"), arguments: WriterKind.allCases, [UInt64.random(in: 0...999)])
    func `No value is lost, none goes backwards, and none comes after the end`(
        kind: WriterKind, seed: UInt64
    ) throws {
        let fixture = try FixtureDatabase()
        let writer = try fixture.open(kind)
        try writer.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE number(a INTEGER, b INTEGER); INSERT INTO number VALUES (0, 0);
                    CREATE TABLE other(a);
                    """)
        }
        let deadline = ContinuousClock.now + .seconds(Self.seconds)
        let problems = Collected()
        let lasting = (0..<3).map { _ in Witness() }
        let queue = DispatchQueue(label: "witnesses")
        let cancellables = lasting.enumerated().map { index, witness in
            Self.observation(index).start(
                in: writer, scheduling: .async(onQueue: queue),
                onError: { problems.add("\($0)") }, onChange: witness.see)
        }
        DispatchQueue.concurrentPerform(iterations: 4) { worker in
            var random = SeededGenerator(seed: seed &+ UInt64(worker))
            do {
                while ContinuousClock.now < deadline {
                    if worker < 2 {
                        try Self.write(writer, &random)
                    } else {
                        Self.observeForAWhile(writer, problems, &random)
                    }
                }
            } catch {
                problems.add("worker \(worker): \(error)")
            }
        }
        let final = try writer.read(Self.committed)
        for witness in lasting {
            // Each of them gets to the end, for all that was coalesced.
            while witness.last < final, ContinuousClock.now < deadline + .seconds(60) {
                try writer.settle()
                queue.sync {}
            }
            #expect(witness.last == final, "seed \(seed)")
            #expect(witness.problems == [], "seed \(seed)")
        }
        #expect(problems.texts == [], "seed \(seed)")
        cancellables.forEach { $0.cancel() }
    }

    /// Starts an observer, perhaps one that fails, and cancels it at some point.
    private static func observeForAWhile(
        _ writer: any DatabaseWriter, _ problems: Collected, _ random: inout SeededGenerator
    ) {
        let witness = Witness()
        let failsAt = Int.random(in: 0..<4, using: &random)
        let count = Locked(0)
        let queue = DispatchQueue(label: "witness")
        let errors = Locked(0)
        let cancellable = observation(Int.random(in: 0..<3, using: &random)).map { value in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if failsAt == 3, number == 3 { throw ObservedFailure() }
            return value
        }.start(
            in: writer, scheduling: .async(onQueue: queue),
            onError: { error in
                if !(error is ObservedFailure) { problems.add("\(error)") }
                errors.withLock { $0 += 1 }
            },
            onChange: { value in
                witness.see(value)
                if errors.withLock({ $0 }) > 0 { problems.add("a value after an error") }
            })
        for _ in 0..<Int.random(in: 0..<5, using: &random) {
            do { try write(writer, &random) } catch { problems.add("\(error)") }
        }
        // On the thread of the values: nothing may come after this.
        queue.sync {
            cancellable.cancel()
            witness.end()
        }
        queue.sync {}
        witness.problems.forEach(problems.add)
        if errors.withLock({ $0 }) > 1 { problems.add("two errors") }
    }

    @Test(.proves("CCY-042"))
    func `A cancelled task tells observers how its transaction ended`() async throws {
        let database = try ObservedDatabase(.queue)
        let lines = Collected()
        let observer = Recorder()
        observer.onCommit = { observer, _ in observer.lines.forEach(lines.add) }
        database.writer.add(transactionObserver: observer, extent: .databaseLifetime)
        let writer = database.writer
        let task = Task {
            try await writer.write { db in
                try db.execute(sql: "INSERT INTO player(name) VALUES ('a')")
                withUnsafeCurrentTask { $0?.cancel() }
                try db.execute(sql: "INSERT INTO player(name) VALUES ('b')")
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(lines.texts == [])
        // The task of the commit is cancelled from inside the observer, after the fact.
        let other = Task {
            try await writer.write { try $0.execute(sql: "INSERT INTO team(name) VALUES ('a')") }
        }
        try await other.value
        #expect(
            lines.texts == [
                "insert main.player 1", "rollback", "insert main.team 1", "will commit", "commit",
            ])
    }

    @Test(.proves("CCY-035"))
    func `An observer may read its commit beside later writes`() throws {
        let fixture = try FixtureDatabase()
        let pool = try fixture.openPool()
        try pool.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        let values = Values<Int>()
        let go = DispatchSemaphore(value: 0)
        let observer = Recorder()
        observer.onCommit = { observer, _ in
            observer.onCommit = { _, _ in }
            pool.asyncConcurrentRead { result in
                go.wait()
                let count = try? Int.fetchOne(result.get(), sql: "SELECT COUNT(*) FROM t")
                values.add(count ?? -1)
            }
        }
        pool.add(transactionObserver: observer)
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        go.signal()
        values.wait(for: 1)
    }
}
