import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct DroppedColumnTests {
    private func migrated(
        _ fixture: EngineFixture, _ tables: [SyncedTable], _ sql: String
    ) throws {
        var migrator = DatabaseMigrator()
        migrator.pauseCapture(for: tables)
        migrator.registerMigration("drop") { try $0.execute(sql: sql) }
        try migrator.migrate(fixture.queue)
    }

    private static let rows = """
        INSERT INTO list VALUES ('l1', 'Groceries', 3);
        INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1.5, x'00ff'), ('i2', 'l1', 'Egg', 2, NULL);
        INSERT INTO tag VALUES ('t1', 'cold', 'i1');
        """

    @Test(.proves("SYN-141", "SYN-143"))
    func `a column that one device drops stays on the others`() async throws {
        let devices = try await TwoDevices(rows: Self.rows)
        try await devices.settle()
        try migrated(devices.b, EngineFixture.tables, "ALTER TABLE item DROP COLUMN price")
        var eager = SyncOptions()
        eager.leastSnapshotLog = 0
        let second = try await SyncEngine.reopened(
            devices.second, devices.b.queue, devices.hub, eager)
        try devices.b.write("UPDATE item SET title = 'Tea' WHERE id = 'i1'")
        try devices.a.write("UPDATE item SET price = 7, data = 'x' WHERE id = 'i2'")
        for engine in [second, devices.first, second, devices.first] {
            #expect(try await engine.synchronize().sentSnapshots == 0)
        }
        #expect(
            try devices.a.values("SELECT id || title || price FROM item ORDER BY id")
                == ["i1Tea1.5", "i2Egg7.0"])
        #expect(
            try devices.b.values("SELECT id || title FROM item ORDER BY id") == ["i1Tea", "i2Egg"])
        #expect(try await second.differences() == [])
        #expect(second.status.divergedDevices == [] && second.status.findings == [])
        #expect(devices.first.status.divergedDevices == [])
    }

    @Test(.proves("SYN-143"))
    func `a table that one device drops stays on the others`() async throws {
        let devices = try await TwoDevices(rows: Self.rows)
        try await devices.settle()
        let left = Array(EngineFixture.tables.prefix(2))
        try migrated(devices.b, left, "DROP TABLE tag")
        let second = try await SyncEngine.reopened(
            devices.second, devices.b.queue, devices.hub, tables: left, SyncOptions())
        try devices.a.write("UPDATE tag SET title = 'warm'; UPDATE item SET price = 9")
        try devices.b.write("UPDATE item SET title = 'Tea'")
        for engine in [devices.first, second, devices.first] { try await engine.synchronize() }
        #expect(try devices.a.values("SELECT title FROM tag") == ["warm"])
        #expect(try devices.a.values("SELECT DISTINCT title || price FROM item") == ["Tea9.0"])
        #expect(try devices.b.values("SELECT DISTINCT title || price FROM item") == ["Tea9.0"])
    }

    @Test(.proves("SYN-143"), arguments: [true, false])
    func `what was dropped and is there again comes back from another device`(
        isTable: Bool
    ) async throws {
        let devices = try await TwoDevices(rows: Self.rows)
        try await devices.settle()
        var eager = SyncOptions()
        eager.leastSnapshotLog = 0
        let left = Array(EngineFixture.tables.prefix(2))
        try migrated(
            devices.b, isTable ? left : EngineFixture.tables,
            isTable ? "DROP TABLE tag" : "ALTER TABLE item DROP COLUMN price")
        var second = try await SyncEngine.reopened(
            devices.second, devices.b.queue, devices.hub,
            tables: isTable ? left : EngineFixture.tables, eager)
        try devices.a.write(
            "UPDATE item SET price = 7 WHERE id = 'i2'; INSERT INTO tag VALUES ('t2', 'new', 'i2')")
        for engine in [devices.first, second] { try await engine.synchronize() }
        // A later version has it again.
        let sql =
            isTable
            ? "CREATE TABLE tag (id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL COLLATE NOCASE UNIQUE, item TEXT REFERENCES item ON DELETE SET NULL); CREATE INDEX tag_item ON tag (item)"
            : "ALTER TABLE item ADD COLUMN price REAL"
        var migrator = DatabaseMigrator()
        migrator.pauseCapture(for: EngineFixture.tables)
        for (name, sql) in [("drop", ""), ("again", sql)] {
            migrator.registerMigration(name) { try $0.execute(sql: sql) }
        }
        try migrator.migrate(devices.b.queue)
        second = try await SyncEngine.reopened(
            second, devices.b.queue, devices.hub, tables: EngineFixture.tables, eager)
        for engine in [second, devices.first, second] {
            #expect(try await engine.synchronize().sentSnapshots == 0)
        }
        // Nothing is gone elsewhere.
        #expect(
            try devices.a.texts("SELECT price FROM item ORDER BY id")
                == ["[price:1.5]", "[price:7.0]"])
        #expect(try devices.a.values("SELECT id FROM tag ORDER BY id") == ["t1", "t2"])
        // A snapshot of the other device has the rest.
        var summary = SyncSummary()
        try await devices.first.publishSnapshot(&summary)
        #expect(try await second.synchronize().mergedSnapshots == 1)
        #expect(try await second.synchronize().mergedSnapshots == 0)
        let prices = "SELECT id || title || price FROM item ORDER BY id"
        #expect(try devices.b.values(prices) == devices.a.values(prices))
        let tags = "SELECT id || title || item FROM tag ORDER BY id"
        #expect(try devices.b.values(tags) == devices.a.values(tags))
        #expect(try await second.differences() == [])
        try devices.b.write("UPDATE list SET title = hex(randomblob(2000))")
        #expect(try await second.synchronize().sentSnapshots == 1)
    }
}
