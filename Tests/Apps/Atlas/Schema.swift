import Foundation
import Strongroom

/// The migrations of the app, from its first version to the latest.
func makeMigrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    #if ATLAS_DEVELOPMENT
    migrator.eraseDatabaseOnSchemaChange = true
    #endif
    migrator.registerMigration("v1") { db in
        try db.create(table: "place") { t in
            t.autoIncrementedPrimaryKey("id")
            t.column("title", .text).notNull()
            t.column("favorite", .boolean).notNull().defaults(to: false)
            t.column("longitude", .double).notNull()
            t.column("latitude", .double).notNull()
        }
        try db.create(table: "wine") { t in
            t.autoIncrementedPrimaryKey("id")
            t.column("name", .text).check { length($0) > 0 }
            t.column("grape", .text)
            t.column("color", .integer).indexed()
            t.column("price", .double).check(sql: "price > 0")
            t.column("homepage", .text)
            t.uniqueKey(["name", "color"], onConflict: .replace)
        }
        try db.create(table: "link") { t in
            t.column("url", .text).unique()
            t.column("verified", .boolean)
        }
    }
    migrator.registerMigration("v2", migrate: createPlayers)
    migrator.registerMigration("v3") { db in
        try db.alter(table: "wine") { t in
            t.rename(column: "homepage", to: "url")
            t.add(column: "picture", .blob)
        }
        // Not a column can get NOT NULL: the table is made anew.
        try db.create(table: "new_link") { t in
            t.column("url", .text).notNull().unique()
            t.column("verified", .boolean).notNull()
        }
        try db.execute(sql: "INSERT INTO new_link SELECT * FROM link")
        try db.drop(table: "link")
        try db.rename(table: "new_link", to: "link")
    }
    return migrator
}

@Sendable private func createPlayers(_ db: Database) throws {
    try db.create(table: "team") { t in
        t.column("id", .integer).primaryKey()
        t.column("name", .text).notNull()
        t.column("color", .integer).notNull()
    }
    try db.create(table: "player") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("name", .text).notNull().defaults(to: "Anonymous")
        t.column("email", .text).unique().collate(.nocase)
        t.column("score", .integer).notNull()
        t.column("bonus", .integer).notNull().defaults(to: 0)
        t.column("teamId", .integer).references("team", onDelete: .cascade)
        t.column("creationDate", .datetime)
        t.column("achievements", .text)
    }
    try db.create(index: "byTeam", on: "player", columns: ["teamId"], unique: false)
    try db.create(table: "round") { t in
        t.column("playerId", .integer).references("player", onDelete: .cascade)
        t.column("score", .integer)
    }
    try db.create(table: "country") { t in
        t.column("isoCode", .text).primaryKey()
        t.column("name", .text).collate(.localizedCaseInsensitiveCompare)
    }
    try db.create(table: "citizenship") { t in
        t.column("citizenId", .integer).references("player")
        t.column("countryCode", .text).references("country")
        t.primaryKey(["citizenId", "countryCode"])
    }
    try db.create(virtualTable: "document", using: FTS4()) { t in
        t.column("title")
        t.column("body")
    }
}

func useMigrations(in folder: String) throws {
    let dbQueue = try DatabaseQueue(path: folder + "/migrated.sqlite")
    let migrator = makeMigrator()
    try migrator.migrate(dbQueue, upTo: "v2")
    try check(try !dbQueue.read(migrator.hasCompletedMigrations), "not complete")
    try check(try dbQueue.read(migrator.completedMigrations).last == "v2", "up to v2")
    try migrator.migrate(dbQueue)
    try check(try dbQueue.read(migrator.appliedMigrations).contains("v3"), "v3")
    try check(try dbQueue.read(migrator.hasCompletedMigrations), "complete")
    try dbQueue.inDatabase { db in
        try db.create(table: "example", temporary: true, ifNotExists: true) { t in
            t.column("a").notNull()
            t.column("b")
            t.check(sql: "a + b < 10")
        }
        try db.execute(sql: "INSERT INTO example VALUES (1, 2)")
        try check(try Int.fetchOne(db, sql: "SELECT a + b FROM temp.example") == 3, "temporary")
    }
    try dbQueue.close()
}
