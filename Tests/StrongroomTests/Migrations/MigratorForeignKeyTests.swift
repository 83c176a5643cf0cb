import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct MigratorForeignKeyTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE author(id INTEGER PRIMARY KEY);
                    CREATE TABLE book(
                        id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author ON DELETE CASCADE);
                    INSERT INTO author VALUES (1);
                    INSERT INTO book VALUES (1, 1);
                    """)
        }
    }

    private static let breakingSQL = "INSERT INTO book VALUES (2, 3)"

    private func bookCount() throws -> Int? {
        try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM book") }
    }

    private func areEnforced() throws -> Bool? {
        try queue.read { try Bool.fetchOne($0, sql: "PRAGMA foreign_keys") }
    }

    @Test(.proves("MIG-009"))
    func `By default, foreign keys are off and checked at the end`() throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("recreate") { db in
            #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == false)
            try db.execute(
                sql: """
                    CREATE TABLE new(id INTEGER PRIMARY KEY, name TEXT);
                    INSERT INTO new(id) SELECT id FROM author;
                    DROP TABLE author;
                    ALTER TABLE new RENAME TO author;
                    """)
        }
        try migrator.migrate(queue)
        #expect(try bookCount() == 1)
        #expect(try areEnforced() == true)

        migrator.registerMigration("break") { try $0.execute(sql: Self.breakingSQL) }
        let error = DatabaseError.thrown { try migrator.migrate(queue) }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
        #expect(
            error?.message == """
                FOREIGN KEY constraint violation - from book(authorId) to author(id), in \
                [id:2 authorId:3]
                """)
        #expect(try bookCount() == 1)
        #expect(try areEnforced() == true)
        #expect(try queue.read(migrator.appliedMigrations) == ["recreate"])
    }

    @Test(.proves("MIG-010"))
    func `Immediate checks leave foreign keys on, and check nothing else`() throws {
        // A violation that was there before.
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: "PRAGMA foreign_keys = OFF; \(Self.breakingSQL); PRAGMA foreign_keys = ON")
        }
        var migrator = DatabaseMigrator()
        migrator.registerMigration("rename", foreignKeyChecks: .immediate) { db in
            #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
            try db.rename(table: "author", to: "person")
            try db.alter(table: "book") { $0.rename(column: "authorId", to: "personId") }
        }
        try migrator.migrate(queue)
        try queue.read { db throws in
            let key = try #require(try db.foreignKeys(on: "book").first)
            #expect(key.destinationTable == "person" && key.originColumns == ["personId"])
        }
        migrator.registerMigration("break", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: "INSERT INTO book VALUES (5, 6)")
        }
        let error = DatabaseError.thrown { try migrator.migrate(queue) }
        #expect(error?.message == "FOREIGN KEY constraint failed")
        // Dropping a table deletes what refers to it: recreation is not for this mode.
        migrator = DatabaseMigrator()
        migrator.registerMigration("drop", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: "DELETE FROM book WHERE id = 2")
            try db.drop(table: "person")
        }
        try migrator.migrate(queue)
        #expect(try bookCount() == 0)
    }

    @Test(.proves("MIG-011"))
    func `Checks at the end can be left to the program`() throws {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("checked before") { db in
            _ = try Int.fetchOne(db, sql: "SELECT 1")
        }
        migrator = migrator.disablingDeferredForeignKeyChecks()
        migrator.registerMigration("unchecked") { db in
            #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == false)
            try db.execute(sql: Self.breakingSQL)
            let error = DatabaseError.thrown { try db.checkForeignKeys(in: "book") }
            #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
        }
        migrator.registerMigration("immediate", foreignKeyChecks: .immediate) { db throws in
            #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == true)
        }
        try migrator.migrate(queue)
        #expect(try bookCount() == 2)
        #expect(try areEnforced() == true)
        // What was registered before is checked.
        var checked = DatabaseMigrator()
        checked.registerMigration("checked after") { _ in }
        let error = DatabaseError.thrown {
            try checked.disablingDeferredForeignKeyChecks().migrate(queue)
        }
        #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
    }

    @Test(.proves("MIG-009"))
    func `Foreign keys that nobody enforces are not checked`() throws {
        try queue.close()
        let queue = try fixture.open { $0.foreignKeysEnabled = false }
        var migrator = DatabaseMigrator()
        migrator.registerMigration("a") { try $0.execute(sql: Self.breakingSQL) }
        migrator.registerMigration("b", foreignKeyChecks: .immediate) { db throws in
            #expect(try Bool.fetchOne(db, sql: "PRAGMA foreign_keys") == false)
        }
        try migrator.migrate(queue)
        #expect(try queue.read { try Bool.fetchOne($0, sql: "PRAGMA foreign_keys") } == false)
    }
}
