import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Devices that forget what was deleted long ago.
@Suite struct FloorTests {
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
        first = try await a.creating(hub, Self.options(time))
        try await first.publish(.retention(2))
        second = try await b.joining(
            try await first.inviteDevice().ticket, hub, Self.options(time))
        try a.write(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
            INSERT INTO list SELECT 'l' || i, 'Title ' || i, i FROM n;
            INSERT INTO item SELECT 'i' || substr(id, 2), id, 'Item', 1, NULL FROM list;
            """)
    }

    private static func options(_ time: Locked<Int64>) -> SyncOptions {
        var options = SyncOptions()
        options.time = { time.withLock { $0 } }
        options.leastSnapshotLog = 1000
        return options
    }

    private func pass(days: Int, _ engines: [SyncEngine]) async throws {
        for day in 0..<days {
            time.withLock { $0 += 86_400_000 }
            try a.write("UPDATE list SET title = 'Day \(day)' WHERE id = 'l40'")
            try b.write("UPDATE list SET stars = stars + 1 WHERE id = 'l40'")
            for _ in 0..<2 { for engine in engines { try await engine.synchronize() } }
        }
    }

    private func tombstoneCount(_ fixture: EngineFixture) throws -> Int {
        try fixture.queue.read {
            try Int.fetchOne(
                $0, sql: "SELECT count(*) FROM strongroom_sync_row WHERE status < 2") ?? 0
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
            #expect(engine.status.divergedDevices == [])
            #expect(try await engine.verifyRows().problems == [])
            try fixture.check()
        }
    }

    @Test(.proves("SYN-151"))
    func `tombstones go when all devices have passed them`() async throws {
        try await pass(days: 1, [first, second])
        try a.write("DELETE FROM item WHERE id < 'i2'")
        let count = try b.rows().count
        try await pass(days: 1, [first, second])
        let kept = try tombstoneCount(a)
        let left = try b.rows().count
        #expect(kept > 0 && count - kept == left)
        #expect(try tombstoneCount(b) == kept)
        try await pass(days: 6, [first, second])
        #expect(try tombstoneCount(a) == 0)
        #expect(try tombstoneCount(b) == 0)
        let floors = await (first.store.floor.number, second.store.floor.number)
        #expect(floors.0 > 0 && floors.0 == floors.1)
        try await expectEqual([(a, first), (b, second)])
        // A device that is new, by a snapshot; and a row that is inserted again.
        let c = try EngineFixture()
        let third = try await c.joining(
            try await first.inviteDevice().ticket, hub, Self.options(time))
        try b.write("INSERT INTO item VALUES ('i1', 'l1', 'Again', 2, NULL)")
        for engine in [third, second, first, third] { try await engine.synchronize() }
        try await expectEqual([(a, first), (b, second), (c, third)])
        #expect(try c.values("SELECT title FROM item WHERE id = 'i1'") == ["Again"])
    }

    @Test(.proves("SYN-151", "SYN-152"), arguments: [true, false])
    func `a file from before a floor brings nothing back`(isCompacted: Bool) async throws {
        try await pass(days: 1, [first, second])
        let old = try b.copied()
        try a.write("DELETE FROM item WHERE id < 'i2'; DELETE FROM list WHERE id IN ('l2', 'l3')")
        try await pass(days: 7, [first, second])
        #expect(try tombstoneCount(a) == 0)
        if isCompacted {
            #expect(try await first.compact() > 0)
        }
        // Items stay deleted; in lists an edit wins; what is new is sent.
        try old.write(
            """
            UPDATE item SET title = 'late' WHERE id IN ('i1', 'i20');
            UPDATE list SET title = 'late', stars = stars + 1 WHERE id IN ('l2', 'l4');
            INSERT INTO item VALUES ('new', 'l2', 'late', 1, NULL);
            DELETE FROM item WHERE id = 'i21';
            """)
        let late = try await SyncEngine.open(
            old.queue, hub, tables: EngineFixture.tables, Self.options(time))
        // What it has seen is too old for others.
        #expect(try await late.push().sentBatches == 0)
        for engine in [late, first, second, late, first] { try await engine.synchronize() }
        try await expectEqual([(a, first), (b, second), (old, late)])
        #expect(try a.values("SELECT title FROM item WHERE id = 'i1'") == [])
        #expect(
            try a.values("SELECT id FROM item WHERE title = 'late' ORDER BY 1") == ["i20", "new"])
        #expect(
            try a.values("SELECT id || stars FROM list WHERE title = 'late' ORDER BY 1")
                == ["l23", "l45"])
        #expect(try a.values("SELECT id FROM list WHERE id = 'l3'") == [])
        #expect(try a.values("SELECT id FROM item WHERE id = 'i21'") == [])
    }

    @Test(.proves("SYN-152"))
    func `a device that is silent for 90 days keeps no tombstone, and brings nothing back`()
        async throws
    {
        let c = try EngineFixture()
        let third = try await c.joining(
            try await first.inviteDevice().ticket, hub, Self.options(time))
        try c.write("INSERT INTO list VALUES ('c', 'Third', 0)")
        for engine in [third, first, second, third] { try await engine.synchronize() }
        try a.write("DELETE FROM item WHERE id < 'i2'")
        try await pass(days: 80, [first, second])
        #expect(try tombstoneCount(a) > 0)
        try await pass(days: 20, [first, second])
        #expect(try tombstoneCount(a) == 0 && tombstoneCount(b) == 0)
        try c.write(
            """
            UPDATE item SET title = 'late' WHERE id IN ('i1', 'i20');
            INSERT INTO item VALUES ('new', 'c', 'late', 1, NULL);
            """)
        for engine in [third, first, second, third, first] { try await engine.synchronize() }
        try await expectEqual([(a, first), (b, second), (c, third)])
        #expect(
            try a.values("SELECT id FROM item WHERE title = 'late' ORDER BY 1") == ["i20", "new"])
        #expect(try a.values("SELECT id FROM item WHERE id = 'i1'") == [])
    }
}
