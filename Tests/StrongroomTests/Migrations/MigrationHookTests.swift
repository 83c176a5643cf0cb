import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct MigrationHookTests {
    struct Stop: Error {}

    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
    }

    private func migrator(_ runs: Locked<[String]>) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.beforeEachMigration { db, identifier in
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM pragma_table_list('note')")
            runs.withLock { $0.append("before \(identifier): \(count ?? -1) of note") }
            #expect(db.isInsideTransaction)
        }
        migrator.registerMigration("a") { db in
            try db.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY)")
        }
        migrator.registerMigration("b") { db in
            try db.execute(sql: "ALTER TABLE note ADD COLUMN text")
        }
        migrator.afterEachMigration { db, identifier in
            let columns = try db.columns(in: "note").count
            runs.withLock { $0.append("after \(identifier): \(columns) columns") }
        }
        return migrator
    }

    @Test(.proves("THK-11"))
    func `hooks run before and after each migration that runs`() throws {
        let runs = Locked<[String]>([])
        let migrator = migrator(runs)
        try migrator.migrate(queue, upTo: "a")
        try migrator.migrate(queue)
        try migrator.migrate(queue)
        #expect(try queue.read { try !migrator.hasSchemaChanges($0) })
        #expect(
            runs.withLock { $0 } == [
                "before a: 0 of note", "after a: 1 columns", "before b: 1 of note",
                "after b: 2 columns",
            ])
    }

    @Test(.proves("THK-11"), arguments: ["before", "after"])
    func `what a hook throws undoes its migration alone`(moment: String) throws {
        var migrator = migrator(Locked<[String]>([]))
        let stop: @Sendable (Database, String) throws -> Void = { db, identifier in
            try db.execute(sql: "CREATE TABLE \(identifier) (x)")
            if identifier == "b" { throw Stop() }
        }
        if moment == "before" {
            migrator.beforeEachMigration(stop)
        } else {
            migrator.afterEachMigration(stop)
        }
        #expect(throws: Stop.self) { try migrator.migrate(queue) }
        try queue.read { (db) throws in
            #expect(try migrator.appliedMigrations(db) == ["a"])
            #expect(try db.columns(in: "note").count == 1)
            #expect(try db.tableExists("a") && !db.tableExists("b"))
        }
    }

    @Test(.proves("THK-11"))
    func `a hook puts triggers aside that a migration would trip over`() throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("a") { db in
            try db.execute(
                sql: """
                    CREATE TABLE note (id INTEGER PRIMARY KEY, body);
                    CREATE TABLE strongroom_log (id);
                    """)
        }
        migrator.registerMigration("b") { db in
            try db.execute(
                sql: """
                    CREATE TABLE new (id INTEGER PRIMARY KEY, text);
                    INSERT INTO new SELECT * FROM note; DROP TABLE note;
                    ALTER TABLE new RENAME TO note;
                    """)
        }
        let old = migrator
        try old.migrate(queue, upTo: "a")
        migrator.beforeEachMigration { db, _ in
            try db.execute(sql: "DROP TRIGGER IF EXISTS strongroom_note")
        }
        migrator.afterEachMigration { db, _ in
            try db.execute(
                sql: """
                    CREATE TRIGGER strongroom_note AFTER INSERT ON note
                    BEGIN INSERT INTO strongroom_log VALUES (new.id); END
                    """)
        }
        try migrator.migrate(queue)
        try queue.write { db in
            try db.execute(sql: "INSERT INTO note VALUES (7, 'x')")
            #expect(try Int.fetchAll(db, sql: "SELECT id FROM strongroom_log") == [7])
        }
    }

    @Test(.proves("THK-11"))
    func `foreign keys are checked after the last hook`() throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("a") { db in
            try db.execute(
                sql: """
                    CREATE TABLE parent (id INTEGER PRIMARY KEY);
                    CREATE TABLE child (id INTEGER PRIMARY KEY, parent REFERENCES parent);
                    """)
        }
        migrator.afterEachMigration { db, _ in
            try db.execute(sql: "INSERT INTO child VALUES (1, 9)")
        }
        let error = DatabaseError.thrown { try migrator.migrate(queue) }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
        #expect(try queue.read { try !$0.tableExists("child") })
    }
}
