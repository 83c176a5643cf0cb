internal import StrongroomCore

// Floors: what all devices have passed needs no tombstones any more.

extension SyncEngine {
    /// Applies the floors of the roster whose condition is fulfilled: before anything is merged that came after them.
    ///
    /// - Returns: Whether there were any.
    func applyFloors() async throws -> Bool {
        var hasApplied = false
        for floor in membership.roster.floors where floor.number > store.floor.number {
            guard store.runs.vector.covers(floor.known) else { break }
            try await apply(floor)
            hasApplied = true
        }
        return hasApplied
    }

    private func apply(_ floor: Floor) async throws {
        let (space, runs) = (store.space, store.runs)
        let keys = membership.keys
        // Nobody but this engine changes states: what is found here is all there is.
        let rows = try await writer.read { db in
            try StateDecoder(db, space, runs.numbers).tombstones(below: floor.passed)
        }
        let (sealer, now) = (try sealer(), now())
        try options.step("floor")
        try await transaction { session, store in
            try session.takeLocalChanges(&store, sealer, now: now)
            for row in rows {
                let old = try session.currentState(of: row)
                session.set(row, old?.cleared(below: floor.passed), from: old)
            }
            try session.project()
            try session.forgetEnded()
            store.floor = floor
            session.floor = floor
            try floor.save(session.db)
            try session.sealAnew(store, floor, keys, sealer)
        }
    }

    /// Whether an unsent batch may be sent: not if its author is one that was put back to before a floor, and has not come
    /// to it again.
    ///
    /// Others would not know any more that rows are gone which such a batch edits.
    func isBehindFloor(_ batch: [UInt8]) throws -> Bool {
        let last = membership.roster.floor
        guard last.number > store.floor.number else { return false }
        let sealed = try SealedBatch(batch)
        // The author of the floor had merged it: it is only sent again.
        guard sealed.header.number > last.known[sealed.header.run] else { return false }
        guard let key = membership.keys[sealed.header.epoch] else { throw Refusal.noKey }
        return try !BatchBody(sealed.open(with: key)).seen.covers(last.passed)
    }

    /// What the author of the last floor that was applied had merged.
    var knownAtFloor: Vector {
        membership.roster.floors.first { $0.number == store.floor.number }?.known ?? Vector()
    }

    /// Writes a floor if there are tombstones that nobody needs.
    ///
    /// - Parameter passed: What all devices have merged, a retention ago.
    func raiseFloor(_ passed: Vector) async throws {
        guard store.floor.number == membership.roster.floor.number else { return }
        // What nobody but this device has cannot be asked of others.
        let floor = Floor(
            number: store.floor.number + 1, passed: passed.joined(store.floor.passed),
            known: try await sentVector())
        guard floor.known.covers(floor.passed), !store.floor.passed.covers(floor.passed) else {
            return
        }
        let (space, numbers) = (store.space, store.runs.numbers)
        let isNeeded = try await writer.read { db in
            try !StateDecoder(db, space, numbers).tombstones(below: floor.passed, limit: 1).isEmpty
        }
        guard isNeeded else { return }
        do {
            try await publish(.floor(floor))
        } catch is Refusal {
            // Another device was faster.
            return
        }
        _ = try await applyFloors()
    }
}

extension StateDecoder {
    /// The rows whose tombstones a floor makes shorter, or superfluous.
    func tombstones(below passed: Vector, limit: Int = .max) throws -> [RowID] {
        var found: [RowID] = []
        // The lowest bit of the first byte says that a row lives: see ``StoredState``.
        try db.makeStatement(
            sql: """
                SELECT tbl, "key", state FROM main.strongroom_sync_row
                WHERE substr(hex(substr(state, 1, 1)), 2) IN ('0', '2', '4', '6', '8', 'A', 'C', 'E')
                """
        ).forEachRow { row in
            guard found.count < limit, case .integer(let table) = CapturedValue(row, 0),
                case .blob(let key) = CapturedValue(row, 1),
                case .blob(let bytes) = CapturedValue(row, 2)
            else { return }
            let state = try StoredState.decode(bytes, runs: runs) { _ in nil }
            guard state.cleared(below: passed) != state else { return }
            found.append(RowID(Int(table), RowKey(bytes: key)))
        }
        return found
    }
}
