import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct ReservedNameTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE note (id INTEGER PRIMARY KEY);
                    CREATE TABLE strongroomless (id INTEGER PRIMARY KEY);
                    """)
        }
    }

    private func addReserved() throws {
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE Strongroom_log (id INTEGER);
                    CREATE INDEX byID ON strongroom_log (id);
                    CREATE TRIGGER strongroom_note AFTER INSERT ON note
                    BEGIN INSERT INTO strongroom_log VALUES (new.id); END;
                    """)
        }
    }

    @Test(.proves("THK-11"))
    func `dumps leave tables and triggers of the reserved prefix out`() throws {
        let before = try DumpedText.of { output in
            try queue.read { try $0.dumpContent(to: output) }
        }
        try addReserved()
        let after = try DumpedText.of { output in
            try queue.read { try $0.dumpContent(to: output) }
        }
        #expect(before == after && after.contains("strongroomless"))
        let rows = try DumpedText.of { output in
            try queue.write { db in
                try db.execute(sql: "INSERT INTO note VALUES (4)")
                try db.dumpTables(["strongroom_log"], to: output)
            }
        }
        #expect(rows == "4\n")
    }

    @Test(.proves("THK-11"))
    func `they are no change of the schema`() throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("a") { db in
            try db.execute(sql: "CREATE TABLE page (id INTEGER PRIMARY KEY)")
        }
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        try migrator.migrate(queue)
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE strongroom_log (id);
                    CREATE TRIGGER strongroom_page AFTER INSERT ON page
                    BEGIN INSERT INTO strongroom_log VALUES (new.id); END;
                    """)
            try db.withOrigin("x") {}
        }
        #expect(try queue.read { try !migrator.hasSchemaChanges($0) })
        try queue.write { try $0.execute(sql: "CREATE TABLE other (id)") }
        #expect(try queue.read { try migrator.hasSchemaChanges($0) })
    }

    @Test(.proves("THK-11"))
    func `observing everything does not observe them, observing them does`() throws {
        try addReserved()
        let counts = Locked((everything: 0, log: 0))
        let everything = DatabaseRegionObservation(tracking: .fullDatabase).start(in: queue) { _ in
        } onChange: { _ in
            counts.withLock { $0.everything += 1 }
        }
        let log = DatabaseRegionObservation(tracking: Table("strongroom_log")).start(in: queue) {
            _ in
        } onChange: { _ in
            counts.withLock { $0.log += 1 }
        }
        try queue.write { try $0.execute(sql: "INSERT INTO strongroom_log VALUES (1)") }
        #expect(counts.withLock { $0 == (0, 1) })
        try queue.write { try $0.execute(sql: "DELETE FROM strongroom_log") }
        #expect(counts.withLock { $0 == (0, 2) })
        // Together with another change, by a trigger.
        try queue.write { try $0.execute(sql: "INSERT INTO note VALUES (1)") }
        #expect(counts.withLock { $0 == (1, 3) })
        try queue.write { try $0.notifyChanges(in: Table("strongroom_log")) }
        #expect(counts.withLock { $0 == (1, 4) })
        try queue.write { try $0.notifyChanges(in: .fullDatabase) }
        #expect(counts.withLock { $0 == (2, 5) })
        _ = (everything, log)
        everything.cancel()
        log.cancel()
    }

    @Test(.proves("THK-11"))
    func `regions and names agree`() {
        #expect(Database.isStrongroomInternalTable("STRONGROOM_origin"))
        #expect(!Database.isStrongroomInternalTable("strongroomless"))
        let region = DatabaseRegion.fullDatabase
        #expect(!region.isModified(byEventsOfKind: .insert(tableName: "strongroom_x")))
        #expect(region.isModified(byEventsOfKind: .insert(tableName: "x")))
    }
}
