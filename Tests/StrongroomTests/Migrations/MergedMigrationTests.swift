import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct MergedMigrationTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue
    private let seen = Locked<[Set<String>]>([])

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
    }

    private func apply(_ identifiers: String...) throws {
        var migrator = DatabaseMigrator()
        for identifier in identifiers { migrator.registerMigration(identifier) { _ in } }
        try migrator.migrate(queue)
    }

    private func merging(_ identifier: String, _ merged: Set<String>) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration(identifier, merging: merged) { [seen] _, applied in
            seen.withLock { $0.append(applied) }
        }
        return migrator
    }

    private func applied(_ migrator: DatabaseMigrator) throws -> Set<String> {
        try queue.read(migrator.appliedIdentifiers)
    }

    @Test(.proves("MIG-019", "MIG-020"))
    func `A migration takes the place of others, and is told which have run`() throws {
        try apply("v1", "other")
        let migrator = merging("v4", ["v1", "v2", "v3"])
        try migrator.migrate(queue)
        try migrator.migrate(queue)
        #expect(seen.withLock { $0 } == [["v1"]])
        #expect(try applied(migrator) == ["v4", "other"])
        // A new database has seen nothing.
        try migrator.migrate(DatabaseQueue())
        #expect(seen.withLock { $0 } == [["v1"], []])
    }

    @Test(.proves("MIG-019"))
    func `Merging nothing is possible`() throws {
        try apply("v1")
        try merging("v2", []).migrate(queue)
        #expect(seen.withLock { $0 } == [[]])
        #expect(try applied(DatabaseMigrator()) == ["v1", "v2"])
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v3", foreignKeyChecks: .immediate) { db, applied throws in
            #expect(try applied.isEmpty && Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
        }
        try migrator.migrate(queue)
    }

    @Test(.proves("MIG-020"))
    func `The identifier of the last merged migration can be used again`() throws {
        try apply("v1", "v2", "v3")
        let migrator = merging("v3", ["v1", "v2"])
        try migrator.migrate(queue)
        #expect(seen.withLock { $0 }.isEmpty)
        try queue.erase()
        try apply("v1", "v2")
        try migrator.migrate(queue)
        #expect(seen.withLock { $0 } == [["v1", "v2"]])
        #expect(try applied(migrator) == ["v3"])
    }

    @Test(.proves("MIG-021"))
    func `What is merged is known`() throws {
        try apply("v1", "v2")
        let migrator = merging("v3", ["v1", "v2"])
        #expect(try !queue.read(migrator.hasBeenSuperseded))
        #expect(try !queue.read(migrator.hasSchemaChanges))
        #expect(try !queue.read(migrator.hasCompletedMigrations))
        try migrator.migrate(queue)
        #expect(try !queue.read(migrator.hasBeenSuperseded))
        #expect(try queue.read(migrator.hasCompletedMigrations))
        try apply("v9")
        #expect(try queue.read(migrator.hasBeenSuperseded))
    }

    @Test(.proves("MIG-020"))
    func `A failure forgets nothing`() throws {
        struct Stop: Error {}
        try apply("v1")
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v2", merging: ["v1"]) { _, _ in throw Stop() }
        #expect(throws: Stop.self) { try migrator.migrate(queue) }
        #expect(try applied(migrator) == ["v1"])
    }

    @Test(.proves("MIG-020"))
    func `A migration that is still registered is not forgotten`() throws {
        let runs = Locked(0)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { _ in runs.withLock { $0 += 1 } }
        migrator.registerMigration("v2", merging: ["v1"]) { _, _ in }
        try migrator.migrate(queue)
        try migrator.migrate(queue)
        #expect(runs.withLock { $0 } == 1)
    }

    @Test(.proves("CMP-33", "CMP-68"))
    func `What is merged is forgotten where the migration has been seen`() throws {
        try apply("v1", "v2", "v3", "v4")
        var own = merging("v4", ["v2", "v3", "v4"])
        own.registerMigration("v5") { _ in }
        try own.migrate(queue)
        #expect(try applied(own) == ["v1", "v4", "v5"])
        #expect(seen.withLock { $0 } == [])
        try apply("old1", "m1")
        let later = merging("m1", ["old1"])
        try later.migrate(queue)
        #expect(try applied(later) == ["v1", "v4", "v5", "m1"])
        #expect(seen.withLock { $0 } == [])
    }

    @Test(.proves("CMP-34"))
    func `Migrations have no schema source`() throws {
        struct Source: DatabaseSchemaSource {
            let columns: [String]

            func columnsForPrimaryKey(
                _ db: Database, inView view: DatabaseObjectID
            ) -> [String]? { columns }
        }
        let other = try fixture.open { $0.schemaSource = Source(columns: ["a"]) }
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { db in
            #expect(db.schemaSource == nil)
            try db.execute(sql: "CREATE VIEW v AS SELECT 1 AS a")
            #expect(throws: DatabaseError.self) { try db.primaryKey("v") }
        }
        try migrator.migrate(other)
        try other.read { db throws in
            #expect(try db.primaryKey("v").columns == ["a"])
        }
        let knowsNothing = try fixture.open { $0.schemaSource = Source(columns: []) }
        try knowsNothing.read { db throws in
            let error = #expect(throws: DatabaseError.self) { try db.primaryKey("v") }
            #expect(error?.message?.contains("has no primary key") == true)
        }
    }
}
