import Dispatch
import Foundation
import Strongroom

// Migrations as the guide describes them.

func migrationSnippets(_ snippet: SnippetLog) throws {
    try migrationSnippets1(snippet)
    try migrationSnippets2(snippet)
    try migrationSnippets3(snippet)
}

private func bookMigrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Create authors") { db in
        try db.create(table: "author") { t in
            t.autoIncrementedPrimaryKey("id")
            t.column("creationDate", .datetime)
            t.column("name", .text)
        }
    }
    migrator.registerMigration("Add books and author.birthYear") { db in
        try db.create(table: "book") { t in
            t.autoIncrementedPrimaryKey("id")
            t.belongsTo("author").notNull()
            t.column("title", .text).notNull()
        }
        try db.alter(table: "author") { t in t.add(column: "birthYear", .integer) }
    }
    return migrator
}

func migrationSnippets1(_ snippet: SnippetLog) throws {
    try snippet("migrations up to a version, and what is known of them") {
        let queue = try DatabaseQueue()
        let migrator = bookMigrator()
        try migrator.migrate(queue, upTo: "Create authors")
        try queue.read { db in
            try expect(try !db.tableExists("book") && !migrator.hasCompletedMigrations(db))
            try expect(try migrator.appliedMigrations(db) == ["Create authors"])
        }
        try migrator.migrate(queue)
        try queue.read { db in
            try expect(try db.columns(in: "author").map(\.name).last == "birthYear")
            try expect(try migrator.hasCompletedMigrations(db))
            try expect(try DatabaseMigrator().hasBeenSuperseded(db))
            try expect(try migrator.completedMigrations(db).count == 2)
        }
    }
    try snippet("a migration that fails leaves the ones before it") {
        struct Failure: Error {}
        let queue = try DatabaseQueue()
        var migrator = bookMigrator()
        migrator.registerMigration("fails") { db in
            try db.create(table: "t") { $0.column("a") }
            throw Failure()
        }
        migrator.registerMigration("never") { try $0.create(table: "u") { $0.column("a") } }
        try expectError(Failure.self) { try migrator.migrate(queue) }
        try queue.read { db in
            try expect(try !db.tableExists("t") && !db.tableExists("u") && db.tableExists("book"))
            try expect(try migrator.appliedIdentifiers(db).count == 2)
        }
    }
    try snippet("a table that is made again") {
        let queue = try DatabaseQueue()
        var migrator = bookMigrator()
        migrator.registerMigration("Add NOT NULL check on author.name") { db in
            try db.execute(sql: "INSERT INTO author(id, name) VALUES (1, 'a')")
            try db.execute(sql: "INSERT INTO book(authorId, title) VALUES (1, 'b')")
            try db.create(table: "new_author") { t in
                t.autoIncrementedPrimaryKey("id")
                t.column("creationDate", .datetime)
                t.column("name", .text).notNull()
                t.column("birthYear", .integer)
            }
            try db.execute(sql: "INSERT INTO new_author SELECT * FROM author")
            try db.drop(table: "author")
            try db.rename(table: "new_author", to: "author")
        }
        try migrator.migrate(queue)
        try queue.read { db in
            try expect(try db.columns(in: "author")[2].isNotNull)
            try expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM book JOIN author") == 1)
            try db.checkForeignKeys()
        }
    }
}

func migrationSnippets2(_ snippet: SnippetLog) throws {
    try snippet("foreign keys that are renamed") {
        let queue = try DatabaseQueue()
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.create(table: "team") { $0.autoIncrementedPrimaryKey("id") }
            try db.create(table: "player") { t in
                t.autoIncrementedPrimaryKey("id")
                t.belongsTo("team").notNull()
            }
        }
        migrator.registerMigration("Guilds", foreignKeyChecks: .immediate) { db in
            try db.rename(table: "team", to: "guild")
            try db.alter(table: "player") { t in t.rename(column: "teamId", to: "guildId") }
        }
        try migrator.migrate(queue)
        let key = try queue.read { try $0.foreignKeys(on: "player")[0] }
        try expect(key.destinationTable == "guild" && key.originColumns == ["guildId"])
    }
    try snippet("checks of foreign keys: deferred, disabled, of one table") {
        func violate(_ migrator: DatabaseMigrator) throws -> DatabaseQueue {
            let queue = try DatabaseQueue()
            try bookMigrator().migrate(queue)
            try migrator.migrate(queue)
            return queue
        }
        let insert: @Sendable (Database) throws -> Void = { db in
            try db.execute(sql: "INSERT INTO book(authorId, title) VALUES (9, 'b')")
        }
        var checked = bookMigrator()
        checked.registerMigration("insert", migrate: insert)
        try expectError(DatabaseError.self) { _ = try violate(checked) }
        var unchecked = bookMigrator().disablingDeferredForeignKeyChecks()
        unchecked.registerMigration("insert", migrate: insert)
        let queue = try violate(unchecked)
        try expect(try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM book") } == 1)
        var partly = bookMigrator().disablingDeferredForeignKeyChecks()
        partly.registerMigration("insert") { db in
            try insert(db)
            try db.checkForeignKeys(in: "book")
        }
        try expectError(DatabaseError.self) { _ = try violate(partly) }
    }
    try snippet("merged migrations") {
        let queue = try DatabaseQueue()
        var old = DatabaseMigrator()
        old.registerMigration("v1") { try $0.create(table: "a") { $0.column("x") } }
        try old.migrate(queue)
        var new = DatabaseMigrator()
        new.registerMigration("all", merging: ["v1", "v2"]) { db, applied in
            if !applied.contains("v1") { try db.create(table: "a") { $0.column("x") } }
            if !applied.contains("v2") { try db.create(table: "b") { $0.column("x") } }
        }
        try new.migrate(queue)
        try queue.read { db in
            try expect(try db.tableExists("b") && new.appliedIdentifiers(db) == ["all"])
        }
    }
}

func migrationSnippets3(_ snippet: SnippetLog) throws {
    try snippet("eraseDatabaseOnSchemaChange") {
        let queue = try DatabaseQueue()
        try bookMigrator().migrate(queue)
        try queue.write { try $0.execute(sql: "INSERT INTO author(name) VALUES ('a')") }
        var migrator = DatabaseMigrator()
        migrator.eraseDatabaseOnSchemaChange = true
        migrator.registerMigration("Create authors") { db in
            try db.create(table: "author") { t in t.column("other", .text) }
        }
        try expect(try queue.read(migrator.hasSchemaChanges))
        try migrator.migrate(queue)
        try queue.read { db in
            try expect(try db.columns(in: "author").map(\.name) == ["other"])
            try expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM author") == 0)
        }
    }
    try snippet("asyncMigrate") {
        let queue = try DatabaseQueue()
        let done = DispatchSemaphore(value: 0)
        let count = Counter()
        bookMigrator().asyncMigrate(queue) { result in
            if case .success(let db) = result {
                count.value = (try? db.columns(in: "author").count) ?? 0
            }
            done.signal()
        }
        done.wait()
        try expect(count.value == 4)
    }
}
