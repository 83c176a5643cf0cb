/// Brings databases up to the schema that a program needs, from whatever point they are at.
///
///     var migrator = DatabaseMigrator()
///     migrator.registerMigration("Create authors") { db in
///         try db.create(table: "author") { t in
///             t.autoIncrementedPrimaryKey("id")
///             t.column("name", .text).notNull()
///         }
///     }
///     try migrator.migrate(dbQueue)
///
/// Each migration runs once in the life of a database, in a transaction of its own: whatever
/// interrupts it, the database is as before, or as after. The database itself remembers which ones
/// it has seen. Never change a migration that has been released, and let it name tables and columns
/// by strings: the types of the program will move on.
public struct DatabaseMigrator: Sendable {
    /// When foreign keys are checked in a migration. <https://www.sqlite.org/foreignkeys.html>
    public enum ForeignKeyChecks: Sendable {
        /// At the end, in all tables: the migration may take tables apart meanwhile.
        case deferred
        /// At each statement, or at the commit, as outside of migrations.
        ///
        /// It spares the check of all tables. Renaming a column or a table that foreign keys name
        /// needs it; dropping a table in order to recreate it deletes what refers to it.
        case immediate
    }

    /// Whether a database is erased and built again when its schema is not what migrations make.
    ///
    /// It is meant for the time before a release, when migrations still change: all rows are lost.
    /// The file keeps its key and its other settings.
    public var eraseDatabaseOnSchemaChange = false

    private(set) var registered: [Migration] = []
    private(set) var identifiers: Set<String> = []
    private(set) var hooks = MigrationHooks()
    private var checksForeignKeys = true

    /// Makes a migrator without migrations.
    ///
    ///     var migrator = DatabaseMigrator()
    ///     migrator.registerMigration("teams") { db in
    ///         try db.create(table: "team") { t in t.autoIncrementedPrimaryKey("id") }
    ///     }
    ///     try migrator.migrate(dbQueue)
    public init() {}

    /// A migrator whose next migrations run without foreign keys and without a check at their end.
    ///
    /// The program is then responsible: see `Database.checkForeignKeys(in:)`. Migrations that ask for
    /// `.immediate` are not affected, nor those that are registered already.
    ///
    ///     migrator = migrator.disablingDeferredForeignKeyChecks()
    public func disablingDeferredForeignKeyChecks() -> DatabaseMigrator {
        var migrator = self
        migrator.checksForeignKeys = false
        return migrator
    }

    /// Runs a function before each migration, in its transaction.
    ///
    /// It gets the name of the migration, and sees the schema before it. Functions run in the order
    /// in which they were added, those of migrations that are registered earlier included; never
    /// for a migration that the database has seen, nor in `hasSchemaChanges(_:)`.
    ///
    ///     migrator.beforeEachMigration { db, identifier in
    ///         try db.execute(sql: "DROP TRIGGER IF EXISTS logged")
    ///     }
    ///
    /// - Parameter body: What runs; what it throws undoes the migration.
    public mutating func beforeEachMigration(
        _ body: @escaping @Sendable (_ db: Database, _ identifier: String) throws -> Void
    ) {
        hooks.before.append(body)
    }

    /// Runs a function after each migration, in its transaction.
    ///
    /// It sees the schema after the migration. Foreign keys are checked after it, if they are.
    /// Everything else is as for `beforeEachMigration(_:)`.
    ///
    ///     migrator.afterEachMigration { db, identifier in print("\(identifier) has run") }
    ///
    /// - Parameter body: What runs; what it throws undoes the migration.
    public mutating func afterEachMigration(
        _ body: @escaping @Sendable (_ db: Database, _ identifier: String) throws -> Void
    ) {
        hooks.after.append(body)
    }

    /// Adds a migration.
    ///
    /// - Parameters:
    ///   - identifier: What the database remembers: a name that no other migration ever had.
    ///   - foreignKeyChecks: When foreign keys are checked.
    ///   - migrate: What changes the database.
    /// - Precondition: No migration of that name is registered.
    public mutating func registerMigration(
        _ identifier: String, foreignKeyChecks: ForeignKeyChecks = .deferred,
        migrate: @escaping @Sendable (Database) throws -> Void
    ) {
        register(identifier, foreignKeyChecks, merging: []) { db, _ in try migrate(db) }
    }

    /// Adds a migration that takes the place of earlier ones.
    ///
    ///     migrator.registerMigration("v3", merging: ["v1", "v2"]) { db, appliedIdentifiers in
    ///         if !appliedIdentifiers.contains("v1") { … }
    ///         if !appliedIdentifiers.contains("v2") { … }
    ///         …
    ///     }
    ///
    /// - Parameters:
    ///   - identifier: A new name, or that of the last of the earlier ones: databases that have
    ///     seen that one are then left alone.
    ///   - foreignKeyChecks: When foreign keys are checked.
    ///   - mergedIdentifiers: The earlier ones, which are no longer registered.
    ///   - migrate: What changes the database, given the earlier ones that it has seen. It forgets
    ///     them afterwards.
    /// - Precondition: No migration of that name is registered.
    public mutating func registerMigration(
        _ identifier: String, foreignKeyChecks: ForeignKeyChecks = .deferred,
        merging mergedIdentifiers: Set<String> = [],
        migrate: @escaping @Sendable (Database, Set<String>) throws -> Void
    ) {
        register(identifier, foreignKeyChecks, merging: mergedIdentifiers, migrate)
    }

    private mutating func register(
        _ identifier: String, _ foreignKeyChecks: ForeignKeyChecks, merging merged: Set<String>,
        _ migrate: @escaping @Sendable (Database, Set<String>) throws -> Void
    ) {
        trap(
            unless: identifiers.insert(identifier).inserted,
            "already registered migration: \(String(reflecting: identifier))")
        let foreignKeys: Migration.ForeignKeys =
            switch foreignKeyChecks {
            case .immediate: .enforced
            case .deferred: checksForeignKeys ? .checkedAtTheEnd : .unchecked
            }
        registered.append(
            Migration(
                identifier: identifier, merged: merged, foreignKeys: foreignKeys, migrate: migrate))
    }
}
