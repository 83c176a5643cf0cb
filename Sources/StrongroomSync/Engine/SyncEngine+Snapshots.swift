internal import StrongroomCore

// The merged state as one object, so that those who come later need not read the whole log.

extension SyncEngine {
    /// How many rows are read at a time.
    private static let rowsAtOnce = 2000
    /// How often the app may write in between before the snapshot is left to the next exchange.
    private static let attempts = 5

    /// Writes a snapshot if the log has grown so much that one is due, and no other device was faster.
    func publishSnapshotIfDue(_ summary: inout SyncSummary) async throws {
        let now = hubTime()
        if store.log.time == 0 { try await account { $0.time = now } }
        // Of what this device does not have in its tables, it may not know the contents.
        guard store.space.isComplete, goneContents.vector == nil else { return }
        let (least, age) = (options.leastSnapshotLog, options.snapshotAge)
        guard store.log.isDue(leastByteCount: least, age: age, now: now) else { return }
        guard try await !hearOfSnapshot() else { return }
        try await publishSnapshot(&summary)
    }

    /// Looks for a snapshot that another device has written meanwhile, and counts from it.
    ///
    /// - Returns: Whether there is one, so that this device need not write another.
    private func hearOfSnapshot() async throws -> Bool {
        let vector = store.runs.vector
        guard
            let known = try await snapshots().first(where: { found in
                vector.covers(found.manifest.vector)
            }), try known.header.id().bytes != store.log.snapshot
        else { return false }
        let (id, count, now) = (try known.header.id(), known.manifest.byteCount, hubTime())
        try await account { $0.note(id, count, at: now) }
        return true
    }

    private func account(_ body: @Sendable (inout LogAccount) -> Void) async throws {
        var log = store.log
        body(&log)
        let changed = log
        try await writer.write { try changed.save($0) }
        store.log = changed
    }

    /// Writes a snapshot of what is merged now.
    ///
    /// - Parameter isRepair: Whether everybody has to merge it.
    /// - Returns: Its id; nil if the app writes all the time, so that it has to wait for the next exchange.
    @discardableResult
    func publishSnapshot(
        isRepair: Bool = false, _ summary: inout SyncSummary
    ) async throws -> ContentDigest? {
        guard store.space.isComplete, goneContents.vector == nil else { return nil }
        try await removeUnfinishedSnapshot()
        guard let state = try await heldState() else { return nil }
        defer { state.close() }
        let header = SnapshotManifest.Header(
            ObjectStart(
                .manifest, membership.space, membership.identity.device,
                membership.roster.position),
            epoch: membership.roster.epoch,
            salt: try options.randomness.bytes(BatchHeader.saltByteCount))
        guard let key = membership.keys[header.epoch] else { return nil }
        let id = try header.id()
        try await writer.write { try StoreSetting.unfinishedSnapshot.set($0, bytes: id.bytes) }
        let parts = PartList()
        var writing = try SnapshotWriter(header, key: key, state.space.merge) {
            parts.list.append(($0, $1))
        }
        for table in state.space.merge.tablesByName {
            var last: RowKey?
            while true {
                let rows = try await state.rows(in: table, after: last, limit: Self.rowsAtOnce)
                guard let end = rows.last else { break }
                for row in rows { try writing.add(row) }
                last = end.row.key
                try await put(parts)
            }
        }
        try writing.endRows()
        try await put(parts)
        let manifest = try writing.finish(
            isRepair: isRepair, vector: state.runs.vector, tails: state.runs.tails,
            floor: state.floor, fingerprint: state.space.fingerprint,
            signedBy: membership.identity.signing)
        try options.step("manifest")
        let name = manifest.name.text(in: membership.space)
        guard try await hub.putOnce(manifest.bytes, under: name) == .stored else { return nil }
        let (count, now) = (manifest.byteCount, hubTime())
        try await account { $0.note(id, count, at: now) }
        try await writer.write { try StoreSetting.unfinishedSnapshot.remove($0) }
        summary.sentSnapshots += 1
        return id
    }

