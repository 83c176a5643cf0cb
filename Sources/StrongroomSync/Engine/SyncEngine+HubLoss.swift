internal import StrongroomCore
internal import StrongroomEssentials

// A hub that has lost batches: it was put back to an older state, erased, or somebody has deleted from it.

extension SyncEngine {
    /// How long those who wrote missing batches may take to send them again, in milliseconds.
    private static let patience: Int64 = 10 * 60_000

    /// Sends again what the hub has lost of this device's batches.
    ///
    /// The outbox has all batches that the floor has not passed. One look at the last batch of a run tells whether the hub
    /// was put back; the first exchange of an engine looks for gaps, too.
    func resendLost() async throws {
        let looksForGaps = !hasExaminedHub
        for run in store.runs.own.sorted() {
            guard let last = try await lastSent(of: run) else { continue }
            let prefix = HubName.logPrefix(membership.space, membership.identity.device, run)
            if !looksForGaps,
                try await hub.get(numbered: prefix, from: last.number, upTo: 1).first == last.body
            {
                continue
            }
            try await resendLost(of: run, prefix)
        }
        hasExaminedHub = true
    }

    private func resendLost(of run: Run, _ prefix: String) async throws {
        let names = try await hub.names(prefix)
        let there = Set(names.compactMap { UInt64($0.dropFirst(prefix.count)) })
        var (isSame, before): (Bool, UInt64) = (false, .max)
        // From the end: where the hub has another batch, it was put back and another copy of this file has written.
        while !isSame, let batch = try await lastSent(of: run, before: before) {
            before = batch.number
            if there.contains(batch.number) {
                let body = try await hub.get(numbered: prefix, from: batch.number, upTo: 1).first
                isSame = body == batch.body
            }
            if !isSame { try await markUnsent(batch.id) }
        }
        // Below, what is there is this device's.
        let first = there.min() ?? .max
        var missing: [(id: Int64, number: UInt64)] = []
        for entry in try await sentNumbers(of: run, before: before)
        where !there.contains(entry.number) {
            missing.append(entry)
        }
        // What is missing at the beginning was deleted because a snapshot has it.
        let deleted = missing.filter { $0.number < first }.map(\.number).max()
        var isSaved = false
        if let deleted {
            isSaved = try await snapshots().contains { $0.manifest.vector[run] >= deleted }
        }
        for entry in missing where !isSaved || entry.number > first {
            try await markUnsent(entry.id)
        }
        try await repairBeginning(of: run, first)
    }

    /// Has a snapshot written if neither the hub nor the outbox has the first batches of a run any more.
    private func repairBeginning(of run: Run, _ first: UInt64) async throws {
        let number = try await writer.read { db in
            try Int64.fetchOne(
                db, sql: "SELECT min(number) FROM main.strongroom_sync_outbox WHERE run = ?",
                arguments: [Data(run.bytes)])
        }
        guard let number, number > 1, first >= UInt64(number),
            try await !snapshots().contains(where: { known in
                known.manifest.vector[run] >= UInt64(number) - 1
            })
        else { return }
        try await writer.write { try StoreSetting.needsRepair.set($0, 1) }
    }

    private func lastSent(of run: Run, before number: UInt64 = .max) async throws -> UnsentBatch? {
        let limit = Int64(clamping: number)
        return try await writer.read { db in
            var found: UnsentBatch?
            try db.cachedStatement(
                sql: """
                    SELECT id, number, body FROM main.strongroom_sync_outbox
                    WHERE run = ? AND number < ? AND sent IS NOT NULL ORDER BY number DESC LIMIT 1
                    """
            ).forEachRow([.blob(run.bytes), .integer(limit)]) { row in
                guard case .integer(let id) = CapturedValue(row, 0),
                    case .integer(let number) = CapturedValue(row, 1),
                    case .blob(let body) = CapturedValue(row, 2)
                else { throw SyncError.damagedStore("the outbox") }
                found = UnsentBatch(id: id, run: run, number: UInt64(number), body: body)
            }
            return found
        }
    }

    private func sentNumbers(
        of run: Run, before number: UInt64
    ) async throws -> [(id: Int64, number: UInt64)] {
        let limit = Int64(clamping: number)
        return try await writer.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, number FROM main.strongroom_sync_outbox
                    WHERE run = ? AND number < ? AND sent IS NOT NULL
                    """, arguments: [Data(run.bytes), limit]
            ).map { ($0[0], UInt64($0[1] as Int64)) }
        }
    }

    private func markUnsent(_ id: Int64) async throws {
        try await writer.write { db in
            try db.run(
                "UPDATE main.strongroom_sync_outbox SET sent = NULL WHERE id = ?", [.integer(id)])
        }
    }

    // MARK: - Batches of others

    /// Finds out which merged batches of other devices the hub does not have any more.
    ///
    /// They are named until they come back. If they take too long, this device writes its state as a snapshot: it may be the
    /// only one that has them.
    func examineLoss(_ summary: inout SyncSummary) async throws {
        let now = hubTime()
        var missing: [SyncStatus.MissingBatches] = []
        for (run, number) in store.runs.vector.numbers.sorted(by: { $0.key < $1.key })
        where !store.runs.own.contains(run) && number > store.floor.passed[run] {
            guard let device = try membership.roster.device(of: run) else { continue }
            let prefix = HubName.logPrefix(membership.space, device, run)
            let before = prefix + HubName.text(number - 1)
            let page = try await hub.list(prefix, after: before, limit: 1)
            if page.names.first.map({ $0.hasPrefix(prefix) }) == true { continue }
            let last = try await hub.names(prefix).last.flatMap {
                UInt64($0.dropFirst(prefix.count))
            }
            let known = findings.missing.first {
                $0.device == device.hexadecimal && $0.run == run.hexadecimal
            }
            missing.append(
                SyncStatus.MissingBatches(
                    device: device.hexadecimal, run: run.hexadecimal, first: (last ?? 0) + 1,
                    last: number, since: known?.since ?? now))
        }
        if !missing.isEmpty {
            // What a snapshot has is not lost.
            let saved = try await snapshots().map(\.manifest.vector)
            missing.removeAll { entry in
                guard let run = Hexadecimal.bytes(entry.run).flatMap({ Run($0) }) else {
                    return false
                }
                return saved.contains { $0[run] >= entry.last }
            }
        }
        findings.missing = missing
        guard missing.contains(where: { now - $0.since > Self.patience }) else { return }
        try await writer.write { try StoreSetting.needsRepair.set($0, 1) }
        try await repairIfNeeded(&summary)
    }
}
