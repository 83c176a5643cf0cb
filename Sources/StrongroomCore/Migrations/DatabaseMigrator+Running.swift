extension DatabaseMigrator {
    /// Runs the migrations that a database has not seen, in the order of their registration.
    ///
    /// It runs alone, as `barrierWriteWithoutTransaction` does.
    ///
    ///     try migrator.migrate(dbQueue)
    ///
    /// - Throws: What the first migration throws that fails, and `DatabaseError`. The ones before it
    ///   stay applied.
    public func migrate(_ writer: any DatabaseWriter) throws {
        try writer.barrierWriteWithoutTransaction { db in try migrate(db, upTo: nil) }
    }

    /// Runs the migrations that a database has not seen, up to one of them.
    ///
    /// - Throws: As `migrate(_:)`; also when the database has seen a later one.
    /// - Precondition: There is a migration of that name.
    public func migrate(_ writer: any DatabaseWriter, upTo targetIdentifier: String) throws {
        try writer.barrierWriteWithoutTransaction { db in
            try migrate(db, upTo: targetIdentifier)
        }
    }

    /// Runs the migrations that a database has not seen, later: returns at once.
    ///
    /// - Parameters:
    ///   - writer: The queue or pool whose database is migrated.
    ///   - completion: Called where writes run, with the connection, or with the reason why the
    ///     database is not up to date.
    public func asyncMigrate(
        _ writer: any DatabaseWriter,
        completion: @escaping @Sendable (Result<Database, any Error>) -> Void
    ) {
        writer.asyncBarrierWriteWithoutTransaction { result in
            completion(
                result.flatMap { db in
                    Result {
                        try migrate(db, upTo: nil)
                        return db
                    }
                })
        }
    }

    private func migrate(_ db: Database, upTo target: String?) throws {
        let migrations = registered.prefix(count(upTo: target))
        if eraseDatabaseOnSchemaChange, try hasSchemaChanges(db) { try db.erase() }
        var log = MigrationLog(db: db)
        try log.watch()
        let applied = try log.identifiers()
        if let target, registered[migrations.endIndex...].contains(where: applied.contains) {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE,
                message: """
                    database is already migrated beyond migration \(String(reflecting: target))
                    """)
        }
        try run(migrations, &log, hooks: hooks, seen: applied)
        // Another process may have made the tables since the connection was opened.
        try db.makeTriggers(isUpToDate: true)
    }

    /// Forgets what was merged into a migration that a database has seen before.
    private func forgetMerged(
        by migration: Migration, _ seen: Set<String>, _ log: MigrationLog
    ) throws {
        let forgotten = migration.merged.intersection(seen).subtracting(identifiers)
        guard !forgotten.isEmpty else { return }
        try log.db.inTransaction(.immediate) {
            try log.remove(forgotten)
            return .commit
        }
    }

    private func count(upTo target: String?) -> Int {
        guard let target else { return registered.count }
        let index = migrations.firstIndex(of: target)
        trap(unless: index != nil, "undefined migration: \(String(reflecting: target))")
        return (index ?? 0) + 1
    }

    /// Runs migrations, with foreign keys as each of them wants them.
    ///
    /// - Parameter seen: What the database has seen, which does not run again.
    func run(
        _ migrations: ArraySlice<Migration>, _ log: inout MigrationLog, hooks: MigrationHooks,
        seen: Set<String> = []
    ) throws {
        let db = log.db
        guard !migrations.allSatisfy(seen.contains) else {
            return try migrations.forEach { try forgetMerged(by: $0, seen, log) }
        }
        // Where nobody enforces foreign keys, nobody expects them to hold.
        let areEnforced = try db.areForeignKeysEnforced()
        var areOn = areEnforced
        func setForeignKeys(_ isOn: Bool) throws {
            // It has an effect only outside of transactions.
            if areOn != isOn { try db.enforceForeignKeys(isOn) }
            areOn = isOn
        }
        let result = Result {
            for migration in migrations {
                guard !seen.contains(migration) else {
                    try forgetMerged(by: migration, seen, log)
                    continue
                }
                try setForeignKeys(areEnforced && migration.foreignKeys == .enforced)
                try migration.run(
                    &log, hooks, stillRegistered: identifiers, checksForeignKeys: areEnforced)
            }
        }
        let restoration = Result { try setForeignKeys(areEnforced) }
        try result.get()
        try restoration.get()
    }
}

extension Set<String> {
    fileprivate func contains(_ migration: Migration) -> Bool { contains(migration.identifier) }
}
