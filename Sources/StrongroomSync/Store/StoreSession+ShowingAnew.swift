internal import StrongroomCore

// After a change of the schema.

extension StoreSession {
    /// Shows the rows of the tables that changed as the schema wants them, also those that were kept for it. Of other
    /// tables, it finds those that depend on these.
    ///
    /// What the app wrote before is taken first: else rows would be shown as they were merged, and what was written to them
    /// would be gone.
    func showAnew(_ store: inout SyncStore, _ sealer: BatchSealer, now: Int64) throws {
        let width = space.fingerprint.bytes.count
        let known = try StoreSetting.tableSchemas.bytes(db) ?? []
        let unchanged = Set(
            stride(from: 0, to: known.count, by: width).map { Array(known[$0..<$0 + width]) })
        for (table, digest) in space.tableFingerprints where !unchanged.contains(digest.bytes) {
            // What a scan has taken is shown by this schema.
            let isTaken = store.scans.contains {
                $0.table == table && $0.progress.schema == digest.bytes
            }
            for row in try isTaken ? hiddenRowIDs(in: table) : rowIDs(in: table) {
                try touch(row)
            }
        }
        try takeLocalChanges(&store, sealer, now: now)
        try space.keepFingerprints(db)
        store.isShown = true
    }

    /// The rows of a table that no projection has reached.
    private func hiddenRowIDs(in table: Int) throws -> [RowID] {
        var rows: [RowID] = []
        try db.forEachRow(
            "SELECT \"key\" FROM main.strongroom_sync_row WHERE tbl = ? AND status < 2",
            [.integer(Int64(table))], columnCount: 1
        ) { values in
            if case .blob(let bytes) = values[0] { rows.append(RowID(table, RowKey(bytes: bytes))) }
        }
        return rows
    }
}

extension SpaceSchema {
    /// Notes that rows are shown by this schema.
    func keepFingerprints(_ db: Database) throws {
        try StoreSetting.tableSchemas.set(db, bytes: tableFingerprints.values.flatMap(\.bytes))
        try StoreSetting.schema.set(db, bytes: fingerprint.bytes)
    }
}
