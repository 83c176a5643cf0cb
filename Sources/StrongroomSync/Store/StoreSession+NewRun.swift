internal import StrongroomCore

// A file that was restored or copied writes under a new run.

extension StoreSession {
    /// A batch of this device that the hub does not have.
    struct LostBatch {
        let number: UInt64
        let batch: SealedBatch
        let body: BatchBody
        let bases: CounterBases
    }

    /// Begins a new run, and sends under it what was not sent under the old one.
    ///
    /// - Parameters:
    ///   - firstUnsent: The first number of the old run under which the hub has nothing of this file.
    ///   - sent: What other files have sent under the old run that this one may have, too.
    /// - Returns: What was added to counters, and is sent under the new run.
    func beginRun(
        _ new: Run, _ store: inout SyncStore, firstUnsent: UInt64, sent: Set<UInt64> = [],
        _ keys: SpaceKeys, _ sealer: BatchSealer
    ) throws -> [CounterAddition] {
        let old = store.run
        var lost = try lostBatches(of: old, from: firstUnsent, keys)
        var first = firstUnsent
        if let part = lost.first?.body.part, part > 0 {
            // Units count whole: what the hub has of this one is nothing.
            first -= part
            lost = try lostBatches(of: old, from: first, keys)
        }
        let change = NewRun(new, after: old)
        if let batch = lost.first?.batch {
            let tail =
                first == 1
                ? nil : LogTail(first - 1, batch.header.previous, roster: 0)
            runs.cut(old, to: tail)
        }
        runs.begin(own: new)
        store.run = new
        try StoreSetting.run.set(db, bytes: new.bytes)
        try db.run(
            "DELETE FROM main.strongroom_sync_outbox WHERE run = ? AND number >= ?",
            [.blob(old.bytes), .integer(Int64(first))])
        return try sendAgain(lost, change, first, sent, sealer)
    }

    func lostBatches(
        of run: Run, from number: UInt64, _ keys: SpaceKeys
    ) throws -> [LostBatch] {
        var lost: [LostBatch] = []
        try db.makeStatement(
            sql: """
                SELECT number, body, bases FROM main.strongroom_sync_outbox
                WHERE run = ? AND number >= ? ORDER BY number
                """
        ).forEachRow([.blob(run.bytes), .integer(Int64(number))]) { row in
            guard case .integer(let number) = CapturedValue(row, 0),
                case .blob(let bytes) = CapturedValue(row, 1)
            else { throw SyncError.damagedStore("the outbox") }
            var bases = CounterBases()
            if case .blob(let bytes) = CapturedValue(row, 2) { bases = try CounterBases(bytes) }
            let batch = try SealedBatch(bytes)
            guard let key = keys[batch.header.epoch] else { throw Refusal.noKey }
            lost.append(
                LostBatch(
                    number: UInt64(number), batch: batch,
                    body: try BatchBody(try batch.open(with: key)), bases: bases))
        }
        return lost
    }

    private func sendAgain(
        _ lost: [LostBatch], _ run: NewRun, _ firstUnsent: UInt64, _ sent: Set<UInt64>,
        _ sealer: BatchSealer
    ) throws -> [CounterAddition] {
        let batch = Tombstone.Position(run.new, 1)
        var bases: [CounterBases.Place: CounterEntry?] = [:]
        var moving = try MovingAdditions(db, sent: sent)
        var states: [RowID: RowState] = [:]
        var order: [RowID] = []
        var reader = UnitReader()
        for unsent in lost {
            let changes = try reader.add(unsent.body.unitPart, &space.merge) ?? []
            if unsent.body.isLastPart { reader = UnitReader() }
            moving.add(unsent.bases)
            for change in changes {
                let (row, life) = (change.row, change.state.life)
                for entry in change.state.counters where entry.run == run.old {
                    let place = CounterBases.Place(row: row, life: life, field: entry.field)
                    guard bases[place] == nil else { continue }
                    // Of a row that was brought back, the life before may be one that was not sent.
                    let before = unsent.bases.earlier[place].flatMap { bases[$0] }
                    bases[place] = .some(before ?? unsent.bases.entries[place])
                }
                let moved = run.change(change.state, in: batch) { field in
                    bases[CounterBases.Place(row: row, life: life, field: field)] ?? nil
                } known: {
                    moving.known(CounterBases.Place(row: row, life: life, field: $0))
                }
                guard var state = states[row] else {
                    order.append(row)
                    states[row] = moved
                    continue
                }
                _ = state.merge(moved)
                states[row] = state
            }
        }
        for row in order {
            try moveEntries(of: row, run, in: batch, firstUnsent, bases, moving)
        }
        try moving.keep(under: run.new)
        try emit(
            order.compactMap { row in states[row].map { RowChange(row, $0) } }, run.new, sealer,
            additions: moving.additions)
        bringingBack = [:]
        return moving.additions
    }

    /// What was not sent of a row's counters goes from the old run's entries to the new one's.
    private func moveEntries(
        of row: RowID, _ run: NewRun, in batch: Tombstone.Position, _ firstUnsent: UInt64,
        _ bases: [CounterBases.Place: CounterEntry?], _ moving: MovingAdditions
    ) throws {
        guard let state = try currentState(of: row) else { return }
        let moved = run.state(state, in: batch, firstUnsent: firstUnsent) { field in
            let place = CounterBases.Place(row: row, life: state.life, field: field)
            if let base = bases[place] { return base }
            return state.counters.first { $0.field == field && $0.run == run.old }
        } known: { field in
            moving.known(CounterBases.Place(row: row, life: state.life, field: field))
        }
        set(row, moved, from: state)
    }
}
