internal import StrongroomCore
internal import StrongroomSchema

// Tables that are shared for the first time with rows in them.

extension SyncEngine {
    /// Takes all rows of tables that were never shared, in slices, and shows what waits for it.
    ///
    /// It comes after the space was told of the tables, and before anything is merged: no row of others may be shown where
    /// rows of the app are not known.
    func takeScannedTables() async throws {
        guard !store.scans.isEmpty || !store.isShown else { return }
        let sealer = try sealer()
        try await countScannedRows()
        while store.scans.contains(where: { $0.progress.phase == .taking }) {
            let (now, size, unit) = (now(), takeSize.count, Int64(options.atomicLimit))
            try options.step("scan")
            let count = try await takingTransaction { session, store, isWhole in
                try session.takeScannedRows(
                    &store, sealer, now: now, limit: size, unit: unit, isWhole: isWhole)
            }
            takeSize.learn(count, workSeconds)
            let read = readRowCount
            change { $0.scannedRows = read }
        }
        try await takeLocalChanges()
        let now = now()
        try options.step("show")
        try await transaction { session, store in
            try session.endScans(&store, sealer, now: now)
        }
        change { ($0.scannedRows, $0.rowsToScan) = (0, 0) }
    }

    /// Runs a transaction that takes a part of the notes, or all of them where a part cannot be taken alone.
    func takingTransaction<T: Sendable>(
        _ body: @Sendable (StoreSession, inout SyncStore, _ isWhole: Bool) throws -> T
    ) async throws -> T {
        do {
            return try await transaction { try body($0, &$1, false) }
        } catch is NotesNeeded {
            return try await transaction { try body($0, &$1, true) }
        }
    }

    private var readRowCount: Int {
        store.scans.reduce(0) { $0 + Int($1.progress.rowCount) }
    }

    /// Says how many rows there are, as far as that is known before they are read.
    private func countScannedRows() async throws {
        let tables = store.scans.map(\.captured.table.stored.name)
        guard !tables.isEmpty else { return }
        let count = try await writer.read { db in
            try tables.reduce(0) {
                try $0
                    + (Int.fetchOne(
                        db, sql: "SELECT count(*) FROM main.\($1.quotedDatabaseIdentifier)") ?? 0)
            }
        }
        let read = readRowCount
        change { ($0.scannedRows, $0.rowsToScan) = (read, count) }
    }
}
