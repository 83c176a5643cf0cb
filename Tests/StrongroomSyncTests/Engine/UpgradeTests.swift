import Strongroom
import StrongroomCore
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

/// Apps that migrate, each at its own time.
@Suite struct UpgradeTests {
    private static let rows = """
        INSERT INTO list VALUES ('l1', 'Groceries', 3), ('l2', 'Tools', 0);
        INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1.5, x'00ff'), ('i2', 'l1', 'Egg', 2, NULL);
        INSERT INTO tag VALUES ('t1', 'cold', 'i1'), ('t2', 'dear', NULL);
        """

    private func migrate(_ fixture: EngineFixture, _ sql: String, isPaused: Bool = true) throws {
        var migrator = DatabaseMigrator()
        if isPaused { migrator.pauseCapture(for: EngineFixture.tables) }
        migrator.registerMigration(sql) { try $0.execute(sql: sql) }
        try migrator.migrate(fixture.queue)
    }

    private static let shown = """
        SELECT 'list' || id || title || stars FROM list
        UNION ALL SELECT 'item' || id || list || title || price FROM item
        UNION ALL SELECT 'tag' || id || title || ifnull(item, '') FROM tag ORDER BY 1
        """

    @Test(.proves("SYN-006", "SYN-140"), arguments: [true, false])
    func `what was written before a migration and not sent is sent after it`(
        isPaused: Bool
    ) async throws {
        let devices = try await TwoDevices(rows: Self.rows)
        try await devices.settle()
        try devices.b.write(
            """
            UPDATE tag SET title = 'warm' WHERE id = 't1'; DELETE FROM tag WHERE id = 't2';
            UPDATE list SET stars = stars + 5, title = 'Food' WHERE id = 'l1';
            DELETE FROM item WHERE id = 'i2'; INSERT INTO item VALUES ('i3', 'l2', 'Saw', 9, NULL);
            UPDATE item SET list = 'l2' WHERE id = 'i1';
            """)
        let written = try devices.b.values(Self.shown)
        try migrate(devices.b, "ALTER TABLE item ADD COLUMN note TEXT", isPaused: isPaused)
        let second = try await SyncEngine.reopened(
            devices.second, devices.b.queue, devices.hub, SyncOptions())
        #expect(try devices.b.values(Self.shown) == written)
        for engine in [second, devices.first, second] { try await engine.synchronize() }
        #expect(try devices.a.values(Self.shown) == written)
        #expect(try devices.b.values(Self.shown) == written)
        #expect(try await second.differences() == [])
    }
}

extension UpgradeTests {
    @Test(.proves("SYN-147"))
    func `a migration of one table writes nothing for the rows of others`() async throws {
        var counts: [Int] = []
        for rowCount in [10, 1000] {
            let rows = """
                INSERT INTO list VALUES ('l1', 'Groceries', 3);
                INSERT INTO item VALUES ('i1', 'l1', 'Milk', 1.5, x'00ff');
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rowCount))
                INSERT INTO tag SELECT 't' || i, 'tag ' || i, NULL FROM n;
                """
            let devices = try await TwoDevices(rows: rows)
            try await devices.settle()
            try devices.b.write("ALTER TABLE list ADD COLUMN color TEXT NOT NULL DEFAULT 'green'")
            let before = try await devices.b.queue.write { $0.totalChangesCount }
            _ = try await SyncEngine.reopened(
                devices.second, devices.b.queue, devices.hub, SyncOptions())
            counts.append(try await devices.b.queue.write { $0.totalChangesCount } - before)
        }
        #expect(counts[0] == counts[1])
    }

    private static let simple = """
        CREATE TABLE a (id TEXT PRIMARY KEY NOT NULL, t TEXT UNIQUE);
        CREATE TABLE b (id TEXT PRIMARY KEY NOT NULL, t TEXT);
        """

