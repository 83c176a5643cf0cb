internal import StrongroomCore

// A device that is new, or far behind, begins with a snapshot: the log before it is not needed.

/// A snapshot in the hub whose manifest is verified.
struct KnownSnapshot: Sendable {
    let manifest: SnapshotManifest
    let header: SnapshotManifest.Header
    let key: SpaceKey
}

extension SyncEngine {
    /// The snapshots of the hub whose manifests count, those with the most batches first.
    func snapshots() async throws -> [KnownSnapshot] {
        let prefix = HubName.prefix(of: membership.space)
        var found: [KnownSnapshot] = []
        var last: String?
        while true {
            // Manifests come after the parts: one call for each snapshot passes over them.
            let page = try await hub.list(prefix + "snapshots/", after: last, limit: 1)
            guard let name = page.names.first, name.hasPrefix(prefix + "snapshots/") else { break }
            guard last.map({ $0 < name }) ?? true else {
                throw HubError(.damaged, name, "the hub lists names in a wrong order")
            }
            last = name
            let id: ContentDigest
            switch HubName(name.dropFirst(prefix.count)) {
            case .part(let snapshot, _)?, .manifest(let snapshot)?: id = snapshot
            default: continue
            }
            let manifest = HubName.manifest(id)
            last = manifest.text(in: membership.space)
            if let snapshot = try await snapshot(manifest) { found.append(snapshot) }
        }
        return found.sorted { $0.manifest.vector.count > $1.manifest.vector.count }
    }

    /// - Returns: Nil if there is no manifest, or none that counts.
    private func snapshot(_ name: HubName) async throws -> KnownSnapshot? {
        do {
            let bytes = try await hub.get(name.text(in: membership.space))
            let (manifest, header, key) = try membership.verification.manifest(bytes, under: name)
            return KnownSnapshot(manifest: manifest, header: header, key: key)
        } catch let error as HubError where error.code == .notFound {
            return nil
        } catch is Refusal {
            return nil
        }
    }

    /// Merges the best snapshot that brings this device further.
    ///
    /// - Parameter isNeeded: What a snapshot has to bring; see ``SnapshotNeed``.
    /// - Returns: Whether there was one.
    func mergeSnapshot(
        _ isNeeded: (Vector) -> Bool, _ summary: inout SyncSummary
    ) async throws -> Bool {
        for snapshot in try await snapshots() {
            let vector = snapshot.manifest.vector
            guard isNeeded(vector), !store.runs.vector.covers(vector),
                vector.covers(store.floor.passed)
            else { continue }
            if vector[store.run] > store.runs.vector[store.run] { throw Copied(sign: .others) }
            guard try await canMerge(snapshot.manifest),
                try await mergeCounting(snapshot, &summary)
            else { continue }
            return true
        }
        return false
    }

    /// What is done with what was merged, in the last transaction of a snapshot.
    typealias Finish = @Sendable (StoreSession, inout SyncStore) throws -> Void

    /// - Parameters:
    ///   - note: Called with each row of the snapshot.
    ///   - finish: Makes what is done before rows are brought back.
    /// - Returns: Whether it counts, and is there.
    func mergeCounting(
        _ snapshot: KnownSnapshot, _ summary: inout SyncSummary,
        noting note: (RowID) -> Void = { _ in }, finally finish: (() -> Finish)? = nil
    ) async throws -> Bool {
        do {
            try await merge(snapshot, &summary, note, finish)
            return true
        } catch let error as HubError where error.code == .notFound {
            // Another device has just deleted it, after it wrote a newer one.
            return false
        } catch let refusal as Refusal {
            findings.refused.append(
                SyncStatus.Finding(
                    device: snapshot.header.start.device.hexadecimal, number: 0,
                    reason: "a snapshot does not count: \(refusal)"))
            return false
        }
    }

    /// Whether nothing comes back that was deleted: the snapshot has dropped tombstones which only a device needs that
    /// has not passed its floor.
    func canMerge(_ manifest: SnapshotManifest) async throws -> Bool {
        if store.runs.vector.covers(manifest.floor.passed) { return true }
        return try await writer.read { db in
            try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM main.strongroom_sync_row)")
                ?? false
        }
    }

    private func merge(
        _ snapshot: KnownSnapshot, _ summary: inout SyncSummary, _ note: (RowID) -> Void,
        _ makeFinish: (() -> Finish)?
    ) async throws {
        var reader = try SnapshotReader(
            snapshot.manifest, snapshot.header, key: snapshot.key)
        let sealer = try sealer()
        var schema = store.space.merge
        while let name = try reader.nextName {
            try options.step("snapshot")
            let bytes = try await hub.get(name.text(in: membership.space))
            for block in try reader.open(bytes) {
                let rows = try reader.decode(block, &schema)
                store.space.merge = schema
                for change in rows { note(change.row) }
                try await merge(rows, sealer)
                schema = store.space.merge
                summary.mergedChanges += rows.count
            }
        }
        try reader.finish()
        let (manifest, now) = (snapshot.manifest, now())
        let (id, time) = (try snapshot.header.id(), hubTime())
        let finish = makeFinish?()
        try await transaction { session, store in
            try session.takeLocalChanges(&store, sealer, now: now)
            for (run, tail) in manifest.tails.sorted(by: { $0.key < $1.key })
            where tail.number > session.runs.vector[run] {
                session.runs.merge(run, tail)
            }
            try store.setBetween(false, session.db)
            try session.project()
            try finish?(session, &store)
            try session.bringBack(store, sealer)
            session.hasMerged = true
            store.log.note(id, manifest.byteCount, at: time)
            try store.log.save(session.db)
        }
        summary.mergedSnapshots += 1
    }

    /// Merges rows in transactions that hold the lock for a moment each. Whoever has merged all of them has to call
    /// `bringBack`: only then it is known what has come to its end.
    func merge(_ rows: [RowChange], _ sealer: BatchSealer) async throws {
        var rest = rows[...]
        while !rest.isEmpty {
            let slice = Array(rest.prefix(holdSize.count))
            rest = rest.dropFirst(slice.count)
            let now = now()
            try options.step("slice")
            try await transaction { session, store in
                try session.takeLocalChanges(&store, sealer, now: now)
                try store.setBetween(true, session.db)
                for change in slice { try session.merge(change) }
                try session.project()
                try session.keepLiving()
            }
            holdSize.learn(slice.count, workSeconds)
        }
    }
}

extension Vector {
    /// How many batches it stands for.
    fileprivate var count: UInt64 { numbers.values.reduce(0) { $0 &+ $1 } }
}
