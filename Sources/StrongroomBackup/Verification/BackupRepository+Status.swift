import StrongroomCore
internal import StrongroomEssentials

extension BackupRepository {
    /// The age of the last backups, the presence of their packs, and this host's last verification.
    ///
    /// It looks at head and keyrings, and at the names and sizes of all packs and manifests. It reads the
    /// manifests and the nodes of trees of those backups that this host does not know of yet, or of all if
    /// something else has changed or ``memory`` is nil. It never reads pages. Dates of verifications and
    /// found damage come from ``memory``, in which it notes the state that it has seen.
    ///
    ///     let status = try BackupRepository(path: "/backup/shop").status()
    ///     print(status.state(maximumAge: 26 * 3600))
    ///
    /// - Throws: ``BackupError``, including `.rolledBack`. Missing packs do not throw: they are in
    ///   the status.
    public func status() throws -> RepositoryStatus {
        try opened { repository in
            var text = try repository.readHeadText()
            if let databases = try? repository.knownDatabases(text) {
                return repository.status(databases, [], try repository.rememberingLook())
            }
            var found = Result { try repository.findings(text.head) }
            if (try? found.get().problems.isEmpty) != true {
                // A run that removes files may have been at work: once more, while it is kept out.
                try repository.withReaderLock(LongOperation()) {
                    text = try repository.readHeadText()
                    found = .success(try repository.findings(text.head))
                }
            }
            let (backups, look, problems) = try found.get()
            let known = try repository.rememberingLook()
            // Where it cannot be noted, all is read again.
            if problems.isEmpty, let look { try? repository.remember(text, backups, look) }
            return repository.status(OpenRepository.databases(backups), problems, known)
        }
    }
}

// MARK: - What is known

extension OpenRepository {
    fileprivate typealias Database = (last: Backup, count: Int)

    /// The databases, if the files are those that were found to be all there, and what came since is.
    ///
    /// - Returns: Nil if that is not so, or not known: all is to be read then.
    fileprivate func knownDatabases(_ text: HeadText) throws -> [Database]? {
        guard let memory, let entry = try memory.entry(at: place), let known = entry.chain,
            let manifests = known.manifests, let packs = known.packs,
            let present = try summary(text, entry), present.summary.packs != nil
        else { return nil }
        var summary = present.summary
        let found = try census(text.head, known)
        guard found.manifests.part == manifests, found.packs.part == packs,
            try areThere(present.new, from: known.nextPack, text.head),
            try hasAllKeyrings(text.head, summary)
        else { return nil }
        summary.manifests = found.manifests.all
        summary.packs = found.packs.all
        let databases = try summary.databases.map { database in
            var last = try backup(database.last, in: text.head)
            last.isDatedBack = database.isDatedBack
            return (last: last, count: database.backupCount)
        }
        if summary != known { try? memory.update(place) { $0.chain = summary } }
        return databases
    }

    /// A digest of the files that are known, and one of all.
    fileprivate typealias Part = FileCensus.Part
    fileprivate typealias Look = (manifests: Part, packs: Part)

    /// A look at all files, and at those of them that are known.
    fileprivate func census(_ head: Head, _ known: ChainSummary?) throws -> Look {
        let counts = [
            FileCensus.Count(
                folder: folders.backups, number: UInt64(known?.last?.number ?? 0) + 1,
                end: UInt64(head.sequence) + 1, detail: .identity),
            FileCensus.Count(
                folder: folders.packs, number: UInt64(known?.nextPack ?? 0),
                end: UInt64(head.nextPack), detail: .size),
        ]
        let parts = try FileCensus.run(counts)
        return (parts[0], parts[1])
    }

    /// Whether the packs of new backups are there. Those of earlier ones are known to be.
    private func areThere(_ new: [Backup], from first: UInt32, _ head: Head) throws -> Bool {
        guard !new.isEmpty else { return true }
        var needed = NeededPacks(store: try PackStore(folders.packs), from: first)
        for backup in new { try needed.add(backup) {} }
        guard needed.problems.isEmpty else { return false }
        for number in needed.numbers where number >= first {
            guard (try? needed.store.reader(number)) != nil else { return false }
        }
        return needed.numbers.allSatisfy { needed.store.names[$0] != nil }
    }

