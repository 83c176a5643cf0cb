import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// A device offers everything again.
@Suite(.proves("SYN-170")) struct ResendTests {
    private static let rows = """
        INSERT INTO list VALUES ('l1', 'Groceries', 3), ('l2', 'Tools', 1);
        INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1.5, x'00ff');
        """

    @Test func `another device gets what nobody keeps any more, and no counter grows`()
        async throws
    {
        let hub = MemoryHub()
        let devices = try await TwoDevices(hub, rows: Self.rows)
        try await devices.settle()
        let before = Set(hub.contents.keys)
        try devices.a.write(
            """
            INSERT INTO list VALUES ('l3', 'Books', 7); DELETE FROM list WHERE id = 'l2';
            UPDATE list SET stars = stars + 10, title = 'Food' WHERE id = 'l1';
            """)
        try await devices.first.synchronize()
        // The hub loses it, and the device does not have it any more, as after a floor.
        hub.restore(hub.contents.filter { before.contains($0.key) })
        try devices.a.write("DELETE FROM strongroom_sync_outbox")
        try devices.b.write("UPDATE list SET stars = stars + 100, title = 'Later' WHERE id = 'l1'")
        for engine in [devices.second, devices.first, devices.second] {
            try await engine.synchronize()
        }
        #expect(try devices.b.values("SELECT id FROM list ORDER BY 1") == ["l1", "l2"])
        for _ in 1...2 {
            let summary = try await devices.first.resend()
            #expect(summary.sentSnapshots == 1)
            try await devices.second.synchronize()
            try await devices.first.synchronize()
            for device in [devices.a, devices.b] {
                let lists = try device.values("SELECT id || title || stars FROM list ORDER BY 1")
                #expect(lists == ["l1Later113", "l3Books7"])
            }
        }
        #expect(try await devices.first.verifyHub().problems == [])
        for engine in [devices.first, devices.second] {
            #expect(try await engine.differences() == [])
        }
    }

    @Test func `what was written without triggers is offered, too`() async throws {
        let devices = try await TwoDevices(rows: Self.rows)
        try await devices.settle()
        let name = try #require(
            try devices.a.values(
                "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'item' AND sql LIKE '%AFTER INSERT%'"
            ).first)
        let sql = try devices.a.values("SELECT sql FROM sqlite_master WHERE name = '\(name)'")[0]
        try devices.a.write(
            "DROP TRIGGER \(name); INSERT INTO item VALUES ('i2', 'l1', 'Egg', 2, NULL); \(sql)")
        try await devices.first.resend()
        try await devices.settle()
        #expect(try devices.b.values("SELECT id FROM item ORDER BY 1") == ["i1", "i2"])
    }

    @Test func `a device that lacks a column offers nothing`() async throws {
        let devices = try await TwoDevices(rows: Self.rows)
        try await devices.settle()
        try devices.a.write("ALTER TABLE item ADD COLUMN note TEXT")
        let first = try await SyncEngine.reopened(
            devices.first, devices.a.queue, devices.hub, SyncOptions())
        try devices.a.write("UPDATE item SET note = 'new'")
        for engine in [first, devices.second] { try await engine.synchronize() }
        await #expect { try await devices.second.resend() } throws: { error in
            (error as? SyncError)?.code == .missingTable
        }
        #expect(try await first.resend().sentSnapshots == 1)
    }
}
