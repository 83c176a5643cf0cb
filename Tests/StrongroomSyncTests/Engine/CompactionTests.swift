import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite(.proves("SYN-088")) struct CompactionTests {
    private let time: Locked<Int64>
    private let hub: MemoryHub
    private let a: EngineFixture
    private let b: EngineFixture
    private let first: SyncEngine
    private let second: SyncEngine

    init() async throws {
        let time = Locked<Int64>(1_790_000_000_000)
        self.time = time
        hub = MemoryHub(time: { time.withLock { $0 } }, sleep: { _ in })
        a = try EngineFixture()
        b = try EngineFixture()
        var options = SyncOptions()
        options.time = { time.withLock { $0 } }
        options.leastSnapshotLog = 1000
        first = try await a.creating(hub, options)
        try await first.publish(.retention(2))
        second = try await b.joining(try await first.inviteDevice().ticket, hub, options)
    }

    private var options: SyncOptions {
        var options = SyncOptions()
        let time = time
        options.time = { time.withLock { $0 } }
        return options
    }

    private var logs: [String] { hub.contents.keys.filter { $0.contains("/log/") }.sorted() }

    private func pass(days: Int, _ engines: [SyncEngine], writes: Bool = true) async throws {
        for day in 0..<days {
            time.withLock { $0 += 86_400_000 }
            if writes {
                let now = time.withLock { $0 }
                try a.write(
                    """
                    INSERT INTO list VALUES ('l\(now)', 'Title', 1);
                    INSERT INTO item VALUES ('i\(now)', 'l\(now)', 'Title', 1, zeroblob(300));
                    DELETE FROM item WHERE id < 'i\(now - 2 * 86_400_000)';
                    """)
                if day % 2 == 0 { try b.write("UPDATE list SET stars = stars + 1") }
            }
            for _ in 0..<2 { for engine in engines { try await engine.synchronize() } }
        }
    }

    private func expectEqual(_ devices: [(EngineFixture, SyncEngine)]) async throws {
        let rows = try devices[0].0.rows()
        let state = try await devices[0].1.mergedState()
        for (fixture, engine) in devices {
            #expect(try fixture.rows() == rows)
            let own = try await engine.mergedState()
            #expect(own.canonicalBytes == state.canonicalBytes)
            #expect(engine.status.findings == [] && engine.status.missingBatches == [])
            #expect(engine.status.waitingBatches == [:] && engine.status.unsentBatches == 0)
            try fixture.check()
        }
    }

    @Test func `what all have merged long ago is deleted, and nobody misses it`() async throws {
        try await pass(days: 6, [first, second])
        let before = logs
        let old = try b.copied()
        #expect(try await first.compact() > 0)
        #expect(logs.count < before.count)
        // The last one of each run is there.
        #expect(
            Set(logs.map { $0.splitAtLastSlash.directory })
                == Set(before.map { $0.splitAtLastSlash.directory }))
        #expect(try await first.verifyHub().problems == [])
        try await pass(days: 2, [first, second])
        try await expectEqual([(a, first), (b, second)])
        // One opened anew does not send again what was deleted.
        let count = logs.count
        let again = try await SyncEngine.reopened(second, b.queue, hub, options)
        try await again.synchronize()
        #expect(logs.count == count)
        // A new device, and a file from before the deletion.
        let c = try EngineFixture()
        let third = try await c.joining(try await first.inviteDevice().ticket, hub, options)
        #expect(try await third.synchronize().mergedSnapshots == 1)
        #expect(try await second.compact() >= 0)
        try old.write("UPDATE list SET title = 'late'")
        let late = try await SyncEngine.open(
            old.queue, hub, tables: EngineFixture.tables, options)
        for engine in [late, first, again, third, late] { try await engine.synchronize() }
        try await expectEqual([(a, first), (b, again), (c, third), (old, late)])
        #expect(try a.values("SELECT DISTINCT title FROM list ORDER BY 1") == ["Title", "late"])
    }

    @Test func `a device that is away keeps what it has not merged`() async throws {
        try await pass(days: 2, [first, second])
        try await pass(days: 6, [first], writes: true)
        let before = logs
        _ = try await first.compact()
        // Only what the second device had merged when it was last seen.
        try await second.synchronize()
        try await first.synchronize()
        try await expectEqual([(a, first), (b, second)])
        #expect(logs.count > before.count - 4)
    }

    @Test func `a device that only reads says each day what it has merged`() async throws {
        let c = try EngineFixture()
        let third = try await c.joining(try await first.inviteDevice().ticket, hub, options)
        try await pass(days: 1, [first, second, third])
        // It has said nothing yet.
        #expect(try await first.compact() == 0)
        try await pass(days: 6, [first, second, third])
        let written = logs.filter { $0.contains("/log/\(third.status.device)-") }.count
        #expect((1...7).contains(written))
        #expect(try await first.compact() > 0)
        // Where nothing moves, nobody says anything.
        let count = logs.count
        try await pass(days: 1, [first, second, third], writes: false)
        try await pass(days: 1, [first, second, third], writes: false)
        let rest = logs.count
        #expect(rest - count <= 3)
        try await pass(days: 3, [first, second, third], writes: false)
        #expect(logs.count == rest)
        try await expectEqual([(a, first), (b, second), (c, third)])
    }

    @Test(.proves("SYN-083"))
    func `the outbox keeps what the hub may lose, until all have it`() async throws {
        try await pass(days: 6, [first, second])
        func kept() throws -> Int {
            try a.queue.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM strongroom_sync_outbox") ?? 0
            }
        }
        let device = first.status.device
        let sent = logs.filter { $0.contains("/log/\(device)-") }.count
        #expect(try kept() < sent && kept() >= 3)
        // Erased, the hub gets a snapshot and what is left.
        hub.restore([:])
        try await first.synchronize()
        try await second.synchronize()
        try await first.synchronize()
        let c = try EngineFixture()
        let third = try await c.joining(try await first.inviteDevice().ticket, hub, options)
        for engine in [third, first, second, third] { try await engine.synchronize() }
        try await expectEqual([(a, first), (b, second), (c, third)])
    }
}
