import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// A space that waits for a later version of the app.
@Suite struct AppVersionTests {
    private let hub = MemoryHub()

    private func engine(_ fixture: EngineFixture, _ version: Int) async throws -> SyncEngine {
        try await SyncEngine(
            for: fixture.queue, transport: hub, appVersion: version, tables: fixture.tables)
    }

    @Test(.proves("SYN-146"))
    func `an older app sends nothing until it is new, and goes on to show what others write`()
        async throws
    {
        let (a, b) = (try EngineFixture(), try EngineFixture())
        let first = try await engine(a, 2)
        var second = try await SyncEngine.join(
            first.inviteDevice().ticket, for: b.queue, transport: hub, appVersion: 1,
            tables: b.tables)
        await #expect { try await second.requireAppVersion(2) } throws: { error in
            (error as? SyncError)?.code == .outdatedApp
        }
        try await first.requireAppVersion(2)
        try await first.requireAppVersion(1)
        try a.write("INSERT INTO list VALUES ('a', 'new app', 1)")
        try b.write("INSERT INTO list VALUES ('b', 'old app', 1)")
        try await first.synchronize()
        let summary = try await second.synchronize()
        #expect(summary.sentBatches == 0 && summary.mergedChanges == 1)
        #expect(try await second.push().sentBatches == 0)
        #expect(second.status.requiredAppVersion == 2)
        // Nor what only it may have.
        try await b.queue.write { try StoreSetting.needsRepair.set($0, 1) }
        var repair = SyncSummary()
        try await second.repairIfNeeded(&repair)
        #expect(repair.sentSnapshots == 0)
        try await b.queue.write { try StoreSetting.needsRepair.remove($0) }
        // The merge has taken them into a batch.
        #expect(second.status.pendingChanges + second.status.unsentBatches > 0)
        #expect(try b.values("SELECT id FROM list ORDER BY 1") == ["a", "b"])
        try await first.synchronize()
        #expect(try a.values("SELECT id FROM list") == ["a"])
        await second.close()

        // The tool exchanges for the app that was here last.
        let tool = try await SyncEngine.open(b.queue, hub, SyncOptions())
        #expect(try await tool.synchronize().sentBatches == 0)
        let report = try await b.queue.read { try SyncReport($0) }
        #expect(report?.requiredAppVersion == 2)
        await tool.close()

        second = try await engine(b, 2)
        #expect(second.status.requiredAppVersion == nil)
        try await second.synchronize()
        try await first.synchronize()
        #expect(try a.rows() == b.rows())
        #expect(try a.rows().count == 2)
        #expect(try await b.queue.read { try SyncReport($0) }?.requiredAppVersion == nil)
    }

    @Test(.proves("SYN-146"))
    func `the roster takes no version that is not above the last`() async throws {
        var fixture = try SpaceFixture(seed: 3)
        try fixture.change(.minimumVersion(3))
        for version: UInt32 in [3, 2, 0] {
            #expect(throws: Refusal.self) { try fixture.change(.minimumVersion(version)) }
        }
        try fixture.change(.minimumVersion(4))
        #expect(fixture.roster.minimumVersion == 4)
    }

    @Test(.proves("SYN-146"))
    func `an event tells the app once`() async throws {
        let (a, b) = (try EngineFixture(), try EngineFixture())
        let first = try await engine(a, 7)
        let second = try await b.join(first.inviteDevice().ticket, hub)
        var events = second.events.makeAsyncIterator()
        try await second.synchronize()
        try await first.requireAppVersion(7)
        try await second.synchronize()
        while let event = await events.next() {
            guard event.kind == .outdatedApp else { continue }
            #expect(event.subject == "7" && event.message.contains("version 7"))
            break
        }
    }
}