    /// Notes what was looked at: a host that does nothing else finds it put back, or gone, when it looks again.
    ///
    /// - Returns: What it remembered before.
    fileprivate func rememberingLook() throws -> BackupMemory.Entry? {
        rememberAccepted()
        let known = try memory?.entry(at: place)
        if known?.head != current.value?.digest.hexadecimal { _ = remember() }
        return known
    }

    /// After all was read, and nothing was missing.
    ///
    /// - Parameter look: What there was before it was read: a change since is found by the next look.
    fileprivate func remember(_ text: HeadText, _ kept: [Backup], _ look: Look) throws {
        guard let memory, var summary = try readSummary(text, kept) else { return }
        summary.manifests = look.manifests.all
        summary.packs = look.packs.all
        try memory.update(place) { $0.chain = summary }
    }
}

// MARK: - What is read

extension OpenRepository {
    /// The kept backups, a look at all files before they were read, and what is wrong.
    fileprivate func findings(
        _ head: Head
    ) throws -> (backups: [Backup], look: Look?, problems: [BackupError]) {
        let look = try? census(head, nil)
        let backups = try kept(head)
        let problems =
            try problemsOfPacks(backups) + problemsOfManifests(head)
            + problemsOfKeyrings(backups, head).map(\.1)
        return (backups, look, problems)
    }

    fileprivate static func databases(_ backups: [Backup]) -> [Database] {
        Dictionary(grouping: backups, by: \.databaseName).values.compactMap { members in
            members.last.map { ($0, members.count) }
        }
    }

    /// Nobody needs those of pruned backups, except the one on which the whole chain hangs.
    fileprivate func problemsOfManifests(_ head: Head) throws -> [BackupError] {
        let pruned = head.prunedNumbers
        return try BackupChain(self, head).compactMap { link in
            guard !pruned.contains(link.number) || link.number == head.sequence,
                case .failure(let error) = link.backup
            else {
                return nil
            }
            return error as? BackupError
                ?? BackupError.damaged(folders.backups.path, "backup \(link.number) is missing")
        }
    }

    fileprivate func status(
        _ databases: [Database], _ problems: [BackupError], _ known: BackupMemory.Entry?
    ) -> RepositoryStatus {
        let date = now()
        let databases = databases.map { last, count in
            RepositoryStatus.Database(
                name: last.databaseName, last: last, backupCount: count,
                age: date.timeIntervalSince(last.date))
        }
        let text = current.value
        return RepositoryStatus(
            date: date, databases: databases.sorted { $0.name < $1.name },
            problems: problems.map {
                VerificationReport.Problem(path: $0.path, message: $0.message)
            },
            damage: known?.damage.map {
                RepositoryStatus.Damage(
                    date: WrittenTime.date(of: $0.date) ?? .distantPast, problem: $0.problem)
            } ?? unsound(known, databases),
            verified: known?.verified.flatMap(WrittenTime.date),
            authenticated: known?.authenticated.flatMap(WrittenTime.date),
            isRemembered: known != nil,
            hasGoneOn: known.map { $0.head != text?.digest.hexadecimal } ?? false,
            signer: text?.head.signer)
    }

    /// The first backup that is no sound database, and that is still there, or later ones of its database are.
    private func unsound(
        _ known: BackupMemory.Entry?, _ databases: [RepositoryStatus.Database]
    ) -> RepositoryStatus.Damage? {
        let found = known?.unsound?.first { found in
            databases.contains { $0.name == found.database && $0.last.number >= found.backup }
        }
        guard let found else { return nil }
        let isGone = current.value?.head.prunedNumbers.contains(found.backup) == true
        return RepositoryStatus.Damage(
            date: WrittenTime.date(of: found.date) ?? .distantPast,
            problem: isGone
                ? "backup \(found.backup) of \(found.database) was no sound database, and no later one was restored "
                    + "since"
                : "backup \(found.backup) of \(found.database) is no sound database",
            isUnsound: true)
    }

    /// What is wrong with names and sizes of the packs that backups need, as their trees tell.
    fileprivate func problemsOfPacks(_ backups: [Backup]) throws -> [BackupError] {
        let store = try PackStore(folders.packs)
        var needed = NeededPacks(store: store)
        for backup in backups { try needed.add(backup) {} }
        var problems: [BackupError] = []
        for number in needed.numbers.sorted() {
            do {
                _ = try store.reader(number)
            } catch let error as BackupError {
                problems.append(error)
            } catch let error as SystemError where error.isMissing {
                problems.append(BackupError(error, path))
            }
        }
        return problems.isEmpty ? needed.problems : problems
    }
}
