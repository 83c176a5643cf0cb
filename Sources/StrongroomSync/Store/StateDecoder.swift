internal import StrongroomCore

/// Reads merged states from a file: what a state leaves to the app's row is read there.
struct StateDecoder {
    let db: Database
    let tables: [Int: SpaceTable]
    let schema: MergeSchema
    let runs: RunTable

    init(_ db: Database, _ space: SpaceSchema, _ runs: RunTable) {
        self.db = db
        tables = space.tables
        schema = space.merge
        self.runs = runs
    }

    func state(_ bytes: [UInt8], of row: RowID, _ status: RowStatus) throws -> RowState {
        guard status.level == .shown else {
            return try StoredState.decode(bytes, runs: runs) { _ in nil }
        }
        // What was in a column or a table that the app has dropped is gone here. NULL stands for it: where others have the
        // content, theirs is the greater one.
        let gone = CellContent.value(.null)
        guard let table = tables[row.table] else {
            return try StoredState.decode(bytes, runs: runs) { _ in gone }
        }
        let merge = schema[row.table]
        let values = try table.values(of: row.key, db)
        // Of a row that the app has deleted, nobody asks for values: only for their authors.
        let none = [CellValue](repeating: .blob([]), count: merge.columns.count)
        return try StoredState.decode(bytes, runs: runs) {
            merge.shownContent(of: $0, in: values ?? none, of: table) ?? gone
        }
    }

    /// The next rows of a table, in the order of their keys.
    ///
    /// What the app has written must have been taken: else its values would be those of older edits.
    ///
    /// - Parameter key: The last one that the caller has; nil at the beginning.
    func rows(in table: Int, after key: RowKey?, limit: Int) throws -> [RowChange] {
        var found: [(key: RowKey, status: Int64, bytes: [UInt8])] = []
        try db.cachedStatement(
            sql: """
                SELECT "key", status, state FROM main.strongroom_sync_row
                WHERE tbl = ? AND "key" > ? ORDER BY "key" LIMIT ?
                """
        ).forEachRow([
            .integer(Int64(table)), .blob(key?.bytes ?? []), .integer(Int64(limit)),
        ]) { row in
            guard case .blob(let key) = CapturedValue(row, 0),
                case .integer(let status) = CapturedValue(row, 1),
                case .blob(let bytes) = CapturedValue(row, 2)
            else { throw SyncError.damagedStore("a merged row") }
            found.append((RowKey(bytes: key), status, bytes))
        }
        return try found.map { entry in
            let row = RowID(table, entry.key)
            let status = try RowStatus(stored: entry.status)
            return RowChange(row, try state(entry.bytes, of: row, status))
        }
    }
}
