import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct SnapshotExchangeTests {
    private let hub = MemoryHub()
    private let rows = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO list SELECT 'l' || i, 'Title ' || i, i FROM n;
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO item SELECT 'i' || i, 'l' || i, 'Item ' || i, i / 3.0, x'00' FROM n;
        """

    /// The options of a device that writes a snapshot as soon as there is anything.
    private var eager: SyncOptions {
        var options = SyncOptions()
        options.leastSnapshotLog = 0
        return options
    }

    /// Deletes batches, as a compaction does, or all of them.
    private func deleteLogs(keepingLast: Bool = false) async throws {
        let names = try await hub.names("").filter { $0.contains("/log/") }
        for (name, next) in zip(names, names.dropFirst() + [""]) {
            let isLast = name.splitAtLastSlash.directory != next.splitAtLastSlash.directory
            if !isLast || !keepingLast { try await hub.delete(name) }
        }
    }

    private func snapshotNames() async throws -> [String] {
        try await hub.names("").filter { $0.contains("/snapshots/") }
    }

    private func expectEqual(_ devices: [(EngineFixture, SyncEngine)]) async throws {
        let rows = try devices[0].0.rows()
        let state = try await devices[0].1.mergedState()
        for (fixture, engine) in devices {
            #expect(try fixture.rows() == rows)
            let own = try await engine.mergedState()
            #expect(own.canonicalBytes == state.canonicalBytes)
            #expect(own.vector == state.vector)
            #expect(try await engine.differences() == [])
            try fixture.check()
        }
    }

    @Test(.proves("SYN-086"), arguments: ["delete", "wal"])
    func `a new device joins by a snapshot, and reads the log after it alone`(
        mode: String
    ) async throws {
        let (a, b) = (try EngineFixture(), try EngineFixture())
        for fixture in [a, b] { try fixture.setJournal(mode) }
        try a.write(rows)
        let first = try await a.creating(hub, eager)
        let summary = try await first.synchronize()
        #expect(summary.sentSnapshots == 1)
        #expect(try await first.synchronize().sentSnapshots == 0)

        // Only what is behind the snapshot is left of the log.
        try await deleteLogs()
        try a.write("DELETE FROM item WHERE id = 'i7'; UPDATE list SET stars = stars + 1")
        try await first.push()
        let ticket = try await first.inviteDevice().ticket
        let second = try await b.joining(ticket, hub, SyncOptions())
        let joined = try await second.synchronize()
        #expect(joined.mergedSnapshots == 1 && joined.mergedUnits == 1)
        #expect(joined.mergedChanges == 600 + 301)
        try await expectEqual([(a, first), (b, second)])

        try b.write("UPDATE list SET title = 'Again', stars = stars + 5 WHERE id = 'l1'")
        try await second.synchronize()
        try await first.synchronize()
        try await expectEqual([(a, first), (b, second)])
        #expect(second.status.findings == [] && first.status.findings == [])
    }

    @Test(.proves("SYN-085"))
    func `a snapshot is written when the log is twice as long as the last one, by one device`()
        async throws
    {
        let (a, b) = (try EngineFixture(), try EngineFixture())
        var options = SyncOptions()
        options.leastSnapshotLog = 5000
        let first = try await a.creating(hub, options)
        let second = try await b.joining(
            try await first.inviteDevice().ticket, hub, options)
        try a.write("INSERT INTO list VALUES ('l', 'short', 1)")
        try await first.synchronize()
        #expect(try await snapshotNames().isEmpty)
        try a.write(rows)
        #expect(try await first.synchronize().sentSnapshots == 1)
        #expect(try await second.synchronize().sentSnapshots == 0)
        #expect(try await snapshotNames().filter { $0.hasSuffix("manifest") }.count == 1)
        // Short batches, until they are longer than two snapshots.
        let size = try await snapshotNames().filter { !$0.hasSuffix("manifest") }
            .asyncSum { try await hub.get($0).count }
        var length = 0
        while true {
            try b.write("UPDATE list SET title = hex(randomblob(40))")
            let before = hub.contents.values.reduce(0) { $0 + $1.count }
            let summary = try await second.synchronize()
            if summary.sentSnapshots > 0 { break }
            length += hub.contents.values.reduce(0) { $0 + $1.count } - before
            #expect(length <= 2 * size)
        }
        #expect(length + 60_000 > 2 * size)
        #expect(try await first.synchronize().sentSnapshots == 0)
        try await expectEqual([(a, first), (b, second)])
    }

    @Test(.proves("SYN-085"))
    func `a snapshot is written after thirty days`() async throws {
        let a = try EngineFixture()
        let time = Locked<Int64>(1_790_000_000_000)
        let hub = MemoryHub(time: { time.withLock { $0 } }, sleep: { _ in })
        var options = SyncOptions()
        options.time = { time.withLock { $0 } }
        let first = try await a.creating(hub, options)
        try a.write("INSERT INTO list VALUES ('l', 'short', 1)")
        #expect(try await first.synchronize().sentSnapshots == 0)
        time.withLock { $0 += 29 * 86_400_000 }
        #expect(try await first.synchronize().sentSnapshots == 0)
        time.withLock { $0 += 2 * 86_400_000 }
        #expect(try await first.synchronize().sentSnapshots == 1)
        time.withLock { $0 += 40 * 86_400_000 }
        #expect(try await first.synchronize().sentSnapshots == 0)
    }

    @Test(.proves("SYN-087"))
    func `a snapshot that was half written is not used, and is removed by who wrote it`()
        async throws
    {
        let (a, b) = (try EngineFixture(), try EngineFixture())
        try a.write(rows)
        var options = eager
        let isKilled = Locked(true)
        options.step = { step in
            if step == "manifest", isKilled.withLock({ $0 }) { throw EngineSimulation.Crash() }
        }
        let first = try await a.creating(hub, options)
        await #expect(throws: EngineSimulation.Crash.self) { try await first.synchronize() }
        let half = try await snapshotNames()
        #expect(half.count == 1)
        let second = try await b.joining(
            try await first.inviteDevice().ticket, hub, SyncOptions())
        #expect(try await second.synchronize().mergedSnapshots == 0)
        try await expectEqual([(a, first), (b, second)])
        isKilled.withLock { $0 = false }
        #expect(try await first.synchronize().sentSnapshots == 1)
        let names = try await snapshotNames()
        #expect(names.count == 2 && !names.contains(half[0]))
    }

    @Test(.proves("SYN-085"), arguments: 0..<12)
    func `a device that is killed while it merges a snapshot goes on`(crash: Int) async throws {
        let (a, b) = (try EngineFixture(), try EngineFixture())
        try a.write(rows)
        let first = try await a.creating(hub, eager)
        try await first.synchronize()
        try await deleteLogs()
        // What is here already, with edits that win over a deletion in the snapshot.
        try b.write("INSERT INTO list VALUES ('l5', 'mine', 7), ('own', 'mine', 1)")
        var options = SyncOptions()
        let left = Locked<Int?>(crash)
        options.step = { step in
            guard ["snapshot", "slice", "take"].contains(step) else { return }
            let isNow = left.withLock { count -> Bool in
                guard let now = count else { return false }
                count = now == 0 ? nil : now - 1
                return now == 0
            }
            if isNow { throw EngineSimulation.Crash() }
        }
        var second = try await b.joining(
            try await first.inviteDevice().ticket, hub, options)
        do {
            try await second.synchronize()
        } catch is EngineSimulation.Crash {
            second = try await SyncEngine.reopened(second, b.queue, hub, SyncOptions())
            try await second.synchronize()
        }
        try await first.synchronize()
        try await second.synchronize()
        #expect(try b.values("SELECT title FROM list WHERE id = 'own'") == ["mine"])
        try await expectEqual([(a, first), (b, second)])
    }

    @Test(.proves("SYN-086"))
    func `a device that was put back far behind merges a snapshot in place of deleted batches`()
        async throws
    {
        let (a, b) = (try EngineFixture(), try EngineFixture())
        try a.write(rows)
        let first = try await a.creating(hub, eager)
        let second = try await b.joining(
            try await first.inviteDevice().ticket, hub, SyncOptions())
        for _ in 0..<3 {
            try await first.synchronize()
            try await second.synchronize()
        }
        let old = try b.copied()
        for number in 0..<6 {
            try a.write("DELETE FROM item WHERE id = 'i\(number)'")
            try b.write("UPDATE list SET stars = stars + 1 WHERE id = 'l\(number + 1)'")
            try await second.synchronize()
            try await first.synchronize()
        }
        var summary = SyncSummary()
        try await first.publishSnapshot(&summary)
        try await deleteLogs(keepingLast: true)
        // It edits what was deleted meanwhile, and a list, where edits win.
        try old.write(
            """
            UPDATE item SET title = 'late' WHERE id = 'i3';
            UPDATE list SET title = 'late' WHERE id = 'l9';
            """)
        let third = try await SyncEngine.open(
            old.queue, hub, tables: EngineFixture.tables, SyncOptions())
        #expect(try await third.synchronize().mergedSnapshots == 1)
        try await first.synchronize()
        try await third.synchronize()
        #expect(try a.values("SELECT title FROM list WHERE id = 'l9'") == ["late"])
        #expect(try a.values("SELECT title FROM item WHERE id = 'i3'") == [])
        try await expectEqual([(a, first), (old, third)])
    }
}

extension [String] {
    func asyncSum(_ body: (String) async throws -> Int) async rethrows -> Int {
        var sum = 0
        for element in self { sum += try await body(element) }
        return sum
    }
}
