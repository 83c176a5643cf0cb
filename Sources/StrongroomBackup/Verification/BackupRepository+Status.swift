import StrongroomCore
internal import StrongroomEssentials

extension BackupRepository {
    /// The age of the last backups, the presence of their packs, and this host's last verification.
    ///
    /// It reads head, manifests and keyrings, and the names and sizes of all packs. It reads the nodes of
    /// trees only if no earlier call has found all packs since the last change of the repository,
    /// and never reads pages. Dates of verifications and found damage come from ``memory``.
    ///
    ///     let status = try BackupRepository(path: "/backup/shop").status()
    ///     print(status.state(maximumAge: 26 * 3600))
    ///
    /// - Throws: ``BackupError``, including `.rolledBack`. Missing packs do not throw: they are in
    ///   the status.
    public func status() throws -> RepositoryStatus {
        try opened { repository in
            var backups = try repository.keptBackups()
            var problems = try repository.problemsOfPacks(backups)
            if !problems.isEmpty {
                // A run that removes packs may have been at work: once more, while it is kept out.
                try repository.withReaderLock(LongOperation()) {
                    backups = try repository.keptBackups()
                    problems = try repository.problemsOfPacks(backups)
                }
            }
            problems += try repository.problemsOfManifests()
            problems += try repository.problemsOfKeyrings(backups, repository.readHead()).map(\.1)
            repository.rememberAccepted()
            return repository.status(
                backups, problems, try memory?.entry(at: repository.place))
        }
    }
}

extension OpenRepository {
    /// Those of pruned backups are links of the chain that `verify` follows.
    fileprivate func problemsOfManifests() throws -> [BackupError] {
        try BackupChain(self, readHead()).compactMap { link in
            guard case .failure(let error) = link.backup else { return nil }
            return error as? BackupError
                ?? BackupError.damaged(folders.backups.path, "backup \(link.number) is missing")
        }
    }

    fileprivate func status(
        _ backups: [Backup], _ problems: [BackupError], _ known: BackupMemory.Entry?
    ) -> RepositoryStatus {
        let date = now()
        let databases = Dictionary(grouping: backups, by: \.databaseName).compactMap {
            name, members in
            members.last.map {
                RepositoryStatus.Database(
                    name: name, last: $0, backupCount: members.count,
                    age: date.timeIntervalSince($0.date))
            }
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
            },
            verified: known?.verified.flatMap(WrittenTime.date),
            authenticated: known?.authenticated.flatMap(WrittenTime.date),
            isRemembered: known != nil,
            hasGoneOn: known.map { $0.head != text?.digest.hexadecimal } ?? false,
            signer: text?.head.signer)
    }

    /// What is wrong with names and sizes of the packs that backups need.
    ///
    /// Which packs are needed, trees tell. They are not asked if the packs have the names and sizes that
    /// they had when they were asked last, for the same head: the memory has a hash of these.
    fileprivate func problemsOfPacks(_ backups: [Backup]) throws -> [BackupError] {
        guard let text = current.value else { return [] }
        let store = try PackStore(folders.packs)
        let inventory = BackupMemory.Entry.Inventory(
            head: text.digest.hexadecimal, packs: try digest(of: store, before: text.head.nextPack))
        if let known = try memory?.entry(at: place)?.inventory, known == inventory { return [] }
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
        if problems.isEmpty { problems = needed.problems }
        // Where it cannot be noted, trees are asked again.
        if problems.isEmpty { try? memory?.update(place) { $0.inventory = inventory } }
        return problems
    }

    /// A hash of the names and sizes of all packs that a head can know.
    private func digest(of store: PackStore, before end: UInt32) throws -> String {
        var text = ""
        for number in store.names.keys.filter({ $0 < end }).sorted() {
            for name in store.names[number] ?? [] {
                text += "\(name) \(try folders.packs.byteCount(of: name) ?? -1)\n"
            }
        }
        return try Array(text.utf8).withUnsafeBytes { try ContentDigest(of: $0) }.hexadecimal
    }
}
