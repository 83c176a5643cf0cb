public import StrongroomCore
internal import StrongroomEssentials

extension BackupRepository {
    /// Re-encrypts the kept backups of a key with another key, and removes the old pages.
    ///
    /// Use it after a key leaked: afterwards, the old key opens nothing in the repository. Also
    /// update the other copies of the repository. Backups still share pages that did not change
    /// between them.
    ///
    /// - Parameters:
    ///   - key: The key that leaked.
    ///   - newKey: The key that opens these backups from now on.
    ///   - threads: How many threads to use; by default one for each processor, up to 4.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Returns: The new backups, with the dates and tags of the old ones.
    /// - Throws: As the form that takes several keys.
    @discardableResult
    public func rekey(
        from key: CipherKey, to newKey: CipherKey, threads: Int? = nil,
        progress: OperationProgress.Handler? = nil
    ) throws -> [Backup] {
        try rekey(from: [key], to: newKey, threads: threads, progress: progress)
    }

    /// Encrypts the kept backups of several keys again under another one, and forgets the old pages.
    ///
    /// None of the exposed keys signs the repository any more, whether a backup of it is kept or not.
    ///
    ///     let paths = ["old.key", "older.key"]
    ///     let exposed = try paths.map { try CipherKey(contentsOfFile: $0) }
    ///     try repository.rekey(from: exposed, to: newKey)
    ///
    /// - Parameters:
    ///   - keys: The keys that leaked.
    ///   - newKey: The key that shall open these backups from now on.
    ///   - threads: How many work at once; by default one for each processor, up to 4.
    ///   - progress: Called as the work advances. An error that it throws ends the work.
    /// - Returns: The new backups; dates and tags are those of the old ones. None, if an earlier call that
    ///   was interrupted has encrypted all of them.
    /// - Throws: ``BackupError``: `.wrongKey` if no key opens a backup; `.failed`, before anything is
    ///   changed, if the new key is one of the exposed ones; or what `progress` throws. Each backup has its
    ///   old key or the new one then, and is intact: the same call goes on with those that have their old key.
    @discardableResult
    public func rekey(
        from keys: [CipherKey], to newKey: CipherKey, threads: Int? = nil,
        progress: OperationProgress.Handler? = nil
    ) throws -> [Backup] {
        guard !keys.contains(where: { $0.isSame(as: newKey) }) else {
            throw BackupError(
                .failed, path,
                "the new key is \(keys.count == 1 ? "the old one" : "an exposed one")",
                hint: "give another key", step: BackupStep.giveNewKey)
        }
        return try LongOperation.run(progress) { operation in
            try opened(operation) { repository in
                try repository.rememberingDamage {
                    try repository.withWriterLock(operation) { head, notices in
                        try repository.requireRemoval()
                        var result = try repository.rekey(
                            from: keys, to: newKey, &head, operation,
                            threads: threads ?? ThreadCount.usual)
                        var report = PruningReport()
                        try repository.collect(repository.kept(head), operation, &report)
                        let warnings = try repository.keyringNotices(result, head)
                        // Also what an interrupted call has left.
                        if warnings.isEmpty {
                            try repository.collectKeyrings(repository.kept(head), head)
                        }
                        let others = try repository.noticeOfOtherSigners(than: newKey, head)
                        let news =
                            notices + repository.remember() + warnings + (others.map { [$0] } ?? [])
                        if !result.isEmpty { result[0].notices = news }
                        return result
                    }
                }
            }
        }
    }

    /// What there is to say of keys that may sign, and that no kept backup has: also where nothing is left to encrypt.
    package func noticeOfOtherSigners(than newKey: CipherKey) throws -> String? {
        try opened { try $0.noticeOfOtherSigners(than: newKey, $0.readHead()) }
    }

    /// Encrypts the kept backups of all retired keys of a store again under its current key.
    ///
    /// For a store that was exposed. Rotate the database first, so that the current key is a new one:
    ///
    ///     try dbPool.rotateKey(in: store)
    ///     try repository.rekey(keys: store)
    ///     try repository.backUp(dbPool, keys: store)
    ///
    /// - Parameters:
    ///   - store: The store of the database's keys.
    ///   - threads: How many work at once; by default one for each processor, up to 4.
    ///   - progress: Called as the work advances. An error that it throws ends the work.
    /// - Returns: The new backups, as those of `rekey(from:to:)`.
    /// - Throws: As that; `.failed`, before anything is changed, if the store has no retired key, or a
    ///   rotation of it is unfinished. `CipherKeyError` if it cannot be read or written.
    @discardableResult
    public func rekey(
        keys store: KeyStore, threads: Int? = nil, progress: OperationProgress.Handler? = nil
    ) throws -> [Backup] {
        let keys = try store.keys()
        let retired = keys.filter { $0.state == .retired }.map(\.key)
        let isUnfinished = keys.contains { $0.state == .pending }
        guard !retired.isEmpty, !isUnfinished else {
            throw BackupError(
                .failed, path,
                isUnfinished
                    ? "a rotation of \(store.path) is unfinished: the database may have the old key"
                    : "\(store.path) has no key but the current one, which is the exposed one",
                hint: "rotate the database first, with rotateKey(in:)", step: BackupStep.rotateStore
            )
        }
        try note(in: store)
        var repository = self
        repository.keyStore = store
        return try repository.rekey(
            from: retired, to: store.currentKey(), threads: threads, progress: progress)
    }
}
