import Strongroom

private let migrationCount = 200

/// What it costs to bring a database up to date.
func migratingWorkloads() -> [Workload] {
    [
        Workload(
            name: "200 migrations", aim: .ratio(1.2), operations: migrationCount,
            prepare: { try $0.queue.inDatabase(forgetMigrations) }, inspect: migrationDigest,
            library: { database in
                var migrator = DatabaseMigrator()
                for number in 1...migrationCount {
                    migrator.registerMigration(identifier(number)) { db in
                        try db.execute(sql: sql(number))
                    }
                }
                try migrator.migrate(database.queue)
                return { 0 }
            },
            c: { try $0.withConnection(migrateInC) }),
        Workload(
            name: "nothing to migrate", operations: 1,
            prepare: { try $0.queue.inDatabase(applyAll) }, inspect: migrationDigest,
            library: { database in
                var migrator = DatabaseMigrator()
                for number in 1...migrationCount {
                    migrator.registerMigration(identifier(number)) { _ in }
                }
                try migrator.migrate(database.queue)
                return { 0 }
            },
            c: { try $0.withConnection(readIdentifiersInC) }),
    ]
}

private func identifier(_ number: Int) -> String {
    "Migration number \(number)"
}

private func sql(_ number: Int) -> String {
    """
    CREATE TABLE migrated\(number) (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    INSERT INTO migrated\(number) (name) VALUES ('first');
    """
}

private func forgetMigrations(_ db: Database) throws {
    try db.inTransaction {
        let names = try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_master
                WHERE type = 'table' AND (name LIKE 'migrated%' OR name = 'grdb_migrations')
                """)
        for name in names {
            try db.execute(sql: "DROP TABLE \(name)")
        }
        return .commit
    }
}

private func applyAll(_ db: Database) throws {
    try forgetMigrations(db)
    try db.execute(sql: logSQL)
    for number in 1...migrationCount {
        try db.execute(sql: rememberingSQL, arguments: [identifier(number)])
    }
}

private func migrationDigest(_ db: Database) throws -> UInt64 {
    let sql = """
        SELECT (SELECT count(*) FROM sqlite_master WHERE name LIKE 'migrated%') * 1000
            + (SELECT count(*) FROM grdb_migrations)
        """
    return UInt64(try Int.fetchOne(db, sql: sql) ?? 0)
}

private let logSQL = "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"
private let rememberingSQL = "INSERT INTO grdb_migrations (identifier) VALUES (?)"

/// The same guarantees: each in a transaction of its own, with foreign keys checked at its end.
private func migrateInC(_ connection: OpaquePointer) throws -> Workload.Outcome {
    try CStatement.execute(connection, "\(logSQL); PRAGMA foreign_keys = OFF")
    let remembering = try CStatement(connection, rememberingSQL)
    for number in 1...migrationCount {
        try CStatement.execute(connection, "BEGIN IMMEDIATE TRANSACTION; \(sql(number))")
        remembering.bind(1, identifier(number))
        try remembering.run()
        try CStatement.execute(connection, "PRAGMA foreign_key_check; COMMIT TRANSACTION")
    }
    remembering.finalize()
    try CStatement.execute(connection, "PRAGMA foreign_keys = ON")
    return { 0 }
}

private func readIdentifiersInC(_ connection: OpaquePointer) throws -> Workload.Outcome {
    let reading = try CStatement(connection, "SELECT identifier FROM grdb_migrations")
    defer { reading.finalize() }
    while try reading.step() { _ = reading.text(0) }
    return { 0 }
}
