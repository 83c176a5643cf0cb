internal import StrongroomCore

// An exchange with the hub: roster, what others wrote, what was written here.

extension SyncEngine {
    /// Fetches what other devices have written, sends what was written here, and looks once more.
    ///
    /// - Returns: What it did.
    /// - Throws: ``HubError`` if the hub cannot be reached: what was written here stays, and is sent next time.
    ///   ``SyncError``, and `DatabaseError`.
    @discardableResult
    public func synchronize() async throws -> SyncSummary {
        try await exchange { summary in
            try await self.fetchAll(&summary)
            guard !self.isOutdated else { return try await self.keepAccounts() }
            try await self.acknowledgeIfDue()
            try await self.sendAll(&summary)
            if summary.sentBatches > 0 { try await self.fetchAll(&summary) }
            try await self.repairIfNeeded(&summary)
            try await self.publishSnapshotIfDue(&summary)
            try await self.keepAccounts()
        }
    }

    /// Fetches and merges what other devices have written.
    ///
    /// - Throws: As ``synchronize()``.
    @discardableResult
    public func pull() async throws -> SyncSummary {
        try await exchange { try await self.fetchAll(&$0) }
    }

    /// Sends what was written here.
    ///
    /// - Throws: As ``synchronize()``.
    @discardableResult
    public func push() async throws -> SyncSummary {
        try await exchange { try await self.sendAll(&$0) }
    }

    /// ``synchronize()`` under another name.
    @discardableResult
    public func syncChanges() async throws -> SyncSummary { try await synchronize() }

    /// ``pull()`` under another name.
    @discardableResult
    public func fetchChanges() async throws -> SyncSummary { try await pull() }

    /// ``push()`` under another name.
    @discardableResult
    public func sendChanges() async throws -> SyncSummary { try await push() }

    private func exchange(
        _ body: (inout SyncSummary) async throws -> Void
    ) async throws -> SyncSummary {
        try await exclusively {
            var summary = SyncSummary()
            store.takenCount = 0
            findings.refused = []
            change {
                $0.activity = .fetching
                $0.findings = []
            }
            do {
                try await perform(body, &summary)
                try await finishExchange(nil)
            } catch {
                try? await finishExchange(error)
                throw error
            }
            summary.localChanges = store.takenCount
            return summary
        }
    }

    private func perform(
        _ body: (inout SyncSummary) async throws -> Void, _ summary: inout SyncSummary
    ) async throws {
        try await updateRoster()
        try await agreeOnTables()
        try await measureClock()
        // Before a new run: with what is taken then, another copy of the file would count twice.
        try await takeScannedTables()
        try await removeLeftovers()
        try await resendLost()
        try await leaveSharedRun(isCopy ? .witness : nil)
        try await leaveUnsafeRun()
        var attempts = 0
        while true {
            do {
                return try await body(&summary)
            } catch let copied as Copied where attempts < 8 {
                // Another copy of the file has written meanwhile.
                attempts += 1
                try await leaveSharedRun(copied.sign)
            }
        }
    }

    /// Removes what processes that were killed have left in a folder: once for each engine.
    private func removeLeftovers() async throws {
        guard !hasExaminedHub, let folder = hub as? FolderHub else { return }
        _ = try await folder.removeLeftovers(of: membership.space)
    }

    private func finishExchange(_ error: (any Error)?) async throws {
        let (time, found) = (now(), findings)
        if error == nil {
            try await writer.write { db in
                try StoreSetting.lastExchange.set(db, time)
                try found.save(db)
            }
        } else {
            // Nothing takes the notes while the hub is away.
            // The database may be in use itself: that must not hide what went wrong.
            _ = try? await writer.write { try Journal.mergeNotesIfNeeded($0) }
        }
        if error == nil { try await refreshStatus() } else { _ = try? await refreshStatus() }
        change {
            $0.activity = .idle
            $0.findings = found.refused
            $0.missingBatches = found.missing
            $0.divergedDevices = found.diverged
            // Of a stopped exchange there is nothing to say.
            if !(error is CancellationError) { $0.lastError = error.map { "\($0)" } }
        }
    }

    /// Measures the hub's clock: stamps that are given from now on are corrected by it.
    private func measureClock() async throws {
        let before = now()
        guard let hubTime = try await hub.clock() else { return }
        let after = now()
        let offset = hubTime - before - (after - before) / 2
        store.offset = offset
        try await writer.write { try StoreSetting.clockOffset.set($0, offset) }
    }

    // MARK: - Roster

