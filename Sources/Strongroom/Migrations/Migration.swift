/// A step of a database from one state to the next.
struct Migration: Sendable {
    let identifier: String
    /// The identifiers of the migrations whose place it takes.
    let merged: Set<String>
    let foreignKeys: ForeignKeys
    let migrate: @Sendable (Database, Set<String>) throws -> Void

    /// What watches over the foreign keys while it runs.
    enum ForeignKeys {
        /// They are off, and all of them are checked at the end.
        case checkedAtTheEnd
        /// They are on.
        case enforced
        /// They are off, and the program is responsible.
        case unchecked
    }

    /// Runs the migration, and remembers that it has, in one transaction.
    ///
    /// - Parameter checks: Whether foreign keys are checked at the end, if they are to be.
    func run(_ db: Database, forgetting registered: Set<String>, checks: Bool) throws {
        try db.inTransaction(.immediate) {
            let log = MigrationLog(db: db)
            try log.create()
            // Another process may have been faster.
            if try log.contains(identifier) { return .commit }
            let applied = merged.isEmpty ? [] : try log.identifiers().intersection(merged)
            try migrate(db, applied)
            try log.remove(merged.subtracting(registered))
            try log.insert(identifier)
            if checks, foreignKeys == .checkedAtTheEnd { try db.checkForeignKeys() }
            return .commit
        }
    }
}

/// The table that says which migrations a database has seen.
struct MigrationLog {
    let db: Database

    /// The identifiers, whether known to the program or not.
    func identifiers() throws -> Set<String> {
        // Not `tableExists`: another process may have made it since the connection last looked.
        let exists = try Bool.fetchOne(
            db,
            sql:
                "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = 'grdb_migrations'"
        )
        guard exists == true else { return [] }
        return try String.fetchSet(db, sql: "SELECT identifier FROM main.grdb_migrations")
    }

    func contains(_ identifier: String) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT 1 FROM main.grdb_migrations WHERE identifier = ?",
            arguments: [identifier]) == true
    }

    func create() throws {
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS main.grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)
                """)
    }

    func insert(_ identifier: String) throws {
        try db.execute(
            sql: "INSERT INTO main.grdb_migrations (identifier) VALUES (?)",
            arguments: [identifier])
    }

    func remove(_ identifiers: Set<String>) throws {
        for identifier in identifiers {
            try db.execute(
                sql: "DELETE FROM main.grdb_migrations WHERE identifier = ?",
                arguments: [identifier])
        }
    }
}
