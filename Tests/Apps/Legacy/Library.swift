import Foundation
import Strongroom

/// The database of a lending library, begun with GRDB 4.
class Library {
    let dbWriter: DatabaseWriter

    init(dbWriter: DatabaseWriter) throws {
        self.dbWriter = dbWriter
        try Library.makeMigrator().migrate(dbWriter)
    }

    static func openDatabase(atPath path: String, passphrase: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.readonly = false
        configuration.label = "Library"
        // GRDB 4: configuration.passphrase = passphrase
        // GRDB 4: configuration.trace = { statements.append($0) }
        // GRDB 4: configuration.defaultTransactionKind = .immediate
        configuration.prepareDatabase { db in
            try db.usePassphrase(passphrase)
            db.trace { event in traced.append(event.description) }
            // GRDB 4: dbQueue.add(function: initials), dbQueue.add(collation: byLength)
            db.add(function: initials)
            db.add(collation: byLength)
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    static func changePassphrase(of dbQueue: DatabaseQueue, to passphrase: String) throws {
        // GRDB 4: try dbQueue.change(passphrase: passphrase)
        try dbQueue.inDatabase { db in try db.changePassphrase(passphrase) }
    }

    static func makeMigrator() -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.eraseDatabaseOnSchemaChange = false
        migrator.registerMigration("createLibrary", migrate: createLibrary)
        // GRDB 4: migrator.registerMigrationWithDeferredForeignKeyCheck("shelves") { db in
        migrator.registerMigration("shelves", foreignKeyChecks: .deferred) { db in
            try db.create(table: "newBook") { t in
                t.autoIncrementedPrimaryKey("id")
                t.column("title", .text).notNull()
                t.column("author", .text)
                t.column("year", .integer)
                t.column("cover", .blob)
                t.column("shelf", .text).notNull().defaults(sql: "('A' || 1)")
            }
            try db.execute(
                sql: """
                    INSERT INTO newBook (id, title, author, year)
                        SELECT id, title, author, year FROM book;
                    DROP TABLE book;
                    ALTER TABLE newBook RENAME TO book;
                    """)
        }
        migrator.registerMigration("search") { db in
            try db.create(virtualTable: "bookText", using: FTS4()) { t in
                t.synchronize(withTable: "book")
                t.tokenizer = .unicode61(diacritics: .removeLegacy)
                t.prefixes = [2, 3]
                t.column("title")
                t.column("author")
            }
        }
        return migrator
    }

    private static func createLibrary(_ db: Database) throws {
        try db.create(table: "book", temporary: false, ifNotExists: true) { t in
            t.column("id", .integer).primaryKey(onConflict: .fail, autoincrement: true)
            t.column("title", .text).notNull().check(sql: "LENGTH(title) > 0")
            t.column("author", .text)
            t.column("year", .integer).check { $0 >= 0 }
        }
        try db.create(table: "member") { t in
            t.column("uuid", .text).primaryKey()
            t.column("name", .text).notNull().collate(.nocase)
            t.column("email", .text).unique(onConflict: .replace)
            t.column("birthday", .date)
        }
        try db.create(table: "setting", withoutRowID: true) { t in
            t.column("name", .text).primaryKey()
            t.column("value")
        }
        try db.create(table: "loan") { t in
            t.column("bookId", .integer).notNull()
            t.column("memberUUID", .text).notNull()
            t.column("due", .datetime)
            t.column("renewals", .integer).notNull().defaults(to: 0)
            t.primaryKey(["bookId", "memberUUID"], onConflict: .replace)
            t.foreignKey(["bookId"], references: "book", columns: ["id"], onDelete: .cascade)
            t.foreignKey(
                ["memberUUID"], references: "member", onDelete: .cascade, onUpdate: .cascade,
                deferred: true)
            t.check(sql: "renewals < 4")
        }
        try db.create(
            index: "loanByDue", on: "loan", columns: ["due"], unique: false, ifNotExists: true)
        try db.create(
            index: "memberByName", on: "member", columns: ["name", "email"], unique: true,
            ifNotExists: true, condition: Column("email") != nil)
    }
}

/// The statements of the app, for its debug screen.
// Safety: only the one queue of the app appends to it.
nonisolated(unsafe) var traced: [String] = []

let byLength = DatabaseCollation("byLength") { left, right in
    left.count == right.count
        ? left.compare(right)
        : (left.count < right.count ? .orderedAscending : .orderedDescending)
}

let initials = DatabaseFunction("initials", pure: true) { (values: [DatabaseValue]) in
    values.compactMap { value -> String? in
        switch value.storage {
        case .string(let text): return text.first.map(String.init)
        case .null, .int64, .double, .blob: return nil
        }
    }.joined()
}
