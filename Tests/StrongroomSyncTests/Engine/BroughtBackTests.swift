import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Rows that come back, or do not, where what ended them comes in pieces or more than once.
@Suite struct BroughtBackTests {
    private let hub = MemoryHub()
    private static let sql = """
        CREATE TABLE kept (id TEXT PRIMARY KEY NOT NULL, title TEXT, stars INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE item (id TEXT PRIMARY KEY NOT NULL, title TEXT);
        CREATE TABLE note (id TEXT PRIMARY KEY NOT NULL, item TEXT NOT NULL REFERENCES item ON DELETE RESTRICT);
        CREATE INDEX note_item ON note (item);
        CREATE TABLE box (id TEXT PRIMARY KEY NOT NULL, stars INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE thing (id TEXT PRIMARY KEY NOT NULL, box TEXT NOT NULL REFERENCES box ON DELETE RESTRICT);
        CREATE INDEX thing_box ON thing (box);
        """
    private static let tables = [
        SyncedTable("kept", merge: ["stars": .counter], onConflictingDelete: .editWins),
        SyncedTable("item"), SyncedTable("note"),
        SyncedTable("box", merge: ["stars": .counter]), SyncedTable("thing"),
    ]

    private struct Devices {
        var fixtures: [EngineFixture] = []
        var engines: [SyncEngine] = []
    }

    private func devices(_ count: Int, _ options: [SyncOptions] = []) async throws -> Devices {
        var devices = Devices()
        for number in 0..<count {
            let fixture = try EngineFixture(Self.sql, Self.tables)
            let options = number < options.count ? options[number] : SyncOptions()
            if number == 0 {
                devices.engines.append(try await fixture.creating(hub, options))
            } else {
                let ticket = try await devices.engines[0].inviteDevice().ticket
                devices.engines.append(try await fixture.joining(ticket, hub, options))
            }
            devices.fixtures.append(fixture)
        }
        return devices
    }

    private func settle(_ devices: Devices) async throws {
        for _ in 0..<3 { for engine in devices.engines { try await engine.synchronize() } }
        let rows = try devices.fixtures[0].rows()
        for (fixture, engine) in zip(devices.fixtures, devices.engines) {
            #expect(try fixture.rows() == rows)
            #expect(try await engine.differences() == [])
            try fixture.check()
        }
    }

    @Test(.proves("SYN-041"))
    func `an edit wins over two deletions that come at once`() async throws {
        let all = try await devices(3)
        let (a, b, c) = (all.fixtures[0], all.fixtures[1], all.fixtures[2])
        try a.write("INSERT INTO kept VALUES ('k', 'first', 0)")
        try await settle(all)
        try b.write("UPDATE kept SET stars = stars + 2")
        try c.write("UPDATE kept SET title = 'mine'")
        // B brings the row back, A deletes it again: neither has seen what C wrote.
        try a.write("DELETE FROM kept")
        try await all.engines[0].synchronize()
        try await all.engines[1].synchronize()
        #expect(try b.values("SELECT title || stars FROM kept") == ["first2"])
        try await all.engines[0].synchronize()
        try a.write("DELETE FROM kept")
        try await all.engines[0].synchronize()
        try await settle(all)
        #expect(try a.values("SELECT title FROM kept") == ["mine"])
    }

    /// The options of a device that is killed after some steps of one kind, and how many are left.
    private func killed(at step: String) -> (SyncOptions, Locked<Int?>) {
        var options = SyncOptions()
        options.holdCount = 1
        let left = Locked<Int?>(nil)
        options.step = { name in
            guard name == step else { return }
            let isNow = left.withLock { number -> Bool in
                guard let now = number else { return false }
                number = now == 0 ? nil : now - 1
                return now == 0
            }
            if isNow { throw EngineSimulation.Crash() }
        }
        return (options, left)
    }

    @Test(.proves("SYN-120"), arguments: 1..<3)
    func `a parent stays deleted with its child though a process ends between both`(
        slice: Int
    ) async throws {
        let (options, left) = killed(at: "slice")
        var all = try await devices(3, [SyncOptions(), options])
        let (a, b, c) = (all.fixtures[0], all.fixtures[1], all.fixtures[2])
        try a.write("INSERT INTO item VALUES ('i', 'first'), ('j', 'other')")
        try await settle(all)
        try b.write("INSERT INTO note VALUES ('n', 'i')")
        try await settle(all)
        try a.write("DELETE FROM note; DELETE FROM item WHERE id = 'i'")
        try await all.engines[0].synchronize()
        var summary = SyncSummary()
        try await all.engines[0].publishSnapshot(&summary)
        // What only the snapshot has from now on.
        let (store, membership) = (await all.engines[0].store, await all.engines[0].membership)
        try a.write("UPDATE item SET title = 'later'")
        try await all.engines[0].push()
        for number in 1...store.runs.vector[store.run] {
            let name = HubName.batch(membership.identity.device, store.run, number)
            try await hub.delete(name.text(in: membership.space))
        }
        left.withLock { $0 = slice }
        await #expect(throws: EngineSimulation.Crash.self) {
            try await all.engines[1].synchronize()
        }
        // Something else comes before the rest of the snapshot.
        try c.write("UPDATE item SET title = 'c' WHERE id = 'j'")
        try await all.engines[2].push()
        all.engines[1] = try await SyncEngine.reopened(
            all.engines[1], b.queue, hub, SyncOptions())
        try await all.engines[1].synchronize()
        try await settle(all)
        #expect(try a.values("SELECT id FROM item") == ["j"])
        #expect(try a.values("SELECT id FROM note") == [])
    }

    @Test(.proves("SYN-120"), arguments: [false, true], [1, 100])
    func `a parent that comes back has what another device had added to it`(
        isAddedLate: Bool, holdCount: Int
    ) async throws {
        var options = SyncOptions()
        options.holdCount = holdCount
        let all = try await devices(3, [options, options, options])
        let (a, b, c) = (all.fixtures[0], all.fixtures[1], all.fixtures[2])
        try a.write("INSERT INTO box VALUES ('x', 8)")
        try await settle(all)
        try c.write("UPDATE box SET stars = stars + 4")
        try b.write("INSERT INTO thing VALUES ('t', 'x')")
        try a.write("DELETE FROM box")
        try await all.engines[0].synchronize()
        // C learns of the deletion, and B brings the box back before or after it has what C added.
        if isAddedLate {
            try await all.engines[2].fetchChanges()
        } else {
            try await all.engines[2].synchronize()
        }
        #expect(try c.values("SELECT stars FROM box") == [])
        try await all.engines[1].synchronize()
        if isAddedLate { #expect(try b.values("SELECT stars FROM box") == ["8"]) }
        try await settle(all)
        #expect(try a.values("SELECT stars FROM box") == ["12"])
        try c.write("UPDATE box SET stars = stars + 1")
        try await settle(all)
        #expect(try a.values("SELECT stars FROM box") == ["13"])
        let kept = "SELECT count(*) FROM strongroom_sync_ended"
        for fixture in all.fixtures { #expect(try fixture.values(kept) == ["0"]) }
    }
}
