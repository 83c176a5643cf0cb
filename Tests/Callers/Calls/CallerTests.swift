import Strongroom
import StrongroomTestSupport
import Testing

nonisolated private func makeQueue(_ fixture: FixtureDatabase) throws -> DatabaseQueue {
    let queue = try fixture.open()
    try makeMigrator().migrate(queue)
    return queue
}

nonisolated private func makePool(_ fixture: FixtureDatabase) throws -> DatabasePool {
    let pool = try fixture.openPool()
    try makeMigrator().migrate(pool)
    return pool
}

@Suite struct CallerTests {
    @Test(.proves("CMP-01"), .needsFTS5)
    nonisolated func `What an app calls compiles from where it is, and works`() async throws {
        let (first, second) = (try FixtureDatabase(), try FixtureDatabase())
        let pool = try makePool(second)
        let caller = try await Caller.make(queue: makeQueue(first), pool: pool)
        try await caller.call()
        try await Caller.observeOnMainActor(pool)
        withExtendedLifetime((first, second)) {}
    }
}

extension Caller {
    func call() async throws {
        try callAtOnce()
        try await accessAwaiting()
        try await observeInTask()
    }

    private func callAtOnce() throws {
        try accessQueue()
        try accessPool()
        try accessThroughProtocols()
        accessLater()
        try observeOnQueue()
        try observeShared()
        try observeRegions()
        try observeTransactions()
        try write()
        try query()
        try iterate()
        try erase()
        try configure()
    }
}
