import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct SchemaChangeTests {
    let fixture: FixtureDatabase

    init() throws {
        fixture = try FixtureDatabase()
    }

    /// A migrator whose migrations each run some SQL.
    private func migrator(_ migrations: KeyValuePairs<String, String>) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (identifier, sql) in migrations {
            migrator.registerMigration(identifier) { try $0.execute(sql: sql) }
        }
        migrator.eraseDatabaseOnSchemaChange = true
        return migrator
    }

    private static let first = "CREATE TABLE a(id INTEGER PRIMARY KEY AUTOINCREMENT, x TEXT)"
    private static let second =
        "CREATE TABLE b(y); CREATE INDEX i ON b(y); INSERT INTO a(x) VALUES (1)"

    @Test(.proves("MIG-012", "MIG-013"))
    func `Migrations that were added change nothing that is there`() throws {
        let queue = try fixture.open()
        #expect(try !queue.read(migrator(["v1": Self.first]).hasSchemaChanges))
        #expect(DatabaseMigrator().eraseDatabaseOnSchemaChange == false)
        try migrator(["v1": Self.first]).migrate(queue)
        try queue.write { try $0.execute(sql: "INSERT INTO a(x) VALUES ('kept'); ANALYZE") }
        let more = migrator(["v1": Self.first, "v2": Self.second, "v3": "CREATE TABLE z(z)"])
        #expect(try !queue.read(more.hasSchemaChanges))
        try more.migrate(queue)
        try queue.read { db throws in
            #expect(try String.fetchAll(db, sql: "SELECT x FROM a") == ["kept", "1"])
            #expect(try db.tableExists("b") && db.tableExists("z"))
        }
    }

    @Test(.proves("CMP-67"), arguments: [["v0", "v1", "v2"], ["v1", "v0", "v2"]])
    func `A migration that was added before one that was seen is noticed`(names: [String]) throws {
        let queue = try fixture.open()
        let sql = ["v0": "CREATE TABLE z(z)", "v1": Self.first, "v2": Self.second]
        try migrator(["v1": Self.first, "v2": Self.second]).migrate(queue)
        var more = DatabaseMigrator()
        more.eraseDatabaseOnSchemaChange = true
        for name in names {
            more.registerMigration(name) { try $0.execute(sql: try #require(sql[name])) }
        }
        #expect(try queue.read(more.hasSchemaChanges))
        try more.migrate(queue)
        #expect(try queue.read { try $0.tableExists("z") && $0.tableExists("b") })
        #expect(try queue.read(more.appliedMigrations) == names)
    }

    @Test(
        .proves("MIG-012", "MIG-013"),
        arguments: [
            // Renamed, removed, written in another way, with one table less.
            ["v1": Self.first, "v2x": Self.second], ["v1": Self.first],
            ["v1": Self.first.replacing("x TEXT", with: "x INT"), "v2": Self.second],
            ["v1": Self.first, "v2": "INSERT INTO a(x) VALUES (1)"],
        ] as [KeyValuePairs<String, String>])
    func `A database with another past is erased and built again`(
        changed: KeyValuePairs<String, String>
    ) throws {
        let queue = try fixture.open()
        try migrator(["v1": Self.first, "v2": Self.second]).migrate(queue)
        try queue.write { try $0.execute(sql: "INSERT INTO a(x) VALUES ('lost')") }
        let migrator = migrator(changed)
        #expect(try queue.read(migrator.hasSchemaChanges))
        try migrator.migrate(queue)
        #expect(try !queue.read(migrator.hasSchemaChanges))
        try queue.read { db throws in
            #expect(try !String.fetchAll(db, sql: "SELECT x FROM a").contains("lost"))
            #expect(try db.tableExists("b") == changed.contains { $0.value == Self.second })
            #expect(try migrator.hasCompletedMigrations(db) && !migrator.hasBeenSuperseded(db))
        }
    }

    @Test(.proves("MIG-012", "MIG-013"))
    func `Tables that no migration made count as a change`() throws {
        let queue = try fixture.open()
        var migrator = migrator(["v1": Self.first])
        try migrator.migrate(queue)
        try queue.write { try $0.execute(sql: "CREATE TABLE extra(a)") }
        #expect(try queue.read(migrator.hasSchemaChanges))
        migrator.eraseDatabaseOnSchemaChange = false
        try migrator.migrate(queue)
        #expect(try queue.read { try $0.tableExists("extra") })
        migrator.eraseDatabaseOnSchemaChange = true
        try migrator.migrate(queue)
        #expect(try queue.read { try !$0.tableExists("extra") })
    }

    @Test(.proves("MIG-013"))
    func `A connection that can only read can ask too`() throws {
        let migrator = migrator(["v1": Self.first])
        try migrator.migrate(fixture.open())
        let reader = try fixture.open { config in
            config.readonly = true
            config.journalMode = .default
            config.targetQueue = DispatchQueue(label: "serial")
        }
        #expect(try !reader.read(migrator.hasSchemaChanges))
        #expect(try reader.read(self.migrator(["v1": "CREATE TABLE b(y)"]).hasSchemaChanges))
        let pool = try DatabasePool(
            path: fixture.path, configuration: FixtureDatabase.configuration())
        #expect(try !pool.read(migrator.hasSchemaChanges))
    }

    @Test(.proves("MIG-012"))
    func `What is erased keeps its key and its cipher settings`() throws {
        let setting = "PRAGMA kdf_iter = 4000"
        var configuration = FixtureDatabase.configuration(passphrase: FixtureDatabase.passphrase)
        configuration.prepareDatabase { try $0.execute(sql: setting) }
        configuration.prepareDatabase { db in
            db.add(function: DatabaseFunction("one", argumentCount: 0, pure: true) { _ in 1 })
        }
        let queue = try DatabaseQueue(path: fixture.path, configuration: configuration)
        let secret = "CREATE TABLE a(secret DEFAULT 'canary-in-the-schema'); SELECT one()"
        try migrator(["v1": secret]).migrate(queue)
        try queue.write { try $0.execute(sql: "PRAGMA user_version = 7") }
        let salt = try FileHandle(forReadingFrom: URL(fileURLWithPath: fixture.path))
            .read(upToCount: 16)
        try migrator(["v2": Self.first]).migrate(queue)
        try queue.close()

        let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        #expect(bytes.prefix(16) == salt)
        #expect(bytes.range(of: Data("CREATE TABLE".utf8)) == nil)
        var shell = fixture.shell(passphrase: FixtureDatabase.passphrase)
        shell.settings = [setting]
        #expect(try shell.cell("SELECT name FROM sqlite_master WHERE name = 'a'") == .text("a"))
        #expect(try shell.cell("PRAGMA user_version") == .integer(7))
        shell.settings = []
        #expect(throws: SQLCipherShell.Failure.self) { try shell.cell("PRAGMA user_version") }
        #expect(throws: (any Error).self) {
            try DatabaseQueue(path: fixture.path).read { try $0.schemaVersion() }
        }
    }
}
