import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Synchronization
import Testing

extension AsyncAccessTests {
    @Test(.proves("CCY-039", "CCY-043"), arguments: WriterKind.allCases)
    func `A cancelled task stops, whether it waits or runs, and nothing of it stays`(
        kind: WriterKind
    ) async throws {
        let writer = try filledWriter(kind)
        // Cancelled before it starts.
        let early = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await writer.write { _ in Issue.record("ran") }
        }
        early.cancel()
        await #expect(throws: CancellationError.self) { try await early.value }

        let accesses:
            [@Sendable (@escaping @Sendable (Database) throws -> Void) async throws -> Void] =
                [
                    { try await writer.read($0) }, { try await writer.unsafeRead($0) },
                    { try await writer.write($0) },
                    { try await writer.writeWithoutTransaction($0) },
                    { try await writer.barrierWriteWithoutTransaction($0) },
                ]
        for access in accesses {
            let started = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                try await access { db in
                    started.continuation.yield()
                    if !db.configuration.readonly { try? db.execute(sql: "DELETE FROM t") }
                    try runForever(db)
                }
            }
            for await _ in started.stream { break }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await writer.write {
                try $0.execute(sql: "DELETE FROM t; INSERT INTO t VALUES (1)")
            }
            #expect(try await writer.read(countRows) == 1)
        }
    }

    @Test(.proves("CCY-020"), arguments: WriterKind.allCases)
    func `What a cancelled write did is undone`(kind: WriterKind) async throws {
        let writer = try filledWriter(kind)
        let started = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await writer.write { db in
                try db.execute(sql: "DELETE FROM t")
                started.continuation.yield()
                try runForever(db)
            }
        }
        for await _ in started.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await writer.read(countRows) == 1)
    }

    @Test(.proves("CCY-054"), arguments: WriterKind.allCases)
    func `A task that waits is let go at once when it is cancelled`(kind: WriterKind) async throws {
        let writer = try filledWriter(kind)
        let started = AsyncStream.makeStream(of: Void.self)
        let blocker = Task {
            try await writer.write { db in
                started.continuation.yield()
                try runForever(db)
            }
        }
        for await _ in started.stream { break }
        let waiting = (0..<20).map { _ in Task { try await writer.write { _ in } } }
        for task in waiting { task.cancel() }
        // The writer is still busy: nothing but the cancellation can end these.
        for task in waiting {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        blocker.cancel()
        await #expect(throws: CancellationError.self) { try await blocker.value }
        #expect(try await writer.read(countRows) == 1)
    }

    @Test(.proves("CCY-040"), arguments: WriterKind.allCases)
    func `In a cancelled access everything but a rollback throws`(kind: WriterKind) async throws {
        let writer = try filledWriter(kind)
        let started = AsyncStream.makeStream(of: Void.self)
        let log = Collected()
        let task = Task {
            try await writer.writeWithoutTransaction { db in
                try db.beginTransaction()
                started.continuation.yield()
                do { try runForever(db) } catch { log.add("\(type(of: error))") }
                do { _ = try countRows(db) } catch { log.add("\(type(of: error))") }
                do { try db.commit() } catch { log.add("\(type(of: error))") }
                try db.rollback()
                log.add("\(db.isInsideTransaction)")
            }
        }
        for await _ in started.stream { break }
        // This mostly comes while the statement is being compiled.
        task.cancel()
        try await task.value
        #expect(
            log.texts == ["CancellationError", "CancellationError", "CancellationError", "false"])
        let detached = Task { try await Task { try await writer.write(countRows) }.value }
        detached.cancel()
        #expect(try await detached.value == 1, "an unstructured task is not cancelled with ours")
    }

    @Test(.proves("CCY-040"), arguments: WriterKind.allCases)
    func `A cancellation that comes just before a statement starts ends it`(
        kind: WriterKind
    ) async throws {
        let writer = try filledWriter(kind)
        let observer = MomentBeforeWriting()
        writer.add(transactionObserver: observer)
        let task = Task {
            try await withTaskCancellationHandler {
                try await writer.writeWithoutTransaction { db in
                    try db.execute(
                        sql: """
                            WITH RECURSIVE n(i) AS (
                                SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000000)
                            INSERT INTO t SELECT i FROM n WHERE i < 0
                            """)
                }
            } onCancel: {
                // What stops the access was registered later, and has run.
                observer.isCancelled.store(true, ordering: .releasing)
            }
        }
        for await _ in observer.moments.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(.proves("CCY-041"), arguments: WriterKind.allCases)
    func `Accesses that return at once do not heed cancellation`(kind: WriterKind) async throws {
        let writer = try filledWriter(kind)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await withCheckedContinuation { done in
                writer.asyncWrite({ try countRows($0) ?? 0 }) { _, result in
                    done.resume(returning: (try? result.get()) ?? 0)
                }
            }
        }
        task.cancel()
        #expect(await task.value == 1)
    }
}

/// An observer that is asked about a statement after it was decided to run it, and keeps it waiting
/// until the task has been cancelled.
private final class MomentBeforeWriting: TransactionObserver, Sendable {
    let moments = AsyncStream.makeStream(of: Void.self)
    let isCancelled = Atomic(false)

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        moments.continuation.yield()
        while !isCancelled.load(ordering: .acquiring) {}
        return false
    }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseDidCommit(_ db: Database) {}

    func databaseDidRollback(_ db: Database) {}
}
