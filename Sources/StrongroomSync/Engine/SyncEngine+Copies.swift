internal import StrongroomCore
internal import StrongroomEssentials

// A file that was restored from a backup, or copied, shares its run with another file. Neither knows at first.

/// Somebody else has written under the run of this file.
struct Copied: Error {
    var sign = CopySign.hub
}

/// Where a file was found to be one of several.
enum CopySign {
    /// The witness beside the file.
    case witness
    /// The hub has other batches.
    case hub
    /// Others have merged more of the run than this file has written.
    case others
    /// None: the hub would not show it.
    case start
}

extension SyncEngine {
    /// Begins a new run if the hub has other batches under the numbers of this one.
    ///
    /// - Parameter sign: A sign that was seen already.
    func leaveSharedRun(_ sign: CopySign? = nil) async throws {
        let run = store.run
        let prefix = HubName.logPrefix(membership.space, membership.identity.device, run)
        var first = store.runs.vector[run] + 1
        var isShared = false
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
        let isAhead = try await !hub.get(
            numbered: prefix, from: store.runs.vector[run] + 1, upTo: 1
        ).isEmpty
        // Others know more of the run than the hub: it was put back, and what this file has sent since may be other than
        // what they have merged; or they have merged what was deleted there, and may have all that is moved here.
        let isHubBehind = sign == .others && !isShared && !isAhead
        guard sign != nil || isShared || isAhead else { return }
        let new = try options.randomness.run(of: membership.identity.device)
        let (sent, isLogged) = try await tokens(of: run, from: first)
        // What snapshots have may be what is moved here: of batches that were deleted, nobody has the tokens.
        let known = isLogged ? [] : try await snapshots()
        let firstMoved = first
        let isDropped = known.contains { $0.manifest.vector[run] >= firstMoved }
        let (sealer, keys, firstUnsent, now) = (try sealer(), membership.keys, first, now())
        try await transaction { session, store in
            // As what follows what was noted when the file was copied.
            try session.takeLocalChanges(&store, sealer, now: now)
            let moved = try session.beginRun(
                new, &store, firstUnsent: firstUnsent, sent: sent, keys, sealer)
            if isHubBehind { try StoreSetting.needsRepair.set(session.db, 1) }
            if isHubBehind || isDropped {
                try InexactCounters.add(
                    moved.map { ($0.place.row, $0.place.field) }, session.db)
            }
        }
        isCopy = false
        try noteWitness()
    }

    /// Begins a run, once for each engine, where the hub may take two objects of one name: another copy of the file would
    /// write under the numbers of this one, and neither would hear of it.
    func leaveUnsafeRun() async throws {
        guard !hasSafeRun else { return }
        if try await !hub.status().putsIfAbsent { try await leaveSharedRun(.start) }
        hasSafeRun = true
    }

    /// What the hub has of additions to counters in a run of this device.
    ///
    /// - Returns: Also whether it has the first batch.
    private func tokens(
        of run: Run, from first: UInt64
    ) async throws -> (sent: Set<UInt64>, isLogged: Bool) {
        let prefix = HubName.logPrefix(membership.space, membership.identity.device, run)
        var (sent, next) = (Set<UInt64>(), first)
        while true {
            let bodies = try await hub.get(numbered: prefix, from: next, upTo: 1 << 20)
            guard !bodies.isEmpty else { return (sent, next > first) }
            for body in bodies {
                // What does not count is not merged either.
                guard let batch = try? SealedBatch(body),
                    (try? batch.requireSignature(by: membership.identity.signing.publicKey)) != nil,
                    let key = membership.keys[batch.header.epoch],
                    let content = try? BatchBody(batch.open(with: key))
                else { return (sent, next > first) }
                sent.formUnion(content.tokens.added + content.tokens.moved)
                next += 1
            }
        }
    }

    /// Notes beside the file how far it is: before anything of it can be in the hub.
    func noteWitness() throws {
        guard !isCopy, let lock,
            let witness = FileWitness(
                of: writer.path, run: store.run, number: store.runs.vector[store.run])
        else { return }
        try lock.note(witness)
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
