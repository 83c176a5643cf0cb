internal import StrongroomCore

// Two batches of one number, both signed: the hub was put back to an older state, and a copy of a file wrote under
// numbers that others had merged already.

extension SyncEngine {
    /// Merges what the hub has of a run whose batches are others than those that were merged here.
    ///
    /// Nobody can tell from where on they differ, and merging twice changes nothing: so all of it is merged. Devices
    /// that know the hub's batches alone get the rest by a snapshot, which everybody has to merge.
    func mergeFork(_ run: FetchedRun) async throws -> Bool {
        let prefix = HubName.logPrefix(membership.space, run.device, run.run)
        var hubs = try await beginning(of: run)
        let sealer = try sealer()
        let known = knownAtFloor[run.run]
        var last: FetchedUnit?
        var counters = ForkedCounters(run.run)
        var tokens: [CounterTokens] = []
        while hubs.refusal == nil {
            let bodies = try await hub.get(
                numbered: prefix, from: hubs.nextNumber, upTo: 4 << 20)
            guard !bodies.isEmpty else { break }
            var schema = store.space.merge
            for body in bodies {
                guard try hubs.add(body, membership.verification, &schema) else { break }
            }
            store.space.merge = schema
            while !hubs.units.isEmpty {
                let unit = hubs.removeFirst()
                last = unit
                tokens.append(unit.tokens)
                // What ended rows of it may have been dropped since.
                if unit.tail.number <= known { continue }
                try await noteCounters(of: unit, &counters)
                try await merge(unit.changes, sealer)
            }
        }
        guard let unit = last, unit.tail.number >= store.runs.vector[run.run] else { return false }
        let (now, inexact, all) = (now(), counters.inexact, tokens)
        try await transaction { session, store in
            try session.takeLocalChanges(&store, sealer, now: now)
            try InexactCounters.add(inexact, session.db)
            session.runs.merge(run.run, unit.tail, seen: unit.seen)
            try store.setBetween(false, session.db)
            try session.project()
            for tokens in all { try session.giveWay(to: tokens, of: run.run, store, sealer) }
            try session.bringBack(store, sealer)
            try StoreSetting.needsRepair.set(session.db, 1)
        }
        return true
    }

    private func noteCounters(
        of unit: FetchedUnit, _ counters: inout ForkedCounters
    ) async throws {
        let rows = unit.changes.filter { !$0.state.counters.isEmpty }
        guard !rows.isEmpty else { return }
        let (space, numbers) = (store.space, store.runs.numbers)
        let states = try await writer.read { db in
            let decoder = StateDecoder(db, space, numbers)
            return try rows.map { try decoder.state(of: $0.row) }
        }
        for (change, state) in zip(rows, states) { counters.note(change, state) }
    }

    /// The log of a run from its beginning in the hub.
    ///
    /// Where the first batches were deleted, it begins after the first one that is left: all devices have merged that.
    func beginning(of run: FetchedRun) async throws -> FetchedRun {
        guard run.firstNumber > 1 else { return FetchedRun(run.device, run.run, after: nil) }
        let prefix = HubName.logPrefix(membership.space, run.device, run.run)
        guard
            let bytes = try await hub.get(numbered: prefix, from: run.firstNumber, upTo: 1).first,
            let batch = try? SealedBatch(bytes)
        else { return FetchedRun(run.device, run.run, after: nil) }
        let tail = LogTail(
            run.firstNumber, try batch.hash(), roster: batch.header.start.roster.number)
        return FetchedRun(run.device, run.run, from: run.firstNumber, after: tail)
    }

    /// Writes what only this device may have as a snapshot that everybody merges, if there is such a thing.
    func repairIfNeeded(_ summary: inout SyncSummary) async throws {
        guard !isOutdated else { return }
        guard try await writer.read({ try StoreSetting.needsRepair.integer($0) }) != nil else {
            return
        }
        guard let id = try await publishSnapshot(isRepair: true, &summary) else { return }
        try await writer.write { db in
            try StoreSetting.needsRepair.remove(db)
            try MergedRepairs(db).adding(id).save(db)
        }
    }

    /// Merges the snapshots that everybody has to merge, each once.
    func mergeRepairs(_ summary: inout SyncSummary) async throws {
        let done = try await writer.read { try MergedRepairs($0) }
        for snapshot in try await snapshots() where snapshot.manifest.isRepair {
            let id = try snapshot.header.id()
            guard !done.ids.contains(id.bytes) else { continue }
            if snapshot.manifest.vector[store.run] > store.runs.vector[store.run] {
                throw Copied(sign: .others)
            }
            guard snapshot.manifest.vector.covers(store.floor.passed),
                try await canMerge(snapshot.manifest),
                try await mergeCounting(snapshot, &summary)
            else { continue }
            try await writer.write { try MergedRepairs($0).adding(id).save($0) }
        }
    }
}

/// The snapshots that everybody has to merge and that this device has merged.
struct MergedRepairs: Sendable {
    private static let limit = 100
    private(set) var ids: [[UInt8]] = []

    init(_ db: Database) throws {
        let bytes = try StoreSetting.mergedRepairs.bytes(db) ?? []
        ids = stride(from: 0, to: bytes.count - 31, by: 32).map { Array(bytes[$0..<$0 + 32]) }
    }

    func adding(_ id: ContentDigest) -> MergedRepairs {
        var new = self
        new.ids = (ids.filter { $0 != id.bytes } + [id.bytes]).suffix(Self.limit)
        return new
    }

    func save(_ db: Database) throws {
        try StoreSetting.mergedRepairs.set(db, bytes: ids.flatMap(\.self))
    }
}
