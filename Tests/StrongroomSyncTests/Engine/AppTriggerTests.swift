import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// What triggers of the app do while the engine applies what others wrote.
@Suite struct AppTriggerTests {
    private static let sql = """
        CREATE TABLE list (
            id TEXT PRIMARY KEY NOT NULL, title TEXT, count INTEGER NOT NULL DEFAULT 0, updatedAt TEXT);
        CREATE TABLE item (
            id TEXT PRIMARY KEY NOT NULL, list TEXT REFERENCES list ON DELETE CASCADE, title TEXT,
            updatedAt TEXT);
        CREATE INDEX item_list ON item (list);
        CREATE TABLE audit (id TEXT PRIMARY KEY NOT NULL, item TEXT, what TEXT);
        """
    private static let tables = [SyncedTable("list"), SyncedTable("item"), SyncedTable("audit")]

    private func devices(_ triggers: String, rows: String = "") async throws -> TwoDevices {
        try await TwoDevices(MemoryHub(), Self.sql + triggers, Self.tables, rows: rows)
    }

    /// Exchanges until nothing is new. Nothing may be sent then, though triggers fired on both sides.
    private func settle(_ devices: TwoDevices) async throws {
        try await devices.settle()
        for engine in [devices.first, devices.second] {
            let summary = try await engine.synchronize()
            #expect(summary.sentBatches == 0 && summary.localChanges == 0)
            #expect(try await engine.differences() == [])
        }
    }

    @Test("`updatedAt` is what the writer's trigger wrote", .proves("SYN-028"))
    func updatedAt() async throws {
        let devices = try await devices(
            """
            CREATE TRIGGER touch AFTER UPDATE OF title ON item BEGIN
                UPDATE item SET updatedAt = lower(hex(randomblob(8))) WHERE id = new.id; END;
            CREATE TRIGGER born AFTER INSERT ON item BEGIN
                UPDATE item SET updatedAt = lower(hex(randomblob(8))) WHERE id = new.id; END;
            """, rows: "INSERT INTO item VALUES ('i1', NULL, 'Milk', NULL)")
        try await settle(devices)
        let first = try devices.a.values("SELECT updatedAt FROM item")
        #expect(try devices.b.values("SELECT updatedAt FROM item") == first)
        try devices.b.write("UPDATE item SET title = 'Oat milk'")
        let second = try devices.b.values("SELECT updatedAt FROM item")
        #expect(second != first)
        try await settle(devices)
        #expect(try devices.a.values("SELECT updatedAt FROM item") == second)
        #expect(devices.first.status.overruledTriggers == [])
    }

    @Test("counts of items are those of the writers", .proves("SYN-028"))
    func counts() async throws {
        let devices = try await devices(
            """
            CREATE TRIGGER added AFTER INSERT ON item BEGIN
                UPDATE list SET count = count + 1 WHERE id = new.list; END;
            CREATE TRIGGER removed AFTER DELETE ON item BEGIN
                UPDATE list SET count = count - 1 WHERE id = old.list; END;
            """, rows: "INSERT INTO list VALUES ('l1', 'Food', 0, NULL)")
        try await settle(devices)
        try devices.a.write(
            "INSERT INTO item VALUES ('i1', 'l1', 'Milk', NULL), ('i2', 'l1', 'Egg', NULL)")
        try await settle(devices)
        #expect(try devices.b.values("SELECT count FROM list") == ["2"])
        try devices.b.write("DELETE FROM item WHERE id = 'i1'")
        try await settle(devices)
        #expect(try devices.a.values("SELECT count FROM list") == ["1"])
        // A row that is held is not shown, and counts for nothing.
        try devices.a.write("DELETE FROM list")
        try devices.b.write("INSERT INTO item VALUES ('i3', 'l1', 'Tea', NULL)")
        try await settle(devices)
        #expect(try devices.a.rows() == [])
        #expect(devices.first.status.overruledTriggers == [])
    }

