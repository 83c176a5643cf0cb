import Dispatch
import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("Long work that is awaited")
struct OperationTaskTests {
    let folder: TemporaryDirectory
    let store: KeyStore
    let queue: DatabaseQueue

    init() throws {
        folder = try TemporaryDirectory()
        store = KeyStore(folder: folder.path(of: "keys"))
        var configuration = Configuration()
        configuration.prepareDatabase { [store] db in try db.useKey(from: store) }
        queue = try DatabaseQueue(path: folder.path(of: "app.db"), configuration: configuration)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE t (a);
                    WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 2000)
                      INSERT INTO t SELECT randomblob(3000) FROM c;
                    """)
        }
    }

    @Test("has a result, and a progress that ends with it", .proves("OPR-43"))
    func result() async throws {
        let rotation = queue.startRotation(in: store)
        var phases: Set<OperationProgress.Phase> = []
        for await step in rotation.progress { phases.insert(step.phase) }
        #expect(phases.contains(.copying))
        let report = try await rotation.value
        #expect(try await rotation.value == report)
        #expect(try store.keys().count == 2)
        #expect(
            try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 2000)
    }

    @Test(
        "ends early when the task that waits is cancelled, and changes nothing", .proves("OPR-43"))
    func cancellation() async throws {
        // Another access keeps the rotation from its first step until it was cancelled.
        let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        queue.asyncWriteWithoutTransaction { _ in
            hasBegun.signal()
            mayEnd.wait()
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                hasBegun.wait()
                continuation.resume()
            }
        }
        let rotation = queue.startRotation(in: store)
        let waiting = Task { try await rotation.value }
        waiting.cancel()
        rotation.cancel()
        mayEnd.signal()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(try !store.keys().map(\.state).contains(.retired))
        try await queue.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        _ = try await queue.startRotation(in: store).value
        #expect(try store.keys().map(\.state) == [.retired, .current])
    }

    @Test("leaves an actor free for other work")
    func freeActor() async throws {
        let owner = Owner(queue, store)
        async let rotation: Void = owner.rotate()
        while await !owner.hasBegun { await Task.yield() }
        // The actor answers although its rotation has not ended.
        #expect(await owner.hasEnded == false)
        await owner.letGo()
        try await rotation
        #expect(await owner.hasEnded)
    }

    /// Holds the rotation at its first step until it is let go.
    private actor Owner {
        let queue: DatabaseQueue
        let store: KeyStore
        private(set) var hasBegun = false
        private(set) var hasEnded = false
        private let gate = DispatchSemaphore(value: 0)

        init(_ queue: DatabaseQueue, _ store: KeyStore) {
            self.queue = queue
            self.store = store
        }

        func rotate() async throws {
            let task = OperationTask { [queue, store, gate] handler in
                try queue.rotateKey(in: store) { step in
                    try handler(step)
                    gate.wait()
                    gate.signal()
                }
            }
            hasBegun = true
            _ = try await task.value
            hasEnded = true
        }

        func letGo() { gate.signal() }
    }

    @Test("leaves the synchronous calls in async functions as they are")
    func synchronousCalls() async throws {
        // An overload that is `async` would make this an error.
        try queue.rotateKey(in: store)
        let file = DatabaseFile(path: queue.path, key: try store.currentKey())
        try queue.close()
        let copy = DatabaseFile(path: folder.path(of: "copy.db"))
        try file.transfer(to: copy)
        let report = try await file.startTransfer(
            to: DatabaseFile(path: folder.path(of: "second.db"))
        ).value
        #expect(report.rowCount == 2000)
    }
}
