internal import StrongroomEssentials

// What a database has seen of the migrations.

extension DatabaseMigrator {
    /// The identifiers of the registered migrations, in the order of their registration.
    public var migrations: [String] { registered.map(\.identifier) }

    /// The registered migrations that a database has seen, in the order of their registration.
    ///
    ///     let applied = try dbQueue.read(migrator.appliedMigrations)
    ///
    /// - Throws: `DatabaseError` when the database cannot be read.
    public func appliedMigrations(_ db: Database) throws -> [String] {
        let applied = try appliedIdentifiers(db)
        return migrations.filter(applied.contains)
    }

    /// All migrations that a database has seen, also those that are not registered.
    ///
    ///     let applied = try dbQueue.read(migrator.appliedIdentifiers)
    ///
    /// - Throws: `DatabaseError` when the database cannot be read.
    public func appliedIdentifiers(_ db: Database) throws -> Set<String> {
        try MigrationLog(db: db).identifiers()
    }

    /// The registered migrations up to the first that a database has not seen.
    ///
    ///     let completed = try dbQueue.read(migrator.completedMigrations)
    ///
    /// - Throws: `DatabaseError` when the database cannot be read.
    public func completedMigrations(_ db: Database) throws -> [String] {
        let applied = try appliedIdentifiers(db)
        return Array(migrations.prefix(while: applied.contains))
    }

    /// Whether a database has seen all registered migrations.
    ///
    ///     if try dbQueue.read(migrator.hasCompletedMigrations) == false { … }
    ///
    /// It may have seen others too: see `hasBeenSuperseded(_:)`.
    ///
    /// - Throws: `DatabaseError` when the database cannot be read.
    public func hasCompletedMigrations(_ db: Database) throws -> Bool {
        try appliedIdentifiers(db).isSuperset(of: migrations)
    }

    /// Whether a database has seen migrations that are not registered, as those of a later release.
    ///
    /// Those that registered migrations merge are known.
    ///
    ///     if try dbQueue.read(migrator.hasBeenSuperseded) {
    ///         print("a newer version of the app has written this database")
    ///     }
    ///
    /// - Throws: `DatabaseError` when the database cannot be read.
    public func hasBeenSuperseded(_ db: Database) throws -> Bool {
        try !appliedIdentifiers(db).isSubset(of: knownIdentifiers)
    }

    private var knownIdentifiers: Set<String> {
        registered.reduce(into: []) { known, migration in
            known.insert(migration.identifier)
            known.formUnion(migration.merged)
        }
    }

    /// Whether the schema of a database is not what the migrations that it has seen make of it.
    ///
    /// It is so when migrations were removed or renamed, when their definition was changed, and when
    /// something else created or changed tables. Where the migrations would make another schema
    /// depending on what is in the database, the answer is of no use. Not compared is a database
    /// that has seen no migration, or some of those that a migration merges which it has not seen.
    ///
    ///     let isChanged = try dbQueue.read(migrator.hasSchemaChanges)
    ///
    /// - Throws: `DatabaseError` when the database cannot be read.
    public func hasSchemaChanges(_ db: Database) throws -> Bool {
        let applied = try appliedIdentifiers(db)
        guard applied.isSubset(of: knownIdentifiers) else { return true }
        // Also those before the last that the database has seen: it lacks what they make.
        let last = registered.lastIndex { applied.contains($0.identifier) }
        let seen = last.map { registered[...$0] } ?? []
        let isHalfMerged = registered.contains { migration in
            !applied.contains(migration.identifier) && !migration.merged.isDisjoint(with: applied)
        }
        guard !seen.isEmpty, !isHalfMerged else { return false }
        return try withModel(db.configuration.forModel) { model in
            var log = MigrationLog(db: model)
            try run(seen, &log, hooks: MigrationHooks())
            return try SchemaObject.fetchAll(model) != SchemaObject.fetchAll(db)
        }
    }

    /// Uses an empty database, which is gone afterwards.
    ///
    /// It is a file, as functions that prepare connections may ask for what only files have:
    /// `sqlite3_file_control` fails on databases in memory, and on temporary ones that have no file yet.
    private func withModel<T>(
        _ configuration: Configuration, _ body: (Database) throws -> T
    ) throws -> T {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("strongroom-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("model.db").path
        let model = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? model.close() }
        return try model.writeWithoutTransaction(body)
    }
}

extension Configuration {
    /// That of a temporary database, for a look at the schema that migrations make.
    fileprivate var forModel: Configuration {
        var configuration = self
        configuration.readonly = false
        configuration.isQueryOnly = false
        configuration.journalMode = .default
        configuration.observesSuspensionNotifications = false
        configuration.label = "DatabaseMigrator"
        // What waits for the model may occupy them.
        configuration.targetQueue = nil
        configuration.writeTargetQueue = nil
        return configuration
    }
}

/// Something that the schema of a database holds, as it was defined.
private struct SchemaObject: Hashable {
    let type: String
    let name: String
    let sql: String?

    /// What the schema holds, but for what SQLite and this library keep for themselves.
    static func fetchAll(_ db: Database) throws -> Set<SchemaObject> {
        let rows = try Row.fetchAll(
            db, sql: "SELECT type, name, tbl_name, sql FROM main.sqlite_master")
        var objects: Set<SchemaObject> = []
        for row in rows {
            let table: String = try row.decode(forColumn: "tbl_name")
            let name: String = try row.decode(forColumn: "name")
            guard !Database.isSQLiteInternalTable(table), !Database.isGRDBInternalTable(table),
                !Database.isSQLiteInternalTable(name), !Database.isStrongroomInternalTable(table),
                !Database.isStrongroomInternalTable(name)
            else { continue }
            objects.insert(
                SchemaObject(
                    type: try row.decode(forColumn: "type"), name: name,
                    sql: try row.decode(forColumn: "sql")))
        }
        return objects
    }
}
