import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Synchronization
import Testing

@testable import StrongroomSync

/// Exchanges whose task is cancelled: wherever it happens, the engine and the app's connection go on.
@Suite struct CancelledExchangeTests {
    /// Cancels the task that comes to a place the next time.
    final class Canceller: Sendable {
        private let rest = Mutex(Int.max)

        /// - Parameter count: How many times it passes.
        func arm(after count: Int) { rest.withLock { $0 = count } }

        /// - Returns: Whether nobody has come as often.
        func disarm() -> Bool {
            rest.withLock { rest in
                defer { rest = .max }
                return rest > 0
            }
        }

        func pass() {
            let isDue = rest.withLock { rest in
                if rest != .max { rest -= 1 }
                return rest == 0
            }
            if isDue { withUnsafeCurrentTask { $0?.cancel() } }
        }
    }

    final class CommitCanceller: TransactionObserver, Sendable {
        let canceller: Canceller
        init(_ canceller: Canceller) { self.canceller = canceller }
        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidCommit(_ db: Database) { canceller.pass() }
        func databaseDidRollback(_ db: Database) {}
    }

    enum Place: String, CaseIterable { case commit, step, call }

    @Test(.proves("SYN-030", "SYN-162", "OPR-203"), arguments: Place.allCases)
    func `nothing is lost where an exchange is cancelled`(place: Place) async throws {
        let canceller = Canceller()
        let hub = MemoryHub(
            time: MemoryHub.systemTime, sleep: { _ in },
            plan: { _ in
                if place == .call { canceller.pass() }
                return nil
            })
        var options = SyncOptions()
        options.atomicLimit = 4
        options.holdCount = 3
        options.step = { _ in if place == .step { canceller.pass() } }
        let (a, b) = (try EngineFixture(), try EngineFixture())
        let first = try await a.creating(hub, SyncOptions())
        let second = try await b.joining(try await first.inviteDevice().ticket, hub, options)
        let observer = CommitCanceller(canceller)
        if place == .commit { b.queue.add(transactionObserver: observer) }
        var cancelledCount = 0
        for count in 1... {
            try a.write(Self.edits(count, "a"))
            try b.write(Self.edits(count, "b"))
            try await first.synchronize()
            canceller.arm(after: count)
            let result = await Task { try await second.synchronize() }.result
            let isOver = canceller.disarm()
            if case .failure(let error) = result {
                #expect(error is CancellationError)
                cancelledCount += 1
            }
            #expect(try b.values("PRAGMA foreign_keys") == ["1"])
            #expect(second.status.lastError == nil && !second.isSynchronizing)
            if isOver { break }
            // What is left does not make the next exchange longer.
            try await second.synchronize()
        }
        #expect(cancelledCount > 5)
        for engine in [second, first, second, first] { try await engine.synchronize() }
        #expect(try a.rows() == b.rows())
        #expect(try a.values("SELECT min(stars) = max(stars) FROM list") == ["1"])
        for engine in [first, second] {
            #expect(try await engine.verifyRows().problems.isEmpty)
        }
    }

    @Test(.proves("SYN-033", "OPR-203"))
    func `an engine is closed by a task whose exchange was cancelled`() async throws {
        let canceller = Canceller()
        let (hub, a) = (MemoryHub(), try EngineFixture())
        let engine = try await a.engine(hub)
        let observer = CommitCanceller(canceller)
        a.queue.add(transactionObserver: observer)
        try a.write(Self.edits(1, "a"))
        canceller.arm(after: 2)
        let task = Task {
            _ = try? await engine.synchronize()
            #expect(Task.isCancelled)
            await engine.close()
        }
        await task.value
        a.queue.remove(transactionObserver: observer)
        await #expect(throws: SyncError.self) { try await engine.synchronize() }
        let next = try await a.engine(hub)
        try await next.synchronize()
        #expect(next.status.pendingChanges == 0 && next.status.unsentBatches == 0)
    }

    /// Each adds one to the counter of each list.
    private static func edits(_ count: Int, _ device: String) -> String {
        let rows = (0..<5).map { "('\(device)-\(count)-\($0)', 'all', '\(count)', \($0), NULL)" }
        return """
            INSERT OR IGNORE INTO list VALUES ('all', 'x', 0);
            UPDATE list SET stars = stars + 1;
            INSERT INTO item VALUES \(rows.joined(separator: ", "));
            UPDATE item SET price = price + 1 WHERE title = '\(count - 1)';
            DELETE FROM item WHERE title = '\(count - 3)';
            """
    }
}
