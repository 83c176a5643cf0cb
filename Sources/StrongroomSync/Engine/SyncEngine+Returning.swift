internal import StrongroomCore
internal import StrongroomEssentials

// A file that was away for so long that others have dropped what it would have to know.

extension SyncEngine {
    /// Begins again from a snapshot: what it has is how things are, also where it has nothing any more.
    ///
    /// 1. Rows that others have had and that the snapshot lacks were deleted: they go, unless an edit wins.
    /// 2. Rows that others have never had stay, and are sent.
    ///
    /// - Parameter isNeeded: As of ``mergeSnapshot(_:_:)``.
    /// - Returns: Whether there was such a snapshot.
    func beginAgain(
        _ isNeeded: (Vector) -> Bool, _ summary: inout SyncSummary
    ) async throws -> Bool {
        let sent = try await sentVector()
        for snapshot in try await snapshots() {
            let (vector, floor) = (snapshot.manifest.vector, snapshot.manifest.floor)
            guard isNeeded(vector), vector.covers(sent), vector.covers(store.floor.passed),
                floor.number > store.floor.number,
                try await !canMerge(snapshot.manifest)
            else { continue }
            if vector[store.run] > store.runs.vector[store.run] { throw Copied(sign: .others) }
            var listed = Set<RowID>()
            let (keys, sealer) = (membership.keys, try sealer())
            guard
                try await mergeCounting(
                    snapshot, &summary, noting: { listed.insert($0) },
                    finally: {
                        let all = listed
                        return { session, store in
                            try session.dropRows(notIn: all, floor, &store, keys, sealer)
                        }
                    })
            else { continue }
            return true
        }
        return false
    }

    /// What is merged here, without what only this device has.
    func sentVector() async throws -> Vector {
        let run = store.run
        let first = try await writer.read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT min(number) FROM main.strongroom_sync_outbox
                    WHERE sent IS NULL AND run = ?
                    """, arguments: [Data(run.bytes)])
        }
        var vector = store.runs.vector
        if let first { vector[run] = UInt64(first) - 1 }
        return vector
    }
}

extension StoreSession {
    /// Drops what a snapshot with a newer floor does not have any more, as ``ReturnDecision`` says.
    func dropRows(
        notIn listed: Set<RowID>, _ floor: Floor, _ store: inout SyncStore, _ keys: SpaceKeys,
        _ sealer: BatchSealer
    ) throws {
        let units = try unsentUnits(of: store.run, after: floor.known[store.run], keys) { _ in true
        }
        var lost = try LostRows(db)
        var reinserted: [RowID] = []
        for table in schema.tables.indices {
            for row in try rowIDs(in: table) where !listed.contains(row) {
                guard let state = try currentState(of: row) else { continue }
                let unsent = units.states[row]
                let decision = ReturnDecision(
                    isInSnapshot: false, wasSent: unsent?.isInserted != true,
                    hasUnsentEdits: unsent != nil, editWins: schema[table].editWins)
                switch decision {
                case .merge, .send: continue
                case .reinsert where state.isAlive:
                    if unsent == nil { reinserted.append(row) }
                default:
                    if state.isAlive {
                        lost.counts[schema[table].name, default: 0] += 1
                    }
                    set(row, nil, from: state)
                }
            }
        }
        try project()
        try lost.save(db)
        store.floor = floor
        self.floor = floor
        try floor.save(db)
        try sealAnew(units, further: reinserted, store.run, sealer)
    }
}

/// How many rows were dropped when this device began again, by the first names of their tables.
struct LostRows: Sendable {
    var counts: [String: Int] = [:]

    init(_ db: Database) throws {
        guard let bytes = try StoreSetting.lostRows.bytes(db) else { return }
        do {
            counts = try JSONDecoder().decode([String: Int].self, from: Data(bytes))
        } catch {
            throw SyncError.damagedStore("the rows that were lost")
        }
    }

    func save(_ db: Database) throws {
        guard !counts.isEmpty else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try StoreSetting.lostRows.set(db, bytes: Array(try encoder.encode(counts)))
    }
}
