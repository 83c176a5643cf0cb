internal import StrongroomCore

// Rows whose life a merge has ended, though this device may have a reason to keep them.

extension StoreSession {
    /// Brings back what edits and RESTRICT keep, after everything that came together is merged and shown.
    ///
    /// In the middle of something that comes in pieces it only keeps what lived: what is still to come may be the end of
    /// the children for which a parent would come back, or their beginning.
    ///
    /// - Parameter isEnd: Whether nothing more comes, although something was merged in part.
    func bringBack(_ store: SyncStore, _ sealer: BatchSealer, isEnd: Bool = false) throws {
        guard isEnd || !store.isBetween else { return try keepLiving() }
        let revival = Revival(ownRuns: runs.own)
        let living = try keptLiving().merging(bringingBack) { revival.joined($0, $1) }
        bringingBack = [:]
        guard !living.isEmpty else { return }
        try db.run("DELETE FROM main.strongroom_sync_living", [])
        var changes: [RowChange] = []
        for (row, state) in living.sorted(by: { $0.key.isBefore($1.key) }) {
            guard let now = try currentState(of: row) else { continue }
            var change = revival.addition(of: state, to: now)
            if schema[row.table].editWins {
                change = change ?? revival.editWins(state, over: now)
            }
            if change == nil, try isParentKept(row, revival) {
                change = Revival.change(bringingBack: state, over: now)
            }
            if let change { changes.append(RowChange(row, change)) }
        }
        try emit(changes, store.run, sealer, revived: living)
        bringingBack = [:]
    }

    /// Keeps in the file what may have to be brought back, until everything that came together is merged: the process
    /// may end before.
    func keepLiving() throws {
        let revival = Revival(ownRuns: runs.own)
        let parents = Set(
            schema.tables.flatMap(\.references).filter { $0.action == .restrict }.map(\.parent))
        for (row, state) in bringingBack
        where revival.hasOwn(state) || schema[row.table].editWins || parents.contains(row.table) {
            let state = try keptLiving(row).map { revival.joined($0, state) } ?? state
            let bytes = runs.withNumbers { numbers in
                StoredState.encode(state, runs: &numbers) { _ in nil }
            }
            try db.run(
                """
                INSERT INTO main.strongroom_sync_living (tbl, "key", state) VALUES (?1, ?2, ?3)
                ON CONFLICT (tbl, "key") DO UPDATE SET state = ?3
                """, [.integer(Int64(row.table)), .blob(row.key.bytes), .blob(bytes)])
        }
        bringingBack = [:]
    }

    private func keptLiving(_ row: RowID) throws -> RowState? {
        try keptLiving(
            " WHERE tbl = ? AND \"key\" = ?",
            [.integer(Int64(row.table)), .blob(row.key.bytes)])[row]
    }

    private func keptLiving(
        _ condition: String = "", _ arguments: [CapturedValue] = []
    ) throws -> [RowID: RowState] {
        var kept: [RowID: RowState] = [:]
        try db.forEachRow(
            "SELECT tbl, \"key\", state FROM main.strongroom_sync_living\(condition)", arguments,
            columnCount: 3
        ) { values in
            guard case .integer(let table) = values[0], case .blob(let key) = values[1],
                case .blob(let bytes) = values[2]
            else { throw SyncError.damagedStore("a row that may come back") }
            kept[RowID(Int(table), RowKey(bytes: key))] = try StoredState.decode(
                bytes, runs: runs.numbers
            ) { _ in nil }
        }
        return kept
    }

    /// Whether this device has made a row refer to one that RESTRICT would have kept.
    private func isParentKept(_ row: RowID, _ revival: Revival) throws -> Bool {
        for (number, table) in schema.tables.enumerated() {
            for (index, reference) in table.references.enumerated()
            where reference.parent == row.table && reference.action == .restrict {
                for child in children(of: row, by: ReferenceID(number, index)) {
                    guard let state = try currentState(of: child) else { continue }
                    if revival.isAuthor(of: reference, in: table, state) { return true }
                }
            }
        }
        return false
    }
}

extension RowID {
    func isBefore(_ other: RowID) -> Bool {
        table == other.table ? key < other.key : table < other.table
    }
}
