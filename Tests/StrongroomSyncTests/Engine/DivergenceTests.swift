import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite(.proves("SYN-084")) struct DivergenceTests {
    private func kept(_ fixture: EngineFixture) throws -> StateDigest? {
        try fixture.queue.read { try StoreSetting.digest.bytes($0) }.flatMap { StateDigest($0) }
    }

    private func computed(_ engine: SyncEngine) async throws -> StateDigest {
        let state = try await engine.mergedState()
        var keeper = try DigestKeeper()
        for row in state.sortedRows {
            try keeper.follow(row, in: state.schema[row.table], from: nil, to: state.rows[row])
        }
        return keeper.digest
    }

    @Test func `the digest follows what is written and merged, and travels with it`() async throws {
        let devices = try await TwoDevices(
            rows: """
                INSERT INTO list VALUES ('l1', 'Groceries', 3), ('l2', NULL, 0);
                INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1.5, x'00ff'), ('i2', 'l1', 'Egg', NULL, -0.0);
                """)
        for sql in [
            "UPDATE list SET title = 'Food', stars = stars + 2 WHERE id = 'l1'",
            "DELETE FROM item WHERE id = 'i2'", "UPDATE item SET title = 'Tea', price = 2",
            "INSERT INTO tag VALUES ('t1', 'cold', 'i1'), ('t2', 'COLD ', NULL)",
            "DELETE FROM list WHERE id = 'l1'; UPDATE tag SET title = 'warm' WHERE id = 't1'",
            "INSERT OR REPLACE INTO list VALUES ('l1', 'Again', 0)",
        ] {
            try devices.a.write(sql)
            try devices.b.write("UPDATE list SET stars = stars + 1")
            try await devices.settle()
            let digest = try await computed(devices.first)
            #expect(try kept(devices.a) == digest && kept(devices.b) == digest)
        }
        #expect(devices.first.status.divergedDevices == [])
        #expect(devices.second.status.divergedDevices == [])
        #expect(try await devices.first.verifyRows().problems == [])
    }

    @Test func `devices that differ find out in which rows`() async throws {
        let devices = try await TwoDevices(
            rows: """
                INSERT INTO list VALUES ('l1', 'Groceries', 3), ('l2', 'Tools', 0), ('l3', NULL, 0);
                INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1.5, x'00ff');
                """)
        try await devices.settle()
        #expect(try await devices.first.compare(with: "phone").tables == nil)
        let same = try await devices.second.compare(with: "laptop")
        #expect(same.tables == [] && same.rowCount == 4 && same.device == "laptop")
        #expect(try await devices.first.compare(with: devices.second.status.device).tables == [])
        // A damaged file: one row has another content, one is gone, one is strange.
        try devices.a.write("INSERT INTO list VALUES ('l4', 'New', 0)")
        try await devices.settle()
        try devices.b.write(
            """
            DELETE FROM strongroom_sync_row WHERE "key" = (
                SELECT "key" FROM strongroom_sync_row WHERE tbl = 1 LIMIT 1);
            UPDATE strongroom_sync_row SET state = (
                SELECT state FROM strongroom_sync_row WHERE tbl = 0 AND instr("key", 'l2'))
                WHERE tbl = 0 AND instr("key", 'l1');
            """)
        let damaged = try await SyncEngine.reopened(
            devices.second, devices.b.queue, devices.hub, SyncOptions())
        #expect(try await devices.first.compare(with: "phone").tables == nil)
        let found = try await damaged.compare(with: "laptop")
        #expect(found.tables?.map(\.table) == ["list", "item"])
        #expect(found.tables?.map(\.otherCount) == [1, 0])
        #expect(found.tables?.map(\.onlyThereCount) == [0, 1])
        #expect(found.tables?.map(\.onlyHereCount) == [0, 0])
        let back = try await devices.first.compare(with: "phone")
        #expect(back.tables?.map(\.onlyHereCount) == [0, 1])
        let error = await #expect(throws: SyncError.self) {
            try await devices.first.compare(with: "fridge")
        }
        #expect(error?.code == .notMember)
    }

    @Test func `devices with the same batches and another state say so, until they agree`()
        async throws
    {
        let devices = try await TwoDevices(
            rows: "INSERT INTO list VALUES ('l1', 'Groceries', 3), ('l2', NULL, 0)")
        try await devices.settle()
        // A defect, or a damaged file: one row is gone.
        let digest = try kept(devices.b)
        try devices.b.write(
            "UPDATE strongroom_sync_setting SET value = zeroblob(32) WHERE name = 'digest'")
        let damaged = try await SyncEngine.reopened(
            devices.second, devices.b.queue, devices.hub, SyncOptions())
        try devices.a.write("UPDATE list SET title = 'x' WHERE id = 'l1'")
        try await devices.first.synchronize()
        try await damaged.synchronize()
        #expect(damaged.status.divergedDevices == [devices.first.status.device])
        #expect(try await damaged.verifyRows().problems.count == 1)
        try devices.b.write("UPDATE list SET title = 'y' WHERE id = 'l1'")
        try await damaged.synchronize()
        try await devices.first.synchronize()
        #expect(devices.first.status.divergedDevices == [damaged.status.device])
        let report = try await devices.a.queue.read { try SyncReport($0) }
        #expect(report?.divergedDevices == [damaged.status.device])
        #expect(digest != nil)
    }
}
