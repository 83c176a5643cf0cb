import Foundation
import Strongroom

/// The database of the app, open after `AppDatabase.setup(at:passphrase:)`.
// Safety: it is set before anything else runs.
nonisolated(unsafe) var dbQueue: DatabaseQueue!

/// Collates titles without case and without accents.
let titleCollation = DatabaseCollation("title_order") { lhs, rhs in
    let options: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
    return lhs.compare(rhs, options: options, range: nil, locale: nil)
}

/// slug('Hello World') is 'hello-world'.
let slugFunction = DatabaseFunction("slug", argumentCount: 1, pure: true) { values in
    guard let text = String.fromDatabaseValue(values[0]) else { return nil }
    return text.lowercased()
        .split { !$0.isLetter && !$0.isNumber }
        .joined(separator: "-")
}

/// Joins the first letters of all values.
struct Initials: DatabaseAggregate {
    var letters = ""

    mutating func step(_ dbValues: [DatabaseValue]) {
        if let word = String.fromDatabaseValue(dbValues[0]), let letter = word.first {
            letters.append(letter)
        }
    }

    func finalize() -> DatabaseValueConvertible? {
        letters
    }
}

let initialsFunction = DatabaseFunction("initials", argumentCount: 1, aggregate: Initials.self)

struct AppDatabase {
    static func setup(at path: String, passphrase: String) throws {
        var configuration = Configuration()
        configuration.label = "Notebook"
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.usePassphrase(passphrase)
            db.add(function: slugFunction)
            db.add(function: initialsFunction)
            db.add(collation: titleCollation)
        }
        dbQueue = try DatabaseQueue(path: path, configuration: configuration)
        try migrator.migrate(dbQueue)
    }

    static func close() throws {
        try dbQueue.close()
        dbQueue = nil
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        registerTables(in: &migrator)
        registerSearch(in: &migrator)
        return migrator
    }

    private static func registerTables(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v1.0") { db in
            try db.create(table: "notebooks") { t in
                t.autoIncrementedPrimaryKey("id")
                t.column("name", .text).notNull().unique().collate(titleCollation)
                t.column("color", .integer).notNull().defaults(to: 0)
            }
            try db.create(table: "notes") { t in
                t.autoIncrementedPrimaryKey("id")
                t.column("notebookId", .integer)
                    .notNull()
                    .indexed()
                    .references("notebooks", onDelete: .cascade)
                t.column("title", .text).notNull().collate(titleCollation)
                t.column("body", .text).notNull().defaults(to: "")
                t.column("created", .datetime).notNull()
            }
        }

        migrator.registerMigration("v1.1 pins") { db in
            try db.alter(table: "notes") { t in
                t.add(column: "pinned", .boolean).notNull().defaults(to: false)
                t.add(column: "wordCount", .integer)
            }
            try db.create(
                index: "notes_on_pinned", on: "notes", columns: ["pinned", "created"])
        }

    }

    private static func registerSearch(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v1.2 search") { db in
            try db.create(virtualTable: "notes_ft", using: FTS5()) { t in
                t.synchronize(withTable: "notes")
                t.tokenizer = .porter(wrapping: .unicode61())
                t.column("title")
                t.column("body")
            }
        }

        migrator.registerMigration("v1.3 trash") { db in
            try db.create(virtualTable: "trash", ifNotExists: true, using: FTS4()) { t in
                t.tokenizer = .unicode61()
                t.column("title")
                t.column("body").notIndexed()
            }
        }

        migrator.registerMigration("v1.4 names") { db in
            let rows = try Row.fetchCursor(db, sql: "SELECT id, name FROM notebooks")
            while let row = try rows.next() {
                let id: Int64 = row["id"]
                let name: String = row["name"]
                try db.execute(
                    sql: "UPDATE notebooks SET name = :name WHERE id = :id",
                    arguments: ["name": name.trimmingCharacters(in: .whitespaces), "id": id])
            }
        }
    }
}