    @Test("rows of an audit are those that the writer's trigger wrote", .proves("SYN-028"))
    func audit() async throws {
        let devices = try await devices(
            """
            CREATE TRIGGER audited AFTER INSERT ON item BEGIN
                INSERT INTO audit VALUES (lower(hex(randomblob(16))), new.id, 'added'); END;
            CREATE TRIGGER replaced AFTER UPDATE ON item BEGIN
                INSERT OR REPLACE INTO audit VALUES ('last', new.id, new.title); END;
            CREATE TRIGGER audit_touched AFTER DELETE ON item BEGIN
                DELETE FROM audit WHERE item = old.id; END;
            """)
        try devices.a.write("INSERT INTO item VALUES ('i1', NULL, 'Milk', NULL)")
        try devices.b.write("INSERT INTO item VALUES ('i2', NULL, 'Egg', NULL)")
        try await settle(devices)
        #expect(try devices.a.values("SELECT count(*) FROM audit") == ["2"])
        try devices.a.write("UPDATE item SET title = 'Oat milk' WHERE id = 'i1'")
        try await settle(devices)
        try devices.b.write("UPDATE item SET title = 'Goose egg' WHERE id = 'i2'")
        try await settle(devices)
        #expect(
            try devices.a.values("SELECT what FROM audit WHERE id = 'last'") == ["Goose egg"])
        try devices.a.write("DELETE FROM item WHERE id = 'i2'")
        try await settle(devices)
        #expect(try devices.b.values("SELECT item FROM audit WHERE what = 'added'") == ["i1"])
        #expect(devices.first.status.overruledTriggers == [])
        #expect(devices.second.status.overruledTriggers == [])
    }

    @Test("what a trigger writes is not in the way of a unique value", .proves("SYN-028"))
    func inTheWay() async throws {
        let devices = try await devices(
            """
            CREATE UNIQUE INDEX audit_what ON audit (what);
            CREATE TRIGGER audited AFTER INSERT ON item BEGIN
                INSERT INTO audit VALUES (lower(hex(randomblob(16))), new.id, new.title); END;
            """)
        try devices.a.write("INSERT INTO item VALUES ('i1', NULL, 'Milk', NULL)")
        try await settle(devices)
        let rows = try devices.a.rows()
        try devices.b.write("DELETE FROM audit; INSERT INTO item VALUES ('i2', NULL, 'Egg', NULL)")
        try await settle(devices)
        #expect(try devices.a.rows() != rows)
        #expect(try devices.a.values("SELECT count(*) FROM audit") == ["1"])
    }

    @Test("a trigger that fights back is turned off, and the status names it", .proves("SYN-028"))
    func fought() async throws {
        let devices = try await devices(
            """
            CREATE TRIGGER always AFTER UPDATE ON item BEGIN
                UPDATE item SET updatedAt = lower(hex(randomblob(8))) WHERE id = new.id; END;
            CREATE TRIGGER harmless AFTER UPDATE ON list BEGIN SELECT 1; END;
            """, rows: "INSERT INTO item VALUES ('i1', NULL, 'Milk', NULL)")
        try await settle(devices)
        try devices.b.write("UPDATE item SET title = 'Oat milk'")
        let written = try devices.b.values("SELECT updatedAt FROM item")
        try await settle(devices)
        #expect(try devices.a.values("SELECT updatedAt FROM item") == written)
        #expect(devices.first.status.overruledTriggers == ["always"])
        #expect(devices.second.status.overruledTriggers == [])
        // The triggers fire for the app as before.
        try devices.a.write("UPDATE item SET title = 'Soy milk'")
        #expect(try devices.a.values("SELECT updatedAt FROM item") != written)
        try await settle(devices)
    }

    @Test(
        "triggers that refuse, ignore or roll back what others wrote do not stop it",
        .proves("SYN-028"),
        arguments: ["ABORT, 'no'", "FAIL, 'no'", "IGNORE", "ROLLBACK, 'no'"])
    func refusals(_ raise: String) async throws {
        let devices = try await TwoDevices(MemoryHub(), Self.sql, Self.tables)
        try devices.a.write(
            """
            CREATE TRIGGER no_insert BEFORE INSERT ON item WHEN new.title = 'bad' BEGIN
                SELECT RAISE(\(raise)); END;
            CREATE TRIGGER no_update BEFORE UPDATE ON item WHEN new.title = 'worse' BEGIN
                SELECT RAISE(\(raise)); END;
            CREATE TRIGGER no_delete BEFORE DELETE ON item BEGIN SELECT RAISE(\(raise)); END;
            """)
        try devices.b.write(
            "INSERT INTO item VALUES ('i1', NULL, 'bad', NULL), ('i2', NULL, '', '')")
        try await settle(devices)
        #expect(try devices.a.values("SELECT count(*) FROM item") == ["2"])
        try devices.b.write("UPDATE item SET title = 'worse' WHERE id = 'i2'")
        try await settle(devices)
        try devices.b.write("DELETE FROM item")
        try await settle(devices)
        #expect(try devices.a.rows() == [])
        #expect(devices.first.status.overruledTriggers.contains("no_delete"))
    }

    @Test("tables that are not shared get what triggers write to them", .proves("SYN-028"))
    func derived() async throws {
        let devices = try await devices(
            """
            CREATE VIRTUAL TABLE search USING fts5(title, content='item');
            CREATE TRIGGER s1 AFTER INSERT ON item BEGIN
                INSERT INTO search (rowid, title) VALUES (new.rowid, new.title); END;
            CREATE TRIGGER s2 AFTER DELETE ON item BEGIN
                INSERT INTO search (search, rowid, title) VALUES ('delete', old.rowid, old.title); END;
            CREATE TRIGGER s3 AFTER UPDATE ON item BEGIN
                INSERT INTO search (search, rowid, title) VALUES ('delete', old.rowid, old.title);
                INSERT INTO search (rowid, title) VALUES (new.rowid, new.title); END;
            CREATE TABLE seen (origin);
            CREATE TRIGGER s4 AFTER INSERT ON item BEGIN
                INSERT INTO seen VALUES (1); END;
            """)
        try devices.a.write("INSERT INTO item VALUES ('i1', NULL, 'oat milk', NULL)")
        try await settle(devices)
        let query = "SELECT title FROM search WHERE search MATCH 'milk'"
        #expect(try devices.b.values(query) == ["oat milk"])
        try devices.a.write("UPDATE item SET title = 'oat flakes'")
        try await settle(devices)
        #expect(try devices.b.values(query) == [])
        try devices.b.write("INSERT INTO search (search) VALUES ('integrity-check')")
        #expect(try devices.b.values("SELECT count(*) FROM seen") == ["1"])
        #expect(devices.second.status.overruledTriggers == [])
    }

    @Test("triggers of a connection are put right, too", .proves("SYN-028"))
    func temporary() async throws {
        let devices = try await devices("")
        try devices.b.write(
            """
            CREATE TEMP TRIGGER mine AFTER INSERT ON item BEGIN
                UPDATE item SET updatedAt = 'mine' WHERE id = new.id;
                DELETE FROM audit; END
            """)
        try devices.a.write(
            "INSERT INTO audit VALUES ('a', NULL, 'kept'); INSERT INTO item VALUES ('i1', NULL, 'x', 'his')"
        )
        try await settle(devices)
        #expect(try devices.b.values("SELECT updatedAt FROM item") == ["his"])
        try devices.a.write("INSERT INTO item VALUES ('i2', NULL, 'x', 'his')")
        try await settle(devices)
        #expect(try devices.b.values("SELECT what FROM audit") == ["kept"])
    }
}
