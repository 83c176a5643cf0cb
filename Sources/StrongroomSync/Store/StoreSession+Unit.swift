internal import StrongroomCore

/// What a device needs to write batches: its keys, and where it stands in the roster.
struct BatchSealer: Sendable {
    let identity: DeviceIdentity
    let space: SpaceID
    let roster: RosterPosition
    let key: SpaceKey
    let randomness: SyncRandomness
    let fingerprint: ContentDigest
    var padding = SyncPadding.padme
    var capacity = UnitWriter.capacity

    /// A batch of a run, after another one.
    func batch(
        _ body: BatchBody, _ run: Run, after tail: LogTail?
    ) throws -> (bytes: [UInt8], tail: LogTail) {
        let number = (tail?.number ?? 0) + 1
        let header = try BatchHeader(
            start: ObjectStart(.batch, space, identity.device, roster), run: run, number: number,
            previous: tail?.hash, epoch: key.epoch,
            salt: randomness.bytes(BatchHeader.saltByteCount))
        let batch = try SealedBatch(
            body.bytes, header, key: key, padding: padding, signedBy: identity.signing)
        return (batch.bytes, LogTail(number, try batch.hash(), roster: roster.number))
    }
}

/// Some notes cannot be taken without the others: rows would change that have notes, or that refer to such rows. The
/// transaction is undone.
struct NotesNeeded: Error {}

// This device's own units.

extension StoreSession {
    /// Takes what the app wrote, shows what follows from it, and puts a batch into the outbox: all of it, or nothing.
    ///
    /// - Parameter limit: How many notes are taken at most. Whoever merges takes all of them before: what was written by
    ///   the app must not be taken for what was merged.
    /// - Parameter scanned: Rows that a scan has reached, which are taken, too, if they are not known.
    /// - Returns: How many changes there were, and whether notes are left.
    /// - Throws: ``NotesNeeded`` if a part of the notes cannot be taken alone.
    @discardableResult
    func takeLocalChanges(
        _ store: inout SyncStore, _ sealer: BatchSealer, now: Int64, limit: Int = .max,
        scanned: [RowID] = []
    ) throws -> (count: Int, hasMore: Bool) {
        // The values of a row belong to all of its notes: a part of them would be taken with what others say already, and
        // the row would be shown without the rest.
        if limit != .max {
            try gatherNotes(&store, limit)
        } else {
            store.gatheredThrough = 0
        }
        let batch = Tombstone.Position(store.run, runs.vector[store.run] + 1)
        var found = try Journal.rows(db, limit: limit)
        try addUnscanned(scanned, to: &found, store.scans, sealer, now: now)
        if found.hasMore { writable = Set(found.rows.compactMap { row($0) }) }
        defer { writable = nil }
        let drained = try drain(
            found, into: batch, &store.clock, now: now, offset: store.offset)
        if drained.last > 0 { try Journal.remove(db, through: drained.last) }
        try emit(drained.changes, store.run, sealer, additions: drained.additions)
        if !drained.hasMore { store.gatheredThrough = 0 }
        store.takenCount += drained.changes.count
        return (drained.changes.count, drained.hasMore)
    }

    private func gatherNotes(_ store: inout SyncStore, _ limit: Int) throws {
        guard store.gatheredThrough > 0 else {
            store.gatheredThrough = try Journal.gather(db)
            return
        }
        // What the app has written since.
        let found = try Journal.rows(db, limit: limit)
        let later = try Journal.rows(db, after: max(found.last, store.gatheredThrough)).rows
        guard !later.isEmpty else { return }
        let taken = Set(found.rows.map { RowName(table: $0.table, key: $0.key.keyBytes) })
        if later.contains(where: {
            taken.contains(RowName(table: $0.table, key: $0.key.keyBytes))
        }) {
            store.gatheredThrough = try Journal.gather(db)
        }
    }

    /// Writes a unit of this device, merges it here, and shows it.
    func emit(
        _ changes: [RowChange], _ run: Run, _ sealer: BatchSealer,
        revived: [RowID: RowState] = [:], additions: [CounterAddition] = []
    ) throws {
        if !changes.isEmpty {
            var bases = try bases(of: changes, run, revived)
            bases.additions = additions
            try write(changes, run, sealer, bases)
            let author = seenByAuthor
            seenByAuthor = runs.vector
            defer { seenByAuthor = author }
            for change in changes { try merge(change) }
        }
        try project()
    }

    /// Writes a batch without changes, from which others learn what is merged here.
    func writeNothing(_ run: Run, _ sealer: BatchSealer) throws {
        try write([], run, sealer, CounterBases())
    }

    /// - Parameter revived: Rows that are brought back, as they lived.
    private func bases(
        of changes: [RowChange], _ run: Run, _ revived: [RowID: RowState]
    ) throws -> CounterBases {
        var bases = CounterBases()
        // The first batch of a run has nothing before it, though the state may have it already.
        guard runs.vector[run] > 0 else { return bases }
        for change in changes where !change.state.counters.isEmpty {
            let (row, life) = (change.row, change.state.life)
            let old = try currentState(of: row)
            for entry in change.state.counters where entry.run == run {
                let place = CounterBases.Place(row: row, life: life, field: entry.field)
                let before = old?.life == life ? old?.counters[place: entry.place] : nil
                let living = revived[row]
                bases.entries[place] = before ?? living?.counters[place: entry.place]
                if let living {
                    bases.earlier[place] = CounterBases.Place(
                        row: row, life: living.life, field: entry.field)
                }
            }
        }
        return bases
    }

    func write(
        _ changes: [RowChange], _ run: Run, _ sealer: BatchSealer, _ bases: CounterBases
    ) throws {
        let (seen, digest) = (runs.vector, settledDigest?.bytes)
        let parts = PartList()
        let tokens = bases.tokens
        var writer = UnitWriter(schema, seen: seen, tokens: tokens, capacity: sealer.capacity) {
            parts.list.append($0)
        }
        for change in changes { try writer.add(change) }
        try writer.finish()
        var tail = runs.tails[run]
        for part in parts.list {
            var body = BatchBody(
                seen: seen, floor: floor.number, schema: sealer.fingerprint,
                digest: part.index == 0 ? digest : nil, part)
            if part.index == 0 { body.tokens = tokens }
            let batch = try sealer.batch(body, run, after: tail)
            tail = batch.tail
            logByteCount += Int64(batch.bytes.count)
            try db.run(
                """
                INSERT INTO main.strongroom_sync_outbox (run, number, body, changes, bases)
                VALUES (?, ?, ?, ?, ?)
                """,
                [
                    .blob(run.bytes), .integer(Int64(batch.tail.number)), .blob(batch.bytes),
                    .integer(part.isLast ? Int64(changes.count) : 0),
                    part.index == 0 && bases != CounterBases() ? .blob(bases.bytes) : .null,
                ])
        }
        if let tail { runs.merge(run, tail) }
        let batch = db.lastInsertedRowID
        for change in changes {
            try db.run(
                """
                INSERT INTO main.strongroom_sync_unsent (tbl, "key", batch) VALUES (?1, ?2, ?3)
                ON CONFLICT (tbl, "key") DO UPDATE SET batch = ?3
                """,
                [
                    .integer(Int64(change.row.table)), .blob(change.row.key.bytes),
                    .integer(batch),
                ])
        }
    }

    /// What a writer of units emits.
    private final class PartList {
        var list: [UnitPart] = []
    }
}
