package import StrongroomCore
internal import StrongroomSchema

/// Capture of changes: triggers in the file that note where rows change, whoever writes them.
///
/// 1. All of it is in the database's own file, and changes in the transactions of the rows.
/// 2. The triggers in the file are those that the declarations and the schema give, or its rows are
///    compared: see ``CapturedTable/scan``.
/// 3. A table keeps its number, and a column its position, as long as the table is shared.
package enum Capture {
    /// Creates what capture needs, and brings triggers up to date. Call it in a transaction.
    ///
    /// Tables that are no longer declared lose their triggers and their notes.
    ///
    /// - Parameter withheld: Tables of the schema that cannot be shared now, by their first names: they have no triggers
    ///   either.
    /// - Returns: The shared tables, in the order of the schema.
    /// - Throws: `DatabaseError`.
    @discardableResult
    package static func install(
        _ db: Database, _ schema: SyncSchema, withholding withheld: Set<String> = []
    ) throws -> [CapturedTable] {
        try db.inSavepoint {
            let width = schema.tables.map(\.stored.key.count).max() ?? 1
            try CaptureTables.create(db, keyColumnCount: width)
            let records = try TableRecord.all(db)
            let wires = Set(schema.tables.map(\.wireName))
            for (wire, record) in records.sorted(by: { $0.key < $1.key })
            where !wires.contains(wire) && record.scan != .retired {
                var record = record
                try record.rest(db, wireName: wire, as: .retired)
            }
            for table in schema.tables {
                if withheld.contains(table.wireName) {
                    try withhold(db, table, records[table.wireName])
                } else {
                    try install(db, table, records[table.wireName])
                }
            }
            return .commit
        }
        return try tables(db, schema.without(withheld))
    }

    /// The shared tables as the file has them; none of those that are not installed.
    package static func tables(_ db: Database, _ schema: SyncSchema) throws -> [CapturedTable] {
        let records = try TableRecord.all(db)
        return try schema.tables.compactMap { table in
            guard let record = records[table.wireName] else { return nil }
            let positions = try ColumnPositions.assign(
                db, number: record.number, table.columns)
            return CapturedTable(
                number: record.number, table: table, positions: positions, scan: record.scan)
        }
    }

    /// The declarations of the tables that are shared, under their present names.
    package static func declarations(_ db: Database) throws -> [SyncedTable] {
        try TableRecord.all(db).values.filter { $0.scan != .retired }
            .sorted { $0.number < $1.number }.map(\.declaration)
    }

    /// Notes that the rows of a table have been compared.
    package static func didScan(_ db: Database, _ table: CapturedTable) throws {
        try db.execute(
            sql: "UPDATE main.strongroom_sync_table SET scan = NULL WHERE number = ?",
            arguments: [table.number])
        try ScanProgress.remove(db, number: table.number)
    }

    private static func withhold(
        _ db: Database, _ table: SharedTable, _ known: TableRecord?
    ) throws {
        var record = TableRecord(
            number: try known?.number ?? nextNumber(db), name: known?.name ?? table.stored.name,
            keyWireNames: known?.keyWireNames ?? table.keyWireNames,
            declaration: table.declaration, scan: nil)
        try record.rest(db, wireName: table.wireName, as: .withheld)
    }

    private static func install(
        _ db: Database, _ table: SharedTable, _ known: TableRecord?
    ) throws {
        var record = known
        if let known, known.keyWireNames != table.keyWireNames {
            // Notes have keys of another form.
            try removeTriggers(db, of: known.name)
            try TableRecord.remove(db, number: known.number)
            record = nil
        }
        let isNew = record.map { $0.scan?.isResting == true } ?? true
        let number = try record?.number ?? nextNumber(db)
        let positions = try ColumnPositions.assign(db, number: number, table.columns)
        let triggers = try CaptureTriggers(table, number: number, positions: positions).triggers()
        let isIntact = try installed(db, on: table.stored.name) == triggers.stored
        if !isIntact {
            try removeTriggers(db, of: table.stored.name)
            try triggers.create(db)
        }
        var scan = isNew ? .new : record?.scan
        if isNew || !isIntact {
            // What was written since then may have no notes.
            let progress = try ScanProgress.load(db, number: number)
            if progress?.isFirst == true { scan = .triggers }
            try ScanProgress.remove(db, number: number)
            scan = scan ?? .triggers
        }
        try TableRecord(
            number: number, name: table.stored.name, keyWireNames: table.keyWireNames,
            declaration: table.declaration, scan: scan
        ).write(db, wireName: table.wireName)
    }

    private static func nextNumber(_ db: Database) throws -> Int {
        try Int.fetchOne(
            db, sql: "SELECT ifnull(max(number), 0) + 1 FROM main.strongroom_sync_table") ?? 1
    }

    /// The triggers of capture that a table has, with their texts.
    static func installed(_ db: Database, on table: String) throws -> [String: String] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT name, sql FROM main.sqlite_master
                WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE
                    AND name LIKE 'strongroom\\_sync\\_%' ESCAPE '\\'
                """, arguments: [table])
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }

    /// Removes the triggers of capture from a table.
    static func removeTriggers(_ db: Database, of table: String) throws {
        for name in try installed(db, on: table).keys.sorted() {
            try db.execute(sql: "DROP TRIGGER main.\(name.quotedDatabaseIdentifier)")
        }
    }
}
