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
}
