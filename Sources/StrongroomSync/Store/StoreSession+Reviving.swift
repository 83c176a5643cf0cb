internal import StrongroomCore

// Rows whose life a merge has ended, though this device may have a reason to keep them.

extension StoreSession {
    /// Notes how a row lived whose life a change ends or replaces.
    ///
    /// 1. What others wrote to that life, and what comes only now, belongs to it.
    /// 2. Where the row was dead already, and comes back, it has what this device had kept of it.
    func noteLiving(_ row: RowID, _ old: RowState, before state: RowState) throws {
        let revival = Revival(ownRuns: runs.own)
        if old.isAlive {
            guard state.life > old.life else { return }
            bringingBack[row] = bringingBack[row].map { revival.joined($0, old) } ?? old
            if !hasSeenOwn { endedUnseen.insert(row) }
        } else if state.life > old.life {
            guard state.isAlive, bringingBack[row] == nil, let ended = try takeEnded(row) else {
                return
            }
            bringingBack[row] = ended
        } else if state.isAlive, state.life == old.life - 1,
            var living = try bringingBack[row] ?? (isBetween ? keptLiving(row) : nil),
            living.life == state.life
        {
            _ = living.merge(state)
            bringingBack[row] = living
        }
    }

    /// Brings back what edits and RESTRICT keep, after everything that came together is merged and shown.
    ///
    /// In the middle of something that comes in pieces it only keeps what lived: what is still to come may be the end of
    /// the children for which a parent would come back, or their beginning.
    ///
    /// - Parameter isEnd: Whether nothing more comes, although something was merged in part.
    func bringBack(_ store: SyncStore, _ sealer: BatchSealer, isEnd: Bool = false) throws {
        guard isEnd || !store.isBetween else { return try keepLiving() }
        let revival = Revival(ownRuns: runs.own)
        let kept = try keptStates(in: Self.living)
        let living = kept.merging(bringingBack) { revival.joined($0, $1) }
        let unseen = endedUnseen.union(kept.keys)
        (bringingBack, endedUnseen) = ([:], [])
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
            if let change {
                changes.append(RowChange(row, change))
            } else if !now.isAlive, unseen.contains(row), restrictedTables.contains(row.table),
                revival.hasOwn(state)
            {
                // Another device may bring it back, without what those who deleted it had not seen.
                try keep(row, state, in: Self.ended)
            }
        }
        try emit(changes, store.run, sealer, revived: living)
        bringingBack = [:]
    }

    /// Keeps in the file what may have to be brought back, until everything that came together is merged: the process
    /// may end before.
    func keepLiving() throws {
        let revival = Revival(ownRuns: runs.own)
        for (row, state) in bringingBack
        where revival.hasOwn(state) || schema[row.table].editWins
            || restrictedTables.contains(row.table)
        {
            let state = try keptLiving(row).map { revival.joined($0, state) } ?? state
            try keep(row, state, in: Self.living)
        }
        bringingBack = [:]
    }

    /// Whether the author of the changes that are being merged had seen all that this device wrote.
    private var hasSeenOwn: Bool {
        guard let seenByAuthor else { return false }
        return runs.own.allSatisfy { seenByAuthor[$0] >= runs.vector[$0] }
    }

    private func takeEnded(_ row: RowID) throws -> RowState? {
        guard restrictedTables.contains(row.table),
            let state = try keptState(row, in: Self.ended)
        else { return nil }
        try db.run(
            "DELETE FROM main.\(Self.ended) WHERE tbl = ? AND \"key\" = ?",
            [.integer(Int64(row.table)), .blob(row.key.bytes)])
        return state
    }

    /// Forgets what was kept of rows that a floor has dropped.
    func forgetEnded() throws {
        try db.run(
            """
            DELETE FROM main.\(Self.ended) WHERE NOT EXISTS (
                SELECT 1 FROM main.strongroom_sync_row AS row
                WHERE row.tbl = strongroom_sync_ended.tbl AND row."key" = strongroom_sync_ended."key")
            """, [])
    }

    private static let living = "strongroom_sync_living"
    private static let ended = "strongroom_sync_ended"

    private func keep(_ row: RowID, _ state: RowState, in table: String) throws {
        let bytes = runs.withNumbers { numbers in
            StoredState.encode(state, runs: &numbers) { _ in nil }
        }
        try db.run(
            """
            INSERT INTO main.\(table) (tbl, "key", state) VALUES (?1, ?2, ?3)
            ON CONFLICT (tbl, "key") DO UPDATE SET state = ?3
            """, [.integer(Int64(row.table)), .blob(row.key.bytes), .blob(bytes)])
    }

    private func keptLiving(_ row: RowID) throws -> RowState? {
        try keptState(row, in: Self.living)
    }

    private func keptState(_ row: RowID, in table: String) throws -> RowState? {
        try keptStates(
            in: table, " WHERE tbl = ? AND \"key\" = ?",
            [.integer(Int64(row.table)), .blob(row.key.bytes)])[row]
    }

    private func keptStates(
        in table: String, _ condition: String = "", _ arguments: [CapturedValue] = []
    ) throws -> [RowID: RowState] {
        var kept: [RowID: RowState] = [:]
        try db.forEachRow(
            "SELECT tbl, \"key\", state FROM main.\(table)\(condition)", arguments,
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