    /// Reads what is new in the roster; gives it back to a hub that has lost it.
    func updateRoster() async throws {
        let log = RosterLog(hub, membership.space)
        var roster = membership.roster
        let known = roster.position.number
        var entries: [[UInt8]] = []
        switch try await log.update(&roster, keep: { entries.append($0) }) {
        case .read: break
        case .hubBehind:
            let all = try await writer.read { try SpaceMembership.entries($0) }
            do {
                try await log.store(all)
            } catch Refusal.rosterFork {
                throw rosterFork()
            }
        case .fork: throw rosterFork()
        }
        try await keep(roster, entries, from: known + 1)
        guard membership.roster.devices[membership.identity.device]?.isActive == true else {
            change { $0.isRemoved = true }
            throw SyncError(
                .notMember, membership.space.hexadecimal,
                "this device was removed from the space",
                hint: "what was written here stays; a new ticket brings the device back")
        }
        // After a removal nobody can write before somebody has begun the next epoch.
        if membership.roster.isEpochPending { try await publish(.epoch(withHistory: true)) }
    }

    private func rosterFork() -> SyncError {
        SyncError(
            .rosterFork, membership.space.hexadecimal,
            "the hub shows another roster than before: it was exchanged, or shows devices different ones",
            hint: "find out who can write to the hub; synchronisation of this space has stopped")
    }

    /// Puts a change into the roster.
    func publish(_ change: RosterChange) async throws {
        let log = RosterLog(hub, membership.space)
        var roster = membership.roster
        let known = roster.position.number
        var entries: [[UInt8]] = []
        do {
            try await log.publish(
                change, to: &roster, by: membership.identity, time: hubTime(), options.randomness
            ) { entries.append($0) }
        } catch is RosterLog.Difference {
            throw rosterFork()
        }
        try await keep(roster, entries, from: known + 1)
    }

    private func keep(_ roster: Roster, _ entries: [[UInt8]], from position: UInt64) async throws {
        guard !entries.isEmpty else { return }
        try await writer.write { try SpaceMembership.save(entries, from: position, $0) }
        membership = try SpaceMembership(membership.identity, roster)
    }

    // MARK: - Sending

    func sendAll(_ summary: inout SyncSummary) async throws {
        guard !isOutdated else { return }
        change { $0.activity = .sending }
        try await takeLocalChanges()
        try noteWitness()
        let sentBefore = summary.sentBatches
        while let batch = try await nextUnsent() {
            if try isBehindFloor(batch.body) { break }
            try options.step("put")
            let name = HubName.batch(membership.identity.device, batch.run, batch.number)
            switch try await hub.putOnce(batch.body, under: name.text(in: membership.space)) {
            case .stored: break
            case .taken: throw Copied()
            }
            try options.step("sent")
            try await markSent(batch.id)
            summary.sentBatches += 1
        }
        guard summary.sentBatches > sentBefore else { return }
        try await noteBatch()
        try await forgetSentRows()
    }

    private func forgetSentRows() async throws {
        try await writer.write { db in
            try db.execute(
                sql: """
                    DELETE FROM main.strongroom_sync_unsent WHERE NOT EXISTS (
                        SELECT 1 FROM main.strongroom_sync_outbox WHERE sent IS NULL)
                    """)
        }
    }

    /// Makes batches of what the app wrote: one of all notes, or several if there are many.
    ///
    /// - Returns: How many changes they have.
    @discardableResult
    func takeLocalChanges() async throws -> Int {
        let sealer = try sealer()
        var sum = 0
        while true {
            let (now, size, unit) = (now(), takeSize.count, Int64(options.atomicLimit))
            try options.step("take")
            let taken = try await takingTransaction { session, store, isWhole in
                let isUnit = try isWhole || Journal.noteCount(session.db) <= unit
                return try session.takeLocalChanges(
                    &store, sealer, now: now, limit: isUnit ? .max : size)
            }
            sum += taken.count
            guard taken.hasMore else { return sum }
            takeSize.learn(size, workSeconds)
        }
    }

    struct UnsentBatch: Sendable {
        let id: Int64
        let run: Run
        let number: UInt64
        let body: [UInt8]
    }

    /// The first batch that the hub does not have yet.
    private func nextUnsent() async throws -> UnsentBatch? {
        try await writer.read { db in
            var found: UnsentBatch?
            try db.cachedStatement(
                sql: """
                    SELECT id, run, number, body FROM main.strongroom_sync_outbox
                    WHERE sent IS NULL ORDER BY id LIMIT 1
                    """
            ).forEachRow { row in
                guard case .integer(let id) = CapturedValue(row, 0),
                    case .blob(let run) = CapturedValue(row, 1), let run = Run(run),
                    case .integer(let number) = CapturedValue(row, 2),
                    case .blob(let body) = CapturedValue(row, 3)
                else { throw SyncError.damagedStore("the outbox") }
                found = UnsentBatch(id: id, run: run, number: UInt64(number), body: body)
            }
            return found
        }
    }
}
