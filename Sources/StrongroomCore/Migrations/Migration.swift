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
    /// - Parameters:
    ///   - stillRegistered: What is not forgotten, even if it is merged.
    ///   - checksForeignKeys: Whether they are checked at the end, if they are to be.
    func run(
        _ log: inout MigrationLog, _ hooks: MigrationHooks, stillRegistered: Set<String>,
        checksForeignKeys: Bool
    ) throws {
        let db = log.db
        try db.inTransaction(.immediate) {
            try log.create()
            // Another process may have been faster.
            if try log.mayHaveChanged(), try log.contains(identifier) { return .commit }
            let applied = merged.isEmpty ? [] : try log.identifiers().intersection(merged)
            // A source knows the schema of today, which a migration may come long before.
            try db.withSchemaSource(nil) {
                for hook in hooks.before { try hook(db, identifier) }
                try db.removeTriggers()
                try migrate(db, applied)
                try db.makeTriggers(isUpToDate: false)
                for hook in hooks.after { try hook(db, identifier) }
            }
            try log.remove(merged.subtracting(stillRegistered))
            try log.insert(identifier)
            if checksForeignKeys, foreignKeys == .checkedAtTheEnd {
                // The plain pragma is faster than a query on it, which is for the error.
                let violation = try Row.fetchOne(db, sql: "PRAGMA foreign_key_check")
                if violation != nil { try db.checkForeignKeys() }
            }
            return .commit
        }
    }
}

/// What runs before and after each migration, in its transaction.
struct MigrationHooks: Sendable {
    typealias Hook = @Sendable (Database, String) throws -> Void
    var before: [Hook] = []
    var after: [Hook] = []
}

/// The table that says which migrations a database has seen.
struct MigrationLog {
    let db: Database
    private var isCreated = false
    /// What SQLite gives as long as no other connection writes; nil once one has.
    private var dataVersion: Int?

    init(db: Database) {
        self.db = db
    }

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

    /// Begins to look whether others write: before the identifiers are read.
    ///
    /// <https://www.sqlite.org/pragma.html#pragma_data_version>
    mutating func watch() throws {
        dataVersion = try currentVersion
    }

    /// Whether somebody else may have written the log since it is watched.
    mutating func mayHaveChanged() throws -> Bool {
        if let dataVersion, try currentVersion != dataVersion { self.dataVersion = nil }
        return dataVersion == nil
    }

    private var currentVersion: Int? {
        get throws { try Int.fetchOne(db, sql: "PRAGMA data_version") }
    }

    mutating func create() throws {
        guard !isCreated else { return }
        isCreated = true
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
