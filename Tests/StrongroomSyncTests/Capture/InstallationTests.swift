import Foundation
import Strongroom
import StrongroomCore
import StrongroomSchema
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct InstallationTests {
    private static let schema = """
        CREATE TABLE t (id TEXT PRIMARY KEY NOT NULL, a, b);
        CREATE TABLE s (id TEXT PRIMARY KEY NOT NULL, t TEXT REFERENCES t);
        CREATE INDEX st ON s (t); CREATE VIEW v AS SELECT a FROM t;
        CREATE TRIGGER mine AFTER UPDATE OF a ON t BEGIN UPDATE t SET b = 1 WHERE id = new.id; END;
        INSERT INTO t VALUES ('x', 1, 2); INSERT INTO s VALUES ('y', 'x');
        """
    private static let declarations = [SyncedTable("t"), SyncedTable("s")]

    private let fixture: CaptureFixture

    init() throws { fixture = try CaptureFixture(Self.schema, Self.declarations) }

    private func install(_ declarations: [SyncedTable] = Self.declarations) throws
        -> [CapturedTable]
    {
        try fixture.write { db throws in try Capture.install(db, SyncSchema(db, declarations)) }
    }

    private func scans(_ tables: [CapturedTable]) -> [CapturedTable.ScanReason?] {
        tables.map(\.scan)
    }

    private func didScan() throws {
        for table in try install() { try fixture.write { try Capture.didScan($0, table) } }
    }

    @Test(.proves("SYN-030"))
    func
        `triggers that are as they should be stay, and others are made anew and the table is scanned`()
        throws
    {
        #expect(scans(try install()) == [.new, .new])
        try didScan()
        #expect(scans(try install()) == [nil, nil])
        let version = try fixture.write { try Int.fetchOne($0, sql: "PRAGMA schema_version") }
        #expect(scans(try install()) == [nil, nil])
        #expect(try fixture.write { try Int.fetchOne($0, sql: "PRAGMA schema_version") } == version)
        for sql in [
            "DROP TRIGGER strongroom_sync_update_t",
            "DROP TRIGGER strongroom_sync_delete_t; CREATE TRIGGER strongroom_sync_delete_t AFTER DELETE ON t BEGIN SELECT 1; END",
            "CREATE TRIGGER strongroom_sync_insert_other AFTER INSERT ON t BEGIN SELECT 1; END",
            "ALTER TABLE t ADD COLUMN c", "ALTER TABLE t RENAME COLUMN a TO aa",
        ] {
            try fixture.write { try $0.execute(sql: sql) }
            #expect(scans(try install()) == [.triggers, nil], "\(sql)")
            // The reason stays until the table was scanned.
            #expect(scans(try install()) == [.triggers, nil])
            try didScan()
            #expect(scans(try install()) == [nil, nil])
        }
        try fixture.write { db throws in
            #expect(
                try fixture.words(db, "DELETE FROM s; UPDATE t SET c = 1").sorted() == [
                    "s 'y': deleted", "t 'x': c",
                ])
        }
    }

    @Test(.proves("SYN-030"))
    func `columns keep their positions, and tables their numbers`() throws {
        func positions() throws -> [String: Int] {
            let table = try install()[0]
            return Dictionary(
                uniqueKeysWithValues: zip(table.table.columns.map(\.name), table.positions))
        }
        #expect(try positions() == ["a": 0, "b": 1])
        try fixture.write { db throws in
            try db.execute(sql: "UPDATE t SET b = 7")
            try Capture.removeTriggers(db, of: "t")
            try db.execute(
                sql:
                    "DROP TRIGGER mine; DROP VIEW v; ALTER TABLE t DROP COLUMN a; ALTER TABLE t ADD COLUMN c"
            )
        }
        #expect(try positions() == ["b": 1, "c": 2])
        try fixture.write { db throws in
            #expect(try fixture.words(db, "UPDATE t SET c = 7") == ["t 'x': b c"])
            try db.execute(sql: "UPDATE s SET t = NULL")
        }
        // A table that is no longer shared has neither triggers nor notes, and later another number.
        let numbers = try install().map(\.number)
        _ = try install([Self.declarations[0]])
        try fixture.write { db throws in
            #expect(try Capture.installed(db, on: "s") == [:])
            #expect(try fixture.words(db, "UPDATE s SET t = 'x'") == [])
        }
        let again = try install()
        #expect(again.map(\.number) == [numbers[0], numbers[1]] && scans(again)[1] == .new)
        // Keys of another form: the notes that have them mean nothing.
        try fixture.write { db throws in
            try db.execute(
                sql: """
                    UPDATE s SET t = NULL; DROP TABLE s;
                    CREATE TABLE s (id TEXT NOT NULL, part INT NOT NULL, t TEXT, PRIMARY KEY (id, part));
                    """)
        }
        let other = try install()
        #expect(other[1].scan == .new && other[1].number == numbers[1])
        try fixture.write { db throws in
            #expect(
                try fixture.words(db, "INSERT INTO s VALUES ('a', 1, 'x')") == ["s 'a',1: inserted"]
            )
        }
    }

    @Test(.proves("SYN-034"))
    func `taking capture away leaves the file as it was`() throws {
        let database = try FixtureDatabase()
        let queue = try database.open()
        func content(_ db: Database) throws -> [String] {
            try String.fetchAll(
                db,
                sql: """
                    SELECT type || name || tbl_name || ifnull(sql, '') FROM sqlite_master
                    UNION ALL SELECT id || a || b FROM t UNION ALL SELECT id || t FROM s
                    """)
        }
        try queue.write { db throws in
            try db.execute(sql: Self.schema)
            let before = try content(db)
            try Capture.install(db, SyncSchema(db, Self.declarations))
            try db.applyingChanges {}
            #expect(try content(db).count > before.count + 10)
            try Capture.remove(db)
            #expect(try content(db) == before)
            try Capture.remove(db)
            #expect(try content(db) == before)
            // What the app itself reads, or created, stays.
            try Capture.install(db, SyncSchema(db, Self.declarations))
            try db.execute(
                sql: """
                    CREATE TRIGGER ours AFTER INSERT ON t WHEN (SELECT name FROM strongroom_origin) IS NULL
                    BEGIN SELECT 1; END
                    """)
            try Capture.remove(db)
            #expect(try db.tableExists("strongroom_origin"))
            try db.execute(sql: "INSERT INTO t VALUES ('new', 1, 2)")
        }
        try queue.close()
        #expect(try database.shell().cell("PRAGMA integrity_check") == "ok")
    }

    @Test(.proves("SYN-008", "SYN-009", "SYN-031"))
    func `all is in the file, below a reserved name, and tables stay as they are`() throws {
        try fixture.queue.inDatabase { db throws in
            try db.execute(sql: "INSERT INTO t VALUES ('z', 1, 2)")
            // One transaction has the row and its note.
            try db.execute(sql: "BEGIN; INSERT INTO t VALUES ('w', 1, 2)")
            #expect(try Journal.rows(db).rows.count == 2)
            try db.execute(sql: "ROLLBACK")
            #expect(try fixture.words(db, fixture.taken(db)) == ["t 'z': inserted"])
            let names = try String.fetchAll(
                db,
                sql:
                    "SELECT name FROM sqlite_master WHERE name NOT IN ('t', 's', 'st', 'v', 'mine') AND name NOT LIKE 'sqlite_%'"
            )
            #expect(names.count > 12)
            #expect(
                names.allSatisfy { $0.hasPrefix("strongroom_sync_") || $0 == "strongroom_origin" })
            #expect(names.allSatisfy(Database.isStrongroomInternalTable))
            #expect(
                try String.fetchAll(
                    db, sql: "SELECT type FROM pragma_table_list WHERE name IN ('t', 's')") == [
                        "table", "table",
                    ])
            #expect(try db.columns(in: "t").map(\.name) == ["id", "a", "b"])
            let dump = DumpedContent()
            try db.dumpContent(to: dump)
            #expect(dump.text.contains("CREATE TABLE t") && !dump.text.contains("strongroom_"))
        }
        let files = try fixture.database.directory.names()
        #expect(files.allSatisfy { $0.hasPrefix("database.sqlite") })
        try fixture.queue.close()
        let scanner = try Data(contentsOf: URL(fileURLWithPath: fixture.database.path))
        #expect(scanner.range(of: Data("strongroom_sync".utf8)) == nil)
    }

    @Test(.proves("SYN-031"))
    func `names of others below the prefix are refused`() throws {
        try fixture.write { db throws in
            try db.execute(sql: "CREATE TABLE strongroom_sync_mine (a)")
            let error = #expect(throws: SyncSchemaError.self) {
                try SyncSchema(db, Self.declarations)
            }
            #expect(error?.findings.map(\.reason) == [.reservedName])
            try db.execute(
                sql: "DROP TABLE strongroom_sync_mine; CREATE VIEW strongroom_sync_view AS SELECT 1"
            )
            #expect(try SyncSchema.check(db, Self.declarations).map(\.reason) == [.reservedName])
            try db.execute(sql: "DROP VIEW strongroom_sync_view")
            #expect(try SyncSchema.check(db, Self.declarations) == [])
        }
    }
}

private final class DumpedContent: TextOutputStream {
    var text = ""
    func write(_ string: String) { text += string }
}
