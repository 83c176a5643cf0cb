internal import StrongroomCore
internal import StrongroomEssentials

// Batches that were not sent, of a device that was put back to before a floor.

extension StoreSession {
    /// What the batches that the hub does not have say of a row.
    struct UnsentRow {
        /// Whether one of them has its insertion, so that others have never had it.
        var isInserted = false
    }

    /// Units of this device's run that the hub does not have.
    struct UnsentUnits {
        var batches: [LostBatch] = []
        /// Their rows, in the order of their first changes.
        var rows: [RowID] = []
        var states: [RowID: UnsentRow] = [:]
        var bases = CounterBases()
    }

    /// Reads the units that were not sent, from the first batch on that a condition holds for.
    func unsentUnits(
        of run: Run, after number: UInt64, _ keys: SpaceKeys, from isFirst: (BatchBody) -> Bool
    ) throws -> UnsentUnits {
        var units = UnsentUnits()
        let least = try Int64.fetchOne(
            db,
            sql: """
                SELECT min(number) FROM main.strongroom_sync_outbox
                WHERE sent IS NULL AND run = ? AND number > ?
                """, arguments: [Data(run.bytes), Int64(number)])
        guard let least else { return units }
        let all = try lostBatches(of: run, from: UInt64(least), keys)
        guard let first = all.first(where: { isFirst($0.body) }) else { return units }
        // Units count whole.
        units.batches = try lostBatches(of: run, from: first.number - first.body.part, keys)
        var known = Set<CounterBases.Place>()
        var reader = UnitReader()
        for batch in units.batches {
            units.bases.earlier.merge(batch.bases.earlier) { old, _ in old }
            units.bases.additions += batch.bases.additions
            let changes = try reader.add(batch.body.unitPart, &space.merge) ?? []
            if batch.body.isLastPart { reader = UnitReader() }
            for change in changes {
                if units.states[change.row] == nil { units.rows.append(change.row) }
                units.states[change.row, default: UnsentRow()].isInserted =
                    change.state.birth != nil || units.states[change.row]?.isInserted == true
                for entry in change.state.counters where entry.run == run {
                    let place = CounterBases.Place(
                        row: change.row, life: change.state.life, field: entry.field)
                    // What the first of them counted from is what others have.
                    guard known.insert(place).inserted else { continue }
                    units.bases.entries[place] = batch.bases.entries[place]
                }
            }
        }
        return units
    }

    /// Makes batches that were not sent anew, as one unit with the states of their rows, which has seen what is merged
    /// now.
    ///
    /// A batch that has seen less than a floor must not reach others who have applied it.
    ///
    /// - Parameter further: Rows that are sent with them.
    func sealAnew(
        _ units: UnsentUnits, further: [RowID] = [], _ run: Run, _ sealer: BatchSealer
    ) throws {
        if let first = units.batches.first {
            try db.run(
                "DELETE FROM main.strongroom_sync_outbox WHERE run = ? AND number >= ?",
                [.blob(run.bytes), .integer(Int64(first.number))])
            let previous = first.batch.header.previous
            runs.cut(
                run, to: first.number == 1 ? nil : LogTail(first.number - 1, previous, roster: 0))
        }
        let changes = try (units.rows + further).compactMap { row in
            try currentState(of: row).map { RowChange(row, $0) }
        }
        guard !changes.isEmpty else { return }
        try write(changes, run, sealer, units.bases)
    }

    /// Makes the batches anew that a floor forbids to send.
    func sealAnew(
        _ store: SyncStore, _ floor: Floor, _ keys: SpaceKeys, _ sealer: BatchSealer
    ) throws {
        let run = store.run
        let units = try unsentUnits(of: run, after: floor.known[run], keys) {
            !$0.seen.covers(floor.passed)
        }
        if !units.batches.isEmpty { try sealAnew(units, run, sealer) }
    }
}