    private func put(_ parts: PartList) async throws {
        for (name, bytes) in parts.list {
            try options.step("part")
            // Nobody else has the id: what is there was put by this device.
            _ = try await hub.putOnce(bytes, under: name.text(in: membership.space))
        }
        parts.list = []
    }

    /// What a writer of snapshots emits.
    private final class PartList {
        var list: [(HubName, [UInt8])] = []
    }

    /// Removes the parts of a snapshot that this device began and never finished.
    private func removeUnfinishedSnapshot() async throws {
        let bytes = try await writer.read { try StoreSetting.unfinishedSnapshot.bytes($0) }
        guard let bytes, let id = bytes.withUnsafeBytes({ ContentDigest($0) }) else { return }
        let manifest = HubName.manifest(id).text(in: membership.space)
        let prefix = String(manifest.dropLast("manifest".utf8.count))
        let names = try await hub.names(prefix)
        // With its manifest, it was finished: only the answer was lost.
        if !names.contains(manifest) {
            for name in names { try await delete(name) }
        }
        try await writer.write { try StoreSetting.unfinishedSnapshot.remove($0) }
    }

    /// Deletes an object that nobody needs, where the hub permits it.
    func delete(_ name: String) async throws {
        do {
            try await hub.delete(name)
        } catch let error as HubError where [.refused, .unsupported].contains(error.code) {
            return
        }
    }

    // MARK: - The state

    /// What is merged, as of one commit, while the app goes on writing; nil if the app writes all the time.
    private func heldState() async throws -> HeldState? {
        for _ in 0..<Self.attempts {
            try await takeLocalChanges()
            // What is written later takes the place of values that belong to what is merged.
            if let state = try await HeldState(writer, store) { return state }
        }
        return nil
    }
}

/// A merged state that does not change: read from a snapshot of the database where it has a log, else from memory.
private struct HeldState: Sendable {
    let space: SpaceSchema
    let runs: MergedRuns
    let floor: Floor
    private let snapshot: DatabaseSnapshot?
    private var kept: [Int: [RowChange]] = [:]

    /// Nil if the app has written since what it wrote was taken.
    init?(_ writer: any DatabaseWriter, _ store: SyncStore) async throws {
        let (space, runs) = (store.space, store.runs)
        self.space = space
        self.runs = runs
        floor = store.floor
        let mode = try await writer.read {
            try String.fetchOne($0, sql: "PRAGMA main.journal_mode")
        }
        if mode == "wal" {
            let snapshot = try Self.pool(writer).makeSnapshot()
            self.snapshot = snapshot
            guard try await snapshot.read({ try Journal.noteCount($0) }) == 0 else {
                try snapshot.close()
                return nil
            }
            return
        }
        snapshot = nil
        let rows = try await writer.read { db -> [Int: [RowChange]]? in
            guard try Journal.noteCount(db) == 0 else { return nil }
            let decoder = StateDecoder(db, space, runs.numbers)
            return try Dictionary(
                uniqueKeysWithValues: space.merge.tables.indices.map {
                    ($0, try decoder.rows(in: $0, after: nil, limit: .max))
                })
        }
        guard let rows else { return nil }
        kept = rows
    }

    private static func pool(_ writer: any DatabaseWriter) throws -> DatabasePool {
        if let pool = writer as? DatabasePool { return pool }
        var configuration = writer.configuration
        configuration.readonly = true
        return try DatabasePool(path: writer.path, configuration: configuration)
    }

    func rows(in table: Int, after key: RowKey?, limit: Int) async throws -> [RowChange] {
        guard let snapshot else {
            guard let rows = kept[table] else { return [] }
            return Array(rows.drop { row in key.map { row.row.key <= $0 } ?? false }.prefix(limit))
        }
        let (space, numbers) = (space, runs.numbers)
        return try await snapshot.read { db in
            try StateDecoder(db, space, numbers).rows(in: table, after: key, limit: limit)
        }
    }

    func close() { try? snapshot?.close() }
}

extension MergeSchema {
    /// The numbers of the tables in the order of the bytes of their names.
    fileprivate var tablesByName: [Int] {
        tables.indices.sorted { tables[$0].name.precedesByBytes(tables[$1].name) }
    }
}
