internal import StrongroomCore

// What the app wrote becomes changes.

extension StoreSession {
    /// What a drain found.
    struct Drained {
        var changes: [RowChange] = []
        /// The number of the last note that counts.
        var last: Int64 = 0
        /// Whether notes were left for the next time.
        var hasMore = false
        /// The rows whose edits cannot travel, with the reasons.
        var refused: [(row: RowID, reason: LocalChangeError)] = []
        /// What the changes add to counters.
        var additions: [CounterAddition] = []
    }

    /// Makes changes of what the app wrote, and gives their stamps.
    ///
    /// - Parameters:
    ///   - found: What notes say of rows.
    ///   - batch: The batch in which the changes travel.
    ///   - clock: Gives the stamps.
    ///   - now: The device's clock, in milliseconds since 1970.
    func drain(
        _ found: Journal.Rows, into batch: Tombstone.Position, _ clock: inout StampClock,
        now: Int64, offset: Int64?
    ) throws -> Drained {
        var drained = Drained(last: found.last, hasMore: found.hasMore)
        var rows: [RowID] = []
        var additions: [RowID: [NotedAddition]] = [:]
        var order: [(row: Int, note: Note)] = []
        for (place, noted) in found.rows.enumerated() {
            guard let table = space.table(captured: noted.table) else { continue }
            let row = RowID(table.number, RowKey(noted.key.map { CellValue($0) }))
            for note in noted.notes { order.append((rows.count, note)) }
            additions[row] = found.additions[place]
            rows.append(row)
        }
        var notes = [[LocalNote]](repeating: [], count: rows.count)
        // A row's own notes stay in their order: the sort keeps what has one time.
        let sorted = order.enumerated().sorted {
            ($0.element.note.time, $0.offset) < ($1.element.note.time, $1.offset)
        }
        for (_, entry) in sorted {
            let stamp = clock.stamp(noted: entry.note.time, now: now, offset: offset)
            guard let table = space.tables[rows[entry.row].table] else { continue }
            notes[entry.row].append(table.localNote(entry.note, stamp, schema[table.number]))
        }
        for (row, notes) in zip(rows, notes) where !notes.isEmpty {
            do {
                guard let change = try change(row, notes, batch) else { continue }
                drained.changes.append(change)
                drained.additions += counted(additions[row] ?? [], in: change, batch.run)
            } catch let reason as LocalChangeError {
                drained.refused.append((row, reason))
            }
        }
        return drained
    }

    /// What was added to the counters that a change has.
    private func counted(
        _ additions: [NotedAddition], in change: RowChange, _ run: Run
    ) -> [CounterAddition] {
        guard let table = space.tables[change.row.table] else { return [] }
        return additions.compactMap { addition in
            guard let field = table.counter(at: addition.position, schema[table.number]),
                change.state.counters[place: FieldPlace(field: field, part: run)] != nil
            else { return nil }
            let place = CounterBases.Place(
                row: change.row, life: change.state.life, field: field)
            return CounterAddition(
                token: addition.token, amount: addition.amount, place: place)
        }
    }

    private func change(
        _ row: RowID, _ notes: [LocalNote], _ batch: Tombstone.Position
    ) throws -> RowChange? {
        guard let table = space.tables[row.table] else { return nil }
        let known = try stored(row)
        let values = try table.values(of: row.key, db)
        guard known.state != nil || values != nil else { return nil }
        // What the app wrote may not be what is to be shown: the greater value of a maximum.
        try touch(row)
        let local = LocalRow(
            in: schema[row.table], notes: notes, merged: known.state,
            // Of a table that was not shared for a while, a row may still be there that others have deleted.
            wasVisible: known.status.level == .shown && known.state?.isAlive != false,
            values: values)
        return try local.change(in: batch).map { RowChange(row, $0) }
    }
}

extension SpaceTable {
    /// A note of capture for the merge.
    fileprivate func localNote(_ note: Note, _ stamp: Stamp, _ merge: MergeTable) -> LocalNote {
        switch note.kind {
        case .insert: return LocalNote(.inserted, stamp)
        case .delete, .look: return LocalNote(.deleted, stamp)
        case .update:
            let columns = note.positions.compactMap { position in
                positions.firstIndex { $0 == position }
            }
            return LocalNote(.updated(columns), stamp)
        case .counter:
            guard let field = counter(at: note.word, merge) else {
                return LocalNote(.updated([]), stamp)
            }
            return LocalNote(.updated([]), stamp, differences: [field: note.mask])
        }
    }

    /// The field of a counter, by the position of its column in notes.
    fileprivate func counter(at position: Int, _ merge: MergeTable) -> Int? {
        guard let column = positions.firstIndex(where: { $0 == position }),
            case .field(let field, _) = merge.columns[column]
        else { return nil }
        return field
    }
}
