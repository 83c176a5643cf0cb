import Strongroom
import StrongroomCore
import StrongroomSchema
import StrongroomTestSupport
import Testing

@testable import StrongroomSync

@Suite struct MigrationTests {
    private static let schema = """
        CREATE TABLE player (id TEXT PRIMARY KEY NOT NULL, name TEXT, score INTEGER, old);
        INSERT INTO player VALUES ('a', 'Anna', 1, 2), ('b', 'Ben', 3, 4);
        """
    private let fixture: CaptureFixture
    private static let declarations = [SyncedTable("player", merge: ["score": .counter])]

    init() throws { fixture = try CaptureFixture(Self.schema, Self.declarations) }

    private func migrate(
        _ declarations: [SyncedTable] = Self.declarations,
        _ body: @escaping @Sendable (Database) throws -> Void
    ) throws {
        var migrator = DatabaseMigrator()
        migrator.pauseCapture(for: declarations)
        migrator.registerMigration("one", migrate: body)
        try migrator.migrate(fixture.queue)
    }

    private func install(_ declarations: [SyncedTable] = Self.declarations) throws -> [CapturedTable
        .ScanReason?]
    {
        try fixture.write { db throws in
            try Capture.install(db, SyncSchema(db, declarations)).map(\.scan)
        }
    }

    @Test(.proves("SYN-029"))
    func `columns are dropped, tables rebuilt, and rows written without notes`() throws {
        try fixture.write { db throws in
            for table in try Capture.tables(db, SyncSchema(db, Self.declarations)) {
                try Capture.didScan(db, table)
            }
            let message = DatabaseError.thrown {
                try db.execute(sql: "ALTER TABLE player DROP COLUMN old")
            }?.message
            #expect(message?.contains("strongroom_sync_") == true)
        }
        try migrate { db in
            #expect(try Int.fetchOne(db, sql: "SELECT origin FROM strongroom_sync_state") == 3)
            try db.execute(
                sql: """
                    ALTER TABLE player DROP COLUMN old;
                    UPDATE player SET name = upper(name), score = score + 1;
                    CREATE TABLE new (id TEXT PRIMARY KEY NOT NULL, score INTEGER, name TEXT, born);
                    INSERT INTO new SELECT id, score, name, 1990 FROM player;
                    DROP TABLE player;
                    ALTER TABLE new RENAME TO player;
                    """)
        }
        try fixture.write { db throws in
            #expect(try fixture.taken(db).isEmpty)
            #expect(try Int.fetchOne(db, sql: "SELECT origin FROM strongroom_sync_state") == 0)
            #expect(
                try fixture.words(db, "UPDATE player SET born = 1, score = 9 WHERE id = 'a'")
                    == ["player 'a': born +score 7"])
        }
        // No write went by unnoted: nothing has to be scanned.
        #expect(try install() == [nil])
    }

    @Test(.proves("SYN-029"))
    func `what a migration wants to share is noted, also under new names`() throws {
        try fixture.write { db throws in
            #expect(try fixture.words(db, "UPDATE player SET name = 'x'").count == 2)
            try db.execute(sql: "UPDATE player SET name = 'y', old = 1 WHERE id = 'b'")
        }
        let renamed = [
            SyncedTable(
                "person", merge: ["points": .counter], renamedFrom: "player",
                renamedColumns: ["title": "name", "points": "score"])
        ]
        try migrate(renamed) { db in
            try db.execute(
                sql: """
                    ALTER TABLE player RENAME TO person; ALTER TABLE person RENAME COLUMN name TO title;
                    UPDATE person SET title = 'silent'; ALTER TABLE person RENAME COLUMN score TO points;
                    """)
            try db.captured {
                #expect(try Int.fetchOne(db, sql: "SELECT origin FROM strongroom_sync_state") == 0)
                try db.execute(sql: "UPDATE person SET title = 'loud', points = 8 WHERE id = 'a'")
            }
            try db.execute(
                sql: "UPDATE person SET old = 'silent'; ALTER TABLE person DROP COLUMN old")
        }
        _ = try install(renamed)
        try fixture.write { db throws in
            let tables = try Capture.tables(db, SyncSchema(db, renamed))
            let words = try fixture.taken(db).map { row in
                row.words(tables.first { $0.number == row.table })
            }
            #expect(
                words.sorted() == ["person 'a': title +points 7", "person 'b': title column 2"])
        }
    }

    @Test(.proves("SYN-029"))
    func `a migration that fails leaves triggers and notes as they were`() throws {
        try fixture.write { db throws in
            try db.execute(sql: "UPDATE player SET name = 'x' WHERE id = 'a'")
        }
        let before = try fixture.write { try Capture.installed($0, on: "player") }
        #expect(throws: CancellationError.self) {
            try migrate { db in
                try db.captured { try db.execute(sql: "DELETE FROM player") }
                throw CancellationError()
            }
        }
        #expect(throws: CancellationError.self) {
            try migrate { db in
                try db.captured {
                    try db.execute(sql: "DELETE FROM player")
                    throw CancellationError()
                }
            }
        }
        try fixture.write { db throws in
            #expect(try Capture.installed(db, on: "player") == before && before.count == 4)
            #expect(try fixture.words(db, fixture.taken(db)) == ["player 'a': name"])
            // Outside of migrations the closure just runs.
            try db.captured { try db.execute(sql: "UPDATE player SET name = 'z' WHERE id = 'b'") }
            #expect(try fixture.words(db, fixture.taken(db)) == ["player 'b': name"])
        }
    }

    @Test(.proves("SYN-029"))
    func `databases without capture are migrated as ever`() throws {
        let database = try FixtureDatabase()
        let queue = try database.open()
        var migrator = DatabaseMigrator()
        migrator.pauseCapture(for: Self.declarations)
        migrator.registerMigration("one") { db in
            try db.captured {
                try db.execute(sql: "CREATE TABLE player (id TEXT PRIMARY KEY NOT NULL)")
            }
        }
        migrator.registerMigration("two") { db in try db.execute(sql: "DROP TABLE player") }
        try migrator.migrate(queue)
        #expect(
            try queue.read {
                try String.fetchAll(
                    $0, sql: "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite%'")
            } == ["grdb_migrations"])
    }
}
