import StrongroomTables

/// The versions of the file. A version that was released is never changed.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("lists and reminders") { db in
            try db.create(table: "lists") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("name", .text).notNull().unique()
            }
            try db.create(table: "reminders") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("listID", .integer).notNull().references("lists", onDelete: .cascade)
                table.column("title", .text).notNull()
                table.column("notes", .text).notNull()
                table.column("priority", .integer)
                table.column("due", .text)
                table.column("everyDays", .integer)
                table.column("everyMonths", .integer)
                table.column("links", .text).notNull()
                table.column("completedAt", .text)
            }
        }
        migrator.registerMigration("tags") { db in
            try db.create(table: "tags", options: .withoutRowID) { table in
                table.primaryKey("name", .text)
            }
            try db.create(table: "remindersTags", options: .withoutRowID) { table in
                table.column("reminderID", .integer).notNull()
                    .references("reminders", onDelete: .cascade)
                table.column("tag", .text).notNull().references("tags")
                table.primaryKey(["reminderID", "tag"])
            }
            try Tag.insert {
                Tag(name: "home")
                Tag(name: "work")
            }.execute(db)
        }
        migrator.registerMigration("search") { db in
            try db.create(virtualTable: "reminderTexts", using: FTS5()) { table in
                table.synchronize(withTable: "reminders")
                table.column("title")
                table.column("notes")
            }
        }
        return migrator
    }
}