    @Test(.proves("SYN-143"))
    func `a table that rests, is dropped, and is there again deletes nothing elsewhere`()
        async throws
    {
        let both = [SyncedTable("a"), SyncedTable("b")]
        let devices = try await TwoDevices(
            MemoryHub(), Self.simple, both,
            rows: "INSERT INTO a VALUES ('1', 'x'), ('2', 'y'); INSERT INTO b VALUES ('1', 'z')")
        try await devices.settle()
        var second = try await SyncEngine.reopened(
            devices.second, devices.b.queue, devices.hub, tables: [both[1]], SyncOptions())
        try devices.a.write("UPDATE a SET t = 'X' WHERE id = '1'")
        for engine in [devices.first, second] { try await engine.synchronize() }
        try devices.b.write("DROP TABLE a")
        second = try await SyncEngine.reopened(
            second, devices.b.queue, devices.hub, tables: [both[1]], SyncOptions())
        try await second.synchronize()
        try devices.b.write("CREATE TABLE a (id TEXT PRIMARY KEY NOT NULL, t TEXT UNIQUE)")
        second = try await SyncEngine.reopened(
            second, devices.b.queue, devices.hub, tables: both, SyncOptions())
        for engine in [second, devices.first, second] { try await engine.synchronize() }
        for device in [devices.a, devices.b] {
            #expect(try device.values("SELECT id || t FROM a ORDER BY 1") == ["1X", "2y"])
        }
        #expect(try await second.differences() == [])
    }

    @Test(.proves("SYN-006", "SYN-143"))
    func `a table that is renamed without its declaration being told keeps what was written`()
        async throws
    {
        let devices = try await TwoDevices(
            MemoryHub(), Self.simple, [SyncedTable("a"), SyncedTable("b")],
            rows:
                "INSERT INTO a VALUES ('1', 'x'), ('2', 'y'), ('3', 'w'); INSERT INTO b VALUES ('1', 'z')"
        )
        try await devices.settle()
        try devices.b.write(
            """
            UPDATE a SET t = 'mine' WHERE id = '1'; DELETE FROM a WHERE id = '2';
            ALTER TABLE a RENAME TO c; ALTER TABLE c RENAME COLUMN t TO u;
            INSERT INTO c VALUES ('4', 'new'); UPDATE c SET u = 'late' WHERE id = '3';
            """)
        let second = try await SyncEngine.reopened(
            devices.second, devices.b.queue, devices.hub,
            tables: [
                SyncedTable("c", renamedFrom: "a", renamedColumns: ["u": "t"]), SyncedTable("b"),
            ], SyncOptions())
        for engine in [second, devices.first, second] { try await engine.synchronize() }
        let expected = ["1mine", "3late", "4new"]
        #expect(try devices.a.values("SELECT id || t FROM a ORDER BY 1") == expected)
        #expect(try devices.b.values("SELECT id || u FROM c ORDER BY 1") == expected)
        #expect(try await second.differences() == [])
    }

    @Test(.proves("SYN-144"))
    func `a value that does not fit the type that a column has on a device is held there`()
        async throws
    {
        let sql = "CREATE TABLE part (id TEXT PRIMARY KEY NOT NULL, size INTEGER, name TEXT) STRICT"
        let tables = [SyncedTable("part")]
        let devices = try await TwoDevices(
            MemoryHub(), sql, tables,
            rows: "INSERT INTO part VALUES ('p1', 3, 'bolt'), ('p2', 4, 'nut')")
        try await devices.settle()
        var migrator = DatabaseMigrator()
        migrator.pauseCapture(for: tables)
        migrator.registerMigration("sizes are texts") { db in
            try db.execute(
                sql: """
                    CREATE TABLE new (id TEXT PRIMARY KEY NOT NULL, size TEXT, name TEXT) STRICT;
                    INSERT INTO new SELECT * FROM part; DROP TABLE part;
                    ALTER TABLE new RENAME TO part;
                    """)
        }
        try migrator.migrate(devices.b.queue)
        let second = try await SyncEngine.reopened(
            devices.second, devices.b.queue, devices.hub, tables: tables, SyncOptions())
        try devices.b.write("UPDATE part SET size = 'large' WHERE id = 'p1'")
        try devices.a.write("UPDATE part SET name = 'nuts' WHERE id = 'p2'")
        for engine in [second, devices.first, second] { try await engine.synchronize() }
        #expect(try devices.a.values("SELECT id || size || name FROM part") == ["p24nuts"])
        let shown = try devices.b.values("SELECT id || size || name FROM part ORDER BY 1")
        #expect(shown == ["p1largebolt", "p24nuts"])
        #expect(devices.first.status.heldRows.values.reduce(0, +) == 1)
        try migrator.migrate(devices.a.queue)
        let first = try await SyncEngine.reopened(
            devices.first, devices.a.queue, devices.hub, tables: tables, SyncOptions())
        for engine in [first, second, first] { try await engine.synchronize() }
        #expect(try devices.a.values("SELECT id || size || name FROM part ORDER BY 1") == shown)
        for engine in [first, second] { #expect(try await engine.differences() == []) }
    }
}
