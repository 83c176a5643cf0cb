internal import StrongroomCore
internal import StrongroomEssentials

// A file that was restored from a backup, or copied, shares its run with another file. Neither knows at first.

/// Somebody else has written under the run of this file.
struct Copied: Error {}

extension SyncEngine {
    /// Begins a new run if the hub has other batches under the numbers of this one.
    ///
    /// - Parameter surely: Whether another sign was seen already, such as a vector that names more of the run.
    func leaveSharedRun(surely: Bool = false) async throws {
        let run = store.run
        let prefix = HubName.logPrefix(membership.space, membership.identity.device, run)
        var first = store.runs.vector[run] + 1
        var isShared = surely
        for batch in try await unsentBatches(of: run) {
            let stored = try await hub.get(numbered: prefix, from: batch.number, upTo: 1).first
            // The answer may have been lost when it was sent.
            if stored == batch.body {
                try await markSent(batch.id)
                continue
            }
            if stored != nil { isShared = true }
            first = batch.number
            break
        }
        if !isShared {
            isShared = try await !hub.get(
                numbered: prefix, from: store.runs.vector[run] + 1, upTo: 1
            ).isEmpty
        }
        guard isShared else { return }
        let new = try options.randomness.run(of: membership.identity.device)
        let (sealer, keys, firstUnsent) = (try sealer(), membership.keys, first)
        try await transaction { session, store in
            try session.beginRun(
                new, &store, firstUnsent: firstUnsent, keys, sealer)
        }
    }

    private func unsentBatches(of run: Run) async throws -> [UnsentBatch] {
        let number = try await writer.read { db in
            try Int64.fetchOne(
                db,
                sql: """
                    SELECT min(number) FROM main.strongroom_sync_outbox
                    WHERE sent IS NULL AND run = ?
                    """, arguments: [Data(run.bytes)])
        }
        guard let number else { return [] }
        return try await batches(of: run, from: number)
    }

    private func batches(of run: Run, from number: Int64) async throws -> [UnsentBatch] {
        try await writer.read { db in
            var found: [UnsentBatch] = []
            try db.cachedStatement(
                sql: """
                    SELECT id, number, body FROM main.strongroom_sync_outbox
                    WHERE run = ? AND number >= ? ORDER BY number LIMIT 100
                    """
            ).forEachRow([.blob(run.bytes), .integer(number)]) { row in
                guard case .integer(let id) = CapturedValue(row, 0),
                    case .integer(let number) = CapturedValue(row, 1),
                    case .blob(let body) = CapturedValue(row, 2)
                else { throw SyncError.damagedStore("the outbox") }
                found.append(
                    UnsentBatch(id: id, run: run, number: UInt64(number), body: body))
            }
            return found
        }
    }

    func markSent(_ id: Int64) async throws {
        let time = now()
        try await writer.write { db in
            try db.run(
                "UPDATE main.strongroom_sync_outbox SET sent = ? WHERE id = ?",
                [.integer(time), .integer(id)])
        }
    }
}
