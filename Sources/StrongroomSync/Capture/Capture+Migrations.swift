public import StrongroomCore
internal import StrongroomSchema

extension DatabaseMigrator {
    /// Takes capture's triggers away before each migration, and makes them anew after it.
    ///
    ///     var migrator = DatabaseMigrator()
    ///     migrator.pauseCapture(for: [SyncedTable("player")])
    ///     migrator.registerMigration("drop notes") { db in
    ///         try db.execute(sql: "ALTER TABLE player DROP COLUMN notes")
    ///     }
    ///
    /// Each device migrates itself, so what migrations write is not noted and not sent; see
    /// `Database.captured(_:)` for what is. It happens in the migration's transaction. Databases
    /// without capture are not changed.
    ///
    /// Call it once, before or after migrations are registered.
    ///
    /// - Parameter declarations: The tables as they are to be shared after all migrations. Names of
    ///   tables and columns that a migration changes are followed by `renamedFrom` and
    ///   `renamedColumns`.
    public mutating func pauseCapture(for declarations: [SyncedTable]) {
        beforeEachMigration { db, _ in
            try Capture.pause(db)
            try Capture.remember(db, declarations)
        }
        afterEachMigration { db, _ in try Capture.resume(db) }
    }
}

extension Database {
    /// Has what a closure writes in a migration noted, so that other devices get it.
    ///
    ///     migrator.registerMigration("titles") { db in
    ///         try db.captured {
    ///             try db.execute(sql: "UPDATE player SET title = 'Dr.' WHERE id = 'ab'")
    ///         }
    ///     }
    ///
    /// Shared are the tables that were shared before the migrations began, as they are now. In the
    /// closure, tables cannot lose columns that are shared. Outside of migrations, and in databases
    /// without capture, the closure just runs.
    ///
    /// - Parameter body: What writes rows.
    /// - Throws: What the closure throws, and `DatabaseError`; what it wrote is then undone.
    public func captured<T>(_ body: () throws -> T) throws -> T {
        var result: T?
        try inSavepoint {
            let isPaused = try Capture.isPaused(self)
            if isPaused { try Capture.resume(self) }
            result = try body()
            if isPaused { try Capture.pause(self) }
            return .commit
        }
        guard let result else {
            throw DatabaseError(resultCode: .SQLITE_ABORT, message: "the transaction has ended")
        }
        return result
    }
}

extension Capture {
    /// Whether a migration has taken the triggers away.
    static func isPaused(_ db: Database) throws -> Bool {
        guard try CaptureTables.exist(db) else { return false }
        return try Int.fetchOne(db, sql: "SELECT origin FROM main.strongroom_sync_state")
            == SyncOrigin.migration.number
    }

    /// Takes all triggers away, and marks what is written as a migration's.
    static func pause(_ db: Database) throws {
        guard try CaptureTables.exist(db) else { return }
        let names = try String.fetchAll(
            db,
            sql: """
                SELECT DISTINCT tbl_name FROM main.sqlite_master
                WHERE type = 'trigger' AND name LIKE 'strongroom\\_sync\\_%' ESCAPE '\\'
                """)
        for name in names { try removeTriggers(db, of: name) }
        for record in try TableRecord.all(db).values {
            try ScanProgress.restart(db, number: record.number)
        }
        try db.writeSyncOrigin(.migration)
    }

    /// Takes the declarations of tables that are shared already, which migrations lead to.
    fileprivate static func remember(_ db: Database, _ declarations: [SyncedTable]) throws {
        guard try CaptureTables.exist(db) else { return }
        let records = try TableRecord.all(db)
        for declaration in declarations {
            let wire = (declaration.renamedFrom ?? declaration.name).asciiLowercased
            guard var record = records[wire], record.declaration != declaration else { continue }
            record.declaration = declaration
            try record.write(db, wireName: wire)
        }
    }

    /// Makes the triggers of all tables that are shared and still there.
    ///
    /// A table that cannot be shared as it is now has none: the engine's start says why.
    static func resume(_ db: Database) throws {
        guard try CaptureTables.exist(db) else { return }
        try db.writeSyncOrigin(nil)
        for (wire, record) in try TableRecord.all(db).sorted(by: { $0.key < $1.key }) {
            guard record.scan?.isResting != true, let table = try present(db, record) else {
                continue
            }
            guard table.wireName == wire, table.keyWireNames == record.keyWireNames else {
                continue
            }
            let positions = try ColumnPositions.assign(db, number: record.number, table.columns)
            try CaptureTriggers(table, number: record.number, positions: positions).triggers()
                .create(db)
            var record = record
            record.name = table.stored.name
            try record.write(db, wireName: wire)
        }
    }

    /// The table of a record under its present name, which a migration may change.
    ///
    /// What the declaration says of columns that are not there does not matter yet.
    private static func present(_ db: Database, _ record: TableRecord) throws -> SharedTable? {
        let names = [record.declaration.name, record.name, record.declaration.renamedFrom]
        for name in names.compactMap(\.self) {
            guard let table = try SchemaReader(db).table(name, in: "main"), table.kind == .table,
                let stored = try db.storedTable(name, in: "main"), !stored.key.isEmpty
            else { continue }
            var declaration = record.declaration
            if declaration.renamedFrom == nil, name != declaration.name {
                declaration.renamedFrom = declaration.name
            }
            return SharedTable(declaration, stored)
        }
        return nil
    }
}
