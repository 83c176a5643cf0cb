import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct MigratorTests {
    struct Stop: Error {}

    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
    }

    /// A migrator whose migrations each create a table of their own name.
    private func migrator(_ identifiers: String...) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for identifier in identifiers {
            migrator.registerMigration(identifier) { db in
                try db.create(table: identifier) { $0.autoIncrementedPrimaryKey("id") }
            }
        }
        return migrator
    }

    private func tables() throws -> [String] {
        try queue.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_master
                    WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name
                    """)
        }
    }

    private func says(_ message: String, _ result: ExitTest.Result?) -> Bool {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(message)
    }

    @Test(.proves("MIG-001", "MIG-002", "MIG-004"), arguments: WriterKind.allCases)
    func `Migrations run once, in the order of their registration`(kind: WriterKind) throws {
        let fixture = try FixtureDatabase()
        let writer = try fixture.open(kind)
        let runs = Locked<[String]>([])
        func migrator(_ identifiers: String...) -> DatabaseMigrator {
            var migrator = DatabaseMigrator()
            for identifier in identifiers {
                migrator.registerMigration(identifier) { db in
                    #expect(db.isInsideTransaction)
                    runs.withLock { $0.append(identifier) }
                }
            }
            return migrator
        }
        try DatabaseMigrator().migrate(writer)
        try migrator("a", "c").migrate(writer)
        try migrator("a", "c").migrate(writer)
        #expect(runs.withLock { $0 } == ["a", "c"])
        // One is registered before those that have run.
        try migrator("a", "b", "c", "d", "e").migrate(writer, upTo: "d")
        #expect(runs.withLock { $0 } == ["a", "c", "b", "d"])
        try migrator("a", "b", "c", "d", "e").migrate(writer)
        #expect(runs.withLock { $0 } == ["a", "c", "b", "d", "e"])
    }

    @Test(.proves("MIG-003", "MIG-004"))
    func `What only a mistake can ask for stops the process`() async {
        let results1 = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            var migrator = DatabaseMigrator()
            migrator.registerMigration("a") { _ in }
            migrator.registerMigration("a", merging: ["b"]) { _, _ in }
        }
        #expect(says(#"already registered migration: "a""#, results1))
        let results2 = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            var migrator = DatabaseMigrator()
            migrator.registerMigration("a") { _ in }
            try migrator.migrate(DatabaseQueue(), upTo: "zz")
        }
        #expect(says(#"undefined migration: "zz""#, results2))
    }

    @Test(.proves("MIG-005"))
    func `A database does not go back`() throws {
        let migrator = migrator("v1", "v2", "v3")
        try migrator.migrate(queue, upTo: "v2")
        try migrator.migrate(queue, upTo: "v2")
        let error = DatabaseError.thrown { try migrator.migrate(queue, upTo: "v1") }
        #expect(error?.resultCode == .SQLITE_MISUSE)
        #expect(error?.message == #"database is already migrated beyond migration "v1""#)
        #expect(try tables() == ["grdb_migrations", "v1", "v2"])
        try migrator.migrate(queue)
    }

    @Test(.proves("MIG-006"), arguments: WriterKind.allCases)
    func `Migrations can run later`(kind: WriterKind) async throws {
        let fixture = try FixtureDatabase()
        let writer = try fixture.open(kind)
        let migrator = migrator("v1", "v2")
        let applied = try await withCheckedThrowingContinuation { continuation in
            migrator.asyncMigrate(writer) { result in
                continuation.resume(
                    with: result.flatMap { db in
                        Result {
                            // It is the connection that writes.
                            try db.execute(sql: "INSERT INTO v1 DEFAULT VALUES")
                            return try migrator.appliedMigrations(db)
                        }
                    })
            }
        }
        #expect(applied == ["v1", "v2"])
        var failing = migrator
        failing.registerMigration("v3") { _ in throw Stop() }
        let failure = await withCheckedContinuation { continuation in
            failing.asyncMigrate(writer) { result in
                if case .failure(let error) = result {
                    continuation.resume(returning: error is Stop)
                } else {
                    continuation.resume(returning: false)
                }
            }
        }
        #expect(failure)
    }

    @Test(.proves("MIG-007"))
    func `A migration that throws leaves nothing, and stops the others`() throws {
        var migrator = migrator("a")
        migrator.registerMigration("b") { db in
            try db.create(table: "b") { $0.column("x") }
            throw Stop()
        }
        migrator.registerMigration("c") { try $0.create(table: "c") { $0.column("x") } }
        #expect(throws: Stop.self) { try migrator.migrate(queue) }
        #expect(try tables() == ["a", "grdb_migrations"])
        #expect(try queue.read(migrator.appliedMigrations) == ["a"])
        #expect(try queue.read { try Bool.fetchOne($0, sql: "PRAGMA foreign_keys") } == true)
        // The connection is as usable as before.
        try self.migrator("a", "b", "c").migrate(queue)
        #expect(try tables() == ["a", "b", "c", "grdb_migrations"])
    }

    @Test(.proves("MIG-008"))
    func `The database remembers its migrations in a table of its own`() throws {
        let migrator = migrator("v1", "v2")
        try DatabaseMigrator().migrate(queue)
        #expect(try tables().isEmpty)
        // A failed attempt leaves no trace.
        var failing = DatabaseMigrator()
        failing.registerMigration("x") { _ in throw Stop() }
        #expect(throws: Stop.self) { try failing.migrate(queue) }
        #expect(try tables().isEmpty)
        try migrator.migrate(queue)
        try queue.close()
        let shell = fixture.shell()
        #expect(
            try shell.cell("SELECT sql FROM sqlite_master WHERE name = 'grdb_migrations'")
                == .text("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"))
        #expect(
            try shell.rows("SELECT identifier FROM grdb_migrations ORDER BY 1")
                == [[.text("v1")], [.text("v2")]])
        try fixture.open().read { db throws in
            let content = try DumpedText.of { try db.dumpContent(to: $0) }
            #expect(!content.contains("\ngrdb_migrations\n"))
            #expect(content.contains("\nv1\n"))
        }
    }

    @Test(.proves("MIG-014", "MIG-015", "MIG-016", "MIG-017"))
    func `A migrator tells what a database has seen`() throws {
        let migrator = migrator("a", "b", "c")
        #expect(migrator.migrations == ["a", "b", "c"])
        try queue.read { db throws in
            #expect(try migrator.appliedMigrations(db).isEmpty)
            #expect(try migrator.appliedIdentifiers(db).isEmpty)
            #expect(try migrator.completedMigrations(db).isEmpty)
            #expect(try !migrator.hasCompletedMigrations(db))
            #expect(try !migrator.hasBeenSuperseded(db))
            #expect(try DatabaseMigrator().hasCompletedMigrations(db))
        }
        try self.migrator("z", "c", "a").migrate(queue)
        try queue.read { db throws in
            #expect(try migrator.appliedMigrations(db) == ["a", "c"])
            #expect(try migrator.appliedIdentifiers(db) == ["a", "c", "z"])
            #expect(try migrator.completedMigrations(db) == ["a"])
            #expect(try !migrator.hasCompletedMigrations(db))
            #expect(try migrator.hasBeenSuperseded(db))
        }
        try migrator.migrate(queue)
        #expect(try queue.read(migrator.hasCompletedMigrations))
        #expect(try queue.read(migrator.completedMigrations) == ["a", "b", "c"])
        #expect(try queue.read(migrator.hasBeenSuperseded))
    }

    @Test(.proves("MIG-017"))
    func `Its questions are functions that a read takes`() async throws {
        let migrator = migrator("a")
        #expect(try await !queue.read(migrator.hasCompletedMigrations))
        try migrator.migrate(queue)
        #expect(try await queue.read(migrator.hasCompletedMigrations))
        #expect(try await queue.read(migrator.completedMigrations) == ["a"])
    }

    @Test(.proves("MIG-022"))
    func `Two processes that migrate at once run each migration once`() throws {
        let other = try fixture.open()
        let migrator = migrator("v2")
        var racing = DatabaseMigrator()
        racing.registerMigration("v1") { _ in }
        racing.registerMigration("v2") { _ in Issue.record("It has run already.") }
        // Between the look at what is applied and the first transaction, and also as if before.
        let runs = Locked(0)
        queue.writeWithoutTransaction { db in
            db.trace { event in
                guard event.expandedDescription.hasPrefix("BEGIN") else { return }
                let isFirst = runs.withLock { runs in
                    runs += 1
                    return runs == 1
                }
                if isFirst { #expect(throws: Never.self) { try migrator.migrate(other) } }
            }
        }
        try racing.migrate(queue)
        #expect(try queue.read(racing.appliedMigrations) == ["v1", "v2"])
        // The schema was changed behind the back of this connection.
        let late = try FixtureDatabase()
        let (first, second) = (try late.open(), try late.open())
        #expect(try first.read(migrator.appliedMigrations).isEmpty)
        try migrator.migrate(second)
        #expect(try first.read(migrator.appliedMigrations) == ["v2"])
    }

    @Test(.proves("MIG-018"))
    func `A chain of migrations by strings makes a schema that types can follow`() throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("Create authors") { db in
            try db.create(table: "author") { t in
                t.autoIncrementedPrimaryKey("id")
                t.column("name", .text).notNull()
            }
        }
        migrator.registerMigration("Add books and author.birthYear") { db in
            try db.create(table: "book") { t in
                t.autoIncrementedPrimaryKey("id")
                t.belongsTo("author").notNull()
                t.column("title", .text).notNull()
            }
            try db.alter(table: "author") { $0.add(column: "birthYear", .integer) }
        }
        try migrator.migrate(queue, upTo: "Create authors")
        try queue.write { try $0.execute(sql: "INSERT INTO author(name) VALUES ('Melville')") }
        try migrator.migrate(queue)
        try queue.read { db throws in
            let row = try Row.fetchOne(db, sql: "SELECT * FROM author")
            #expect(row == ["id": 1, "name": "Melville", "birthYear": nil])
            #expect(try db.foreignKeys(on: "book").map(\.destinationTable) == ["author"])
        }
    }
}
