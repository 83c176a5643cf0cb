import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Devices that go on with another hub, or leave their space.
@Suite struct SwitchingTests {
    private static let rows = """
        INSERT INTO list VALUES ('l1', 'Groceries', 3);
        INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1.5, x'00ff');
        """

    @Test(.proves("SYN-164"), arguments: [true, false])
    func `another hub gets everything, what was not sent to the first one too`(
        isFirstThere: Bool
    ) async throws {
        let devices = try await TwoDevices(rows: Self.rows)
        try await devices.settle()
        try devices.a.write(
            "UPDATE list SET stars = stars + 1; INSERT INTO list VALUES ('a', 'A', 0)")
        try devices.b.write(
            "UPDATE list SET stars = stars + 2; INSERT INTO list VALUES ('b', 'B', 0)")
        // One of them is in a batch already.
        try await devices.first.takeNotes()
        let other = MemoryHub()
        let order = isFirstThere ? [0, 1] : [1, 0]
        var engines: [SyncEngine] = []
        for (engine, fixture) in [(devices.first, devices.a), (devices.second, devices.b)] {
            engines.append(
                try await SyncEngine.reopened(engine, fixture.queue, other, SyncOptions()))
        }
        for index in order + order + order { try await engines[index].synchronize() }
        #expect(try devices.a.rows() == devices.b.rows())
        let stars = try devices.a.values("SELECT id || stars FROM list ORDER BY 1")
        #expect(stars == ["a0", "b0", "l16"])
        for engine in engines {
            #expect(try await engine.verifyHub().problems == [])
            #expect(engine.status.unsentBatches == 0)
        }
        // A third device needs nothing of the first hub.
        let third = try EngineFixture()
        let joined = try await third.join(engines[0].inviteDevice().ticket, other)
        try await joined.synchronize()
        #expect(try third.rows() == devices.a.rows())
    }

    @Test(.proves("SYN-164"))
    func `who leaves a space can see what was not sent, and joins another with all rows`()
        async throws
    {
        let devices = try await TwoDevices(rows: Self.rows)
        try await devices.settle()
        try devices.b.write("INSERT INTO list VALUES ('b', 'B', 0)")
        #expect(try await devices.second.refreshStatus().pendingChanges > 0)
        try await devices.second.leave()
        let hub = MemoryHub()
        let elsewhere = try EngineFixture()
        try elsewhere.write("INSERT INTO list VALUES ('c', 'C', 0)")
        let host = try await elsewhere.engine(hub)
        let again = try await devices.b.join(host.inviteDevice().ticket, hub)
        for engine in [again, host, again] { try await engine.synchronize() }
        #expect(try elsewhere.values("SELECT id FROM list ORDER BY 1") == ["b", "c", "l1"])
        #expect(try elsewhere.rows() == devices.b.rows())
        try await devices.first.synchronize()
        #expect(try devices.a.values("SELECT id FROM list") == ["l1"])
    }
}
