internal import StrongroomCore

// A log need not grow for ever: what all devices have merged, and a snapshot has, nobody reads again.

extension SyncEngine {
    private static let day: Int64 = 86_400_000
    /// How long a device may be silent without being waited for no longer.
    private static let silence = 90 * day

    /// Notes once a day what this device has merged, and forgets batches of its own that nobody needs.
    func keepAccounts() async throws {
        let (now, vector, age) = (hubTime(), store.runs.vector, max(retention, Self.silence))
        let isNoted = try await writer.write { db -> Bool in
            var marks = try VectorMarks(db)
            guard marks.note(vector, at: now, keptFor: age) else { return false }
            try marks.save(db)
            return true
        }
        guard isNoted, let passed = try await passedVector() else { return }
        try await raiseFloor(passed)
        try await writer.write { db in
            for (run, number) in passed.numbers {
                try db.run(
                    """
                    DELETE FROM main.strongroom_sync_outbox
                    WHERE run = ? AND number < ? AND sent IS NOT NULL
                    """, [.blob(run.bytes), .integer(Int64(number))])
            }
        }
    }

    private var retention: Int64 { Int64(membership.roster.retention) * Self.day }

    /// Writes a batch of nothing if this device has merged changes since its last batch, a day ago or more: else nobody
    /// would know how far a device is that only reads.
    func acknowledgeIfDue() async throws {
        guard store.owesAnswer else { return }
        let last = try await writer.read { try StoreSetting.lastBatch.integer($0) }
        guard let last else { return try await noteBatch(isAnswer: false) }
        guard hubTime() - last >= Self.day else { return }
        let (sealer, now) = (try sealer(), now())
        try await transaction { session, store in
            guard try session.takeLocalChanges(&store, sealer, now: now).count == 0 else { return }
            try session.writeNothing(store.run, sealer)
        }
    }

    /// Notes when a batch was sent: others hear from it what is merged here.
    func noteBatch(isAnswer: Bool = true) async throws {
        let time = hubTime()
        try await writer.write { db in
            try StoreSetting.lastBatch.set(db, time)
            if isAnswer { try StoreSetting.owesAnswer.remove(db) }
        }
        if isAnswer { store.owesAnswer = false }
    }

    /// What all devices have merged, as far as their last batches say, at least a retention ago; nil if one of them has
    /// never said anything.
    private func passedVector() async throws -> Vector? {
        let (now, age) = (hubTime(), retention)
        let marks = try await writer.read { try VectorMarks($0) }
        guard var passed = marks.vector(olderThan: age, now: now) else { return nil }
        // What everybody has had time enough to answer to.
        let due = marks.vector(olderThan: max(age, Self.silence), now: now)
        for (device, member) in membership.roster.devices
        where member.isActive && member.isReal && device != membership.identity.device {
            var reported: Vector?
            var isSilent = now - member.addedTime > Self.silence
            for (run, vector) in store.runs.seen where try run.belongs(to: device) {
                var vector = vector
                vector[run] = store.runs.vector[run]
                // A copy that is gone for good, or a device: on its return it begins from a snapshot.
                if let due, !vector.covers(due) { continue }
                isSilent = false
                // Of several runs, the one that is behind: a copy may still be alive.
                if reported == nil { reported = vector } else { reported?.meet(vector) }
            }
            if due != nil, isSilent { continue }
            guard let reported else { return nil }
            passed.meet(reported)
        }
        return passed
    }

    /// Deletes from the hub what no device needs any more.
    ///
    /// That is batches that all devices merged long ago and that a snapshot has, and snapshots that newer ones replace.
    /// Long ago is the space's retention, 30 days if it was never changed. A device that was put back to before that
    /// begins from the snapshot. The last batch of each run stays, and so do the last two snapshots.
    ///
    /// - Returns: How many objects were deleted.
    /// - Throws: As ``synchronize()``.
    @discardableResult
    public func compact() async throws -> Int {
        try await exclusively {
            try await updateRoster()
            let snapshots = try await wholeSnapshots()
            guard let passed = try await passedVector() else { return 0 }
            try await raiseFloor(passed)
            guard let newest = snapshots.first else { return 0 }
            var limit = passed
            limit.meet(newest.manifest.vector)
            var count = 0
            for run in try await listRuns() {
                let last = limit[run.run]
                let prefix = HubName.logPrefix(membership.space, run.device, run.run)
                for number in run.firstNumber..<max(last, run.firstNumber) {
                    try await delete(prefix + HubName.text(number))
                    count += 1
                }
            }
            for snapshot in snapshots.dropFirst(2) where !snapshot.manifest.isRepair {
                count += try await delete(snapshot)
            }
            return count
        }
    }

    /// The snapshots whose parts are all there, the newest first.
    private func wholeSnapshots() async throws -> [KnownSnapshot] {
        var whole: [KnownSnapshot] = []
        for snapshot in try await snapshots()
        where store.runs.vector.covers(snapshot.manifest.vector) {
            let id = try snapshot.header.id()
            let names = Set(try await hub.names(snapshot.prefix(in: membership.space)))
            let isWhole = snapshot.manifest.parts.indices.allSatisfy {
                names.contains(HubName.part(id, UInt64($0)).text(in: membership.space))
            }
            if isWhole { whole.append(snapshot) }
        }
        return whole
    }

    private func delete(_ snapshot: KnownSnapshot) async throws -> Int {
        let id = try snapshot.header.id()
        // Without its manifest, nobody begins to read the parts.
        try await delete(HubName.manifest(id).text(in: membership.space))
        let names = try await hub.names(snapshot.prefix(in: membership.space))
        for name in names { try await delete(name) }
        return names.count + 1
    }
}

extension KnownSnapshot {
    /// With what its names begin.
    func prefix(in space: SpaceID) throws -> String {
        let name = HubName.manifest(try header.id()).text(in: space)
        return String(name.dropLast("manifest".utf8.count))
    }
}
