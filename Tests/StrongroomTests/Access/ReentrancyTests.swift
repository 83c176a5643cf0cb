import Dispatch
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct ReentrancyTests {
    /// What a process says that runs a closure, which must stop it.
    private func says(_ message: String, _ result: ExitTest.Result?) -> Bool {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(message)
    }

    @Test(.proves("CCY-005", "CCY-038"))
    func `An access that would wait for itself stops the process`() async {
        let message = "Database methods are not reentrant."
        let results1 = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let queue = try DatabaseQueue()
            try queue.write { _ in try queue.read { _ in } }
        }
        let results2 = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let fixture = try FixtureDatabase()
            let pool = try fixture.openPool()
            try pool.write { _ in try pool.write { _ in } }
        }
        let results3 = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let fixture = try FixtureDatabase()
            let pool = try fixture.openPool()
            try pool.read { _ in try pool.read { _ in } }
        }
        let results4 = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let fixture = try FixtureDatabase()
            let snapshot = try fixture.openPool().makeSnapshot()
            snapshot.read { _ in snapshot.read { _ in } }
        }
        let results = [results1, results2, results3, results4]
        for result in results { #expect(says(message, result)) }
    }

    @Test(.proves("CCY-016", "CCY-025", "CCY-053"))
    func `Reentrant accesses get the connection in use`() throws {
        let fixture = try FixtureDatabase()
        let pool = try fixture.openPool()
        try pool.write { writer throws in
            #expect(try pool.unsafeReentrantRead { $0 === writer })
            #expect(pool.unsafeReentrantWrite { $0 === writer })
        }
        try pool.read { reader throws in
            #expect(try pool.unsafeReentrantRead { $0 === reader })
            #expect(pool.unsafeReentrantWrite { !$0.configuration.readonly })
            try pool.write { writer throws in
                #expect(try pool.unsafeReentrantRead { $0 === writer })
            }
        }
        #expect(try pool.unsafeReentrantRead { $0.configuration.readonly })
        let queue = try DatabaseQueue()
        queue.inDatabase { db in
            #expect(queue.unsafeReentrantRead { $0 === db })
            #expect(queue.unsafeReentrantWrite { $0 === db })
        }
        #expect(queue.unsafeRead { _ in 1 } + queue.unsafeReentrantRead { _ in 1 } == 2)
        let snapshot = try pool.makeSnapshot()
        #expect(snapshot.read { _ in 1 } + snapshot.unsafeRead { _ in 1 } == 2)
    }

    @Test
    func `What needs a write access outside of transactions stops the process elsewhere`() async {
        let inside1 = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let queue = try DatabaseQueue()
            try queue.write { _ in queue.spawnConcurrentRead { _ in } }
        }
        let inside2 = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let fixture = try FixtureDatabase()
            let pool = try fixture.openPool()
            try pool.write { _ in pool.asyncConcurrentRead { _ in } }
        }
        let inside3 = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let fixture = try FixtureDatabase()
            let pool = try fixture.openPool()
            try pool.write { _ in _ = try pool.makeSnapshot() }
        }
        let inside = [inside1, inside2, inside3]
        for result in inside {
            #expect(says("must not be called from inside a transaction.", result))
        }
        #expect(says("makeSnapshot() must not be called", inside[2]))
        let outside1 = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try DatabaseQueue().spawnConcurrentRead { _ in }
        }
        let outside2 = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let fixture = try FixtureDatabase()
            try fixture.openPool().spawnConcurrentRead { _ in }
        }
        let outside = [outside1, outside2]
        for result in outside {
            #expect(says("Database was not used on the correct thread.", result))
        }
    }

    @Test(.proves("TXN-006", "CNF-027"))
    func `A transaction that is left open stops the process, unless allowed`() async throws {
        let message = "A transaction has been left opened at the end of a database access"
        let results1 = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try DatabaseQueue().inDatabase { try $0.beginTransaction() }
        }
        let results2 = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try DatabaseQueue().inDatabase { try $0.execute(sql: "SAVEPOINT s") }
        }
        let results = [results1, results2]
        for result in results { #expect(says(message, result)) }
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(configuration: configuration)
        try queue.inDatabase { try $0.beginTransaction() }
        #expect(queue.inDatabase { $0.isInsideTransaction })
        try queue.inDatabase { try $0.commit() }
    }

    @Test
    func `Hooks are for transactions that can write, and a pool for readers`() async {
        let hook = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try DatabaseQueue().read { $0.afterNextTransaction { _ in } }
        }
        #expect(says("Read-only transactions are not notified", hook))
        let none = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let fixture = try FixtureDatabase()
            _ = try fixture.openPool { $0.maximumReaderCount = 0 }
        }
        #expect(says("maximumReaderCount must be at least 1", none))
    }
}
