public import StrongroomCore
public import StrongroomKeyrings

extension BackupRepository {
    /// Backs up a database that has a keyring, and introduces its current key if necessary.
    ///
    /// Every backup of a database with a keyring stores the keyring.
    ///
    ///     try repository.backUp(dbPool, unlockingWith: .passphrase(passphrase))
    ///
    /// - Parameters:
    ///   - reader: The open database.
    ///   - unlocker: A secret that opens a slot of the keyring.
    ///   - tag: Your label for the backup.
    ///   - full: Stores every page, and depends on no other backup.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: ``BackupError``; `DatabaseFileError`; `KeyringError`; what `progress` throws.
    @discardableResult
    public func backUp(
        _ reader: some DatabaseReader, unlockingWith unlocker: Unlocker, tag: String? = nil,
        full: Bool = false, progress: OperationProgress.Handler? = nil
    ) throws -> Backup {
        try backUp(
            DatabaseFile(openIn: reader), unlockingWith: unlocker, tag: tag, full: full,
            progress: progress)
    }

    /// Backs up the file of a database that has a keyring, and introduces its current key if necessary.
    ///
    /// - Parameters:
    ///   - file: The database. If it has no key, the keyring gives it.
    ///   - unlocker: A secret that opens a slot of the keyring.
    ///   - tag: Your label for the backup.
    ///   - full: Stores every page, and depends on no other backup.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: ``BackupError``; `DatabaseFileError`; `KeyringError`; what `progress` throws.
    @discardableResult
    public func backUp(
        _ file: DatabaseFile, unlockingWith unlocker: Unlocker, tag: String? = nil,
        full: Bool = false, progress: OperationProgress.Handler? = nil
    ) throws -> Backup {
        let keyring = try Keyring(of: file.path)
        var (repository, file) = (self, file)
        file.key = try file.key ?? keyring.unlock(with: unlocker)
        repository.unlockers = [unlocker]
        return try repository.backUp(file, tag: tag, full: full, progress: progress)
    }

    /// Restores a database that had a keyring, and puts a keyring next to it.
    ///
    /// The newest keyring in the repository that knows the key of the backup gives it: today's passphrase
    /// restores last year's backup, whatever the passphrase and the key were then. The slots of the restored
    /// database's keyring are those of the newest one.
    ///
    ///     try repository.restore("3", to: "of-march.db", unlockingWith: .passphrase(passphrase))
    ///
    /// - Parameters:
    ///   - name: The backup's ``Backup/id`` or number; by default the last one.
    ///   - path: The path of the restored database.
    ///   - unlocker: A secret that opens a slot of the keyring.
    ///   - overwrite: Whether to replace an existing database that is not in use, and its keyring.
    ///   - threads: How many threads to use; by default one for each processor, up to 4.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: As ``restore(_:to:key:overwrite:threads:progress:)``; `KeyringError`. If only the last step
    ///   fails, the database is restored without a keyring.
    @discardableResult
    public func restore(
        _ name: String? = nil, to path: String, unlockingWith unlocker: Unlocker,
        overwrite: Bool = false, threads: Int? = nil, progress: OperationProgress.Handler? = nil
    ) throws -> Backup {
        let (backup, stored, isVouchedFor) = try storedKeyring(
            name, for: path, openedBy: unlocker)
        guard let stored else {
            guard backup.manifest.keyring == nil else {
                throw BackupError.damaged(
                    self.path, "the keyring of backup \(backup.number) is missing or damaged")
            }
            throw BackupError(
                .keyNeeded, self.path, "backup \(backup.number) has no keyring",
                hint: "give the key that the database had then (identifier \(backup.keyIdentifier))"
            )
        }
        if !overwrite, try Keyring.exists(for: path) {
            throw KeyringError.exists(stored.path)
        }
        try stored.requireMayReplace(keyringOf: path)
        let later = overwrite ? stored.later(besides: path, knowing: backup.keyIdentifier) : nil
        let keys = try keys(of: backup, stored, later, isVouchedFor, unlockingWith: unlocker)
        let (hash, key) = try key(of: backup.hash, among: keys)
        let doubt = try doubt(unlockingWith: unlocker)
        var restored = try restoreFile(
            hash, to: path, key: key, overwrite: overwrite, threads: threads, progress: progress)
        restored.notices += doubt.map { [$0] } ?? []
        if let later, later.hasAsPresentKey(identifier: backup.keyIdentifier) {
            restored.notices.append(Self.kept(later))
            return restored
        }
        let put = try afterRestoring(backup, to: path) {
            try (later ?? stored).put(
                key: backup.keyIdentifier, unlockingWith: unlocker, overwrite: overwrite)
        }
        if !(later ?? stored).hasAsPresentKey(identifier: backup.keyIdentifier) {
            restored.notices.append(
                "\(path) has a key that was replaced since, and whoever was removed since may have it: if it "
                    + "is to be used, back it up, then rotate its key")
        }
        if !put.lost.isEmpty {
            restored.notices.append(
                "the restored keyring lacks the sealed slots \(put.lost.joined(separator: ", ")), which only "
                    + "their own secrets open: add them again")
        }
        if let kept = put.kept { restored.notices.append(kept.notice) }
        return restored
    }

    /// The keys that a secret gives for a backup: by the later keyring that lies beside the database, if there is one.
    private func keys(
        of backup: Backup, _ stored: Keyring, _ later: Keyring?, _ isVouchedFor: Bool,
        unlockingWith unlocker: Unlocker
    ) throws -> [CipherKey] {
        if let later {
            let keys = try later.allKeys(ifOpenedBy: unlocker)
            if !keys.isEmpty { return keys + unlocker.formerKey }
            try stored.requireNoneLater(besides: later.storedPath, key: backup.keyIdentifier)
        }
        let found = try allKeys(of: stored, for: backup, unlockingWith: unlocker)
        if !isVouchedFor { try requireVouched(stored, unlockingWith: unlocker) }
        return found + unlocker.formerKey
    }

    /// A secret that was changed since the last backup opens what lies next to the database, and not what is stored:
    /// the error names the stored one.
    private func allKeys(
        of stored: Keyring, for backup: Backup, unlockingWith unlocker: Unlocker
    ) throws -> [CipherKey] {
        do {
            return try stored.allKeys(
                unlockingWith: unlocker,
                named: "the newest keyring stored in \(path) for backup \(backup.number)")
        } catch let error as KeyringError where error.code == .wrongKey {
            throw KeyringError(
                .wrongKey, stored.path, error.message,
                hint:
                    "a passphrase that was changed after the last backup does not open it: give the one of that "
                    + "time, or another secret that the keyring had then")
        }
    }

    /// Says of a failure after the database has its name that it is there, and which keyring lies next to it.
    private func afterRestoring<Result>(
        _ backup: Backup, to path: String, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as any OperationError {
            let isThere = (try? Keyring.exists(for: path)) ?? true
            let fits = (try? Keyring(of: path))?.hasAsPresentKey(identifier: backup.keyIdentifier)
            let present =
                !isThere
                ? "it has no keyring"
                : fits == true
                    ? "the keyring next to it has its key, and opens it"
                    : "the keyring next to it is not the one that opens it"
            throw KeyringError(
                (error as? KeyringError)?.code ?? .failed, path,
                "\(path) is restored, but its keyring is not: \(error.message); \(present)",
                hint: "see to the cause, and restore the same backup again, in its place",
                underlying: error, step: BackupStep.restoreAgain)
        }
    }

    private func requireVouched(_ keyring: Keyring, unlockingWith unlocker: Unlocker) throws {
        try opened { repository in
            let isVouchedFor = try repository.isVouchedFor(
                keyring, repository.readHead(), unlockingWith: unlocker)
            guard !isVouchedFor else { return }
            throw repository.unvouchedKeyring(keyring.storedPath)
        }
    }

    private static func kept(_ keyring: Keyring) -> String {
        "\(keyring.path) is later than the keyring in the backup, and is left as it was"
    }

    /// A backup, and the newest keyring that knows its key; and whether the head vouches for the backup, because no
    /// manifest after it is damaged.
    ///
    /// - Parameter unlocker: Of several keyrings, it is the first that this secret opens.
    package func storedKeyring(
        _ name: String?, for path: String, openedBy unlocker: Unlocker? = nil
    ) throws -> (backup: Backup, keyring: Keyring?, isVouchedFor: Bool) {
        try opened { repository in
            let head = try repository.readHead()
            let kept = try repository.readKept(head)
            let backup = try repository.backup(name, in: kept, for: path)
            let keyrings = try repository.keyrings(opening: backup, head)
            let opened =
                keyrings.count < 2
                ? nil
                : try unlocker.flatMap { unlocker in
                    try keyrings.first {
                        try $0.isOpened(by: unlocker, unlessRemovedFrom: keyrings)
                    }
                }
            let keyring = opened ?? keyrings.first
            return (
                backup,
                try keyring.map { try Keyring(stored: $0.bytes, at: $0.path, for: path) },
                !kept.unvouched.contains(backup.manifest.sequence)
            )
        }
    }

    /// Refuses to replace the keyring of a database that may only have been moved, or a later one whose slots would be
    /// lost.
    func requireMayReplaceKeyring(of path: String, by name: String?) throws {
        guard try Keyring.exists(for: path) else { return }
        let (backup, stored, _) = try storedKeyring(name, for: path)
        try stored?.requireMayReplace(keyringOf: path)
        try stored?.requireNoneLater(besides: path, key: backup.keyIdentifier)
    }

    /// Puts the stored keyring of a restored backup next to the database, as far as that needs no secret.
    ///
    /// - Returns: What there is to say of it.
    func putKeyring(
        of backup: Backup, beside path: String, overwrite: Bool
    ) throws -> [String] {
        let present = try Keyring.exists(for: path)
        guard let keyring = try storedKeyring(backup.hash, for: path).keyring else {
            guard present else { return [] }
            let kept =
                overwrite
                ? try afterRestoring(backup, to: path) { try Keyring.setAside(for: path) } : nil
            return [
                kept?.noticeWithoutSuccessor
                    ?? "\(path)-keyring is not that of the restored database: move it away, and keep it, because backups "
                    + "may need its keys"
            ]
        }
        guard keyring.keys.contains(where: { $0.id == backup.keyIdentifier }) else {
            return [
                "the keyring is not restored, because the key of \(path) was replaced since backup "
                    + "\(backup.number): restore it with a secret that opens the newest keyring"
            ]
        }
        guard overwrite || !present else {
            return ["\(keyring.path) was there, and is left as it was"]
        }
        if let later = keyring.later(besides: path, knowing: backup.keyIdentifier) {
            return [Self.kept(later)]
        }
        let put = try afterRestoring(backup, to: path) {
            try keyring.put(key: backup.keyIdentifier, unlockingWith: nil, overwrite: overwrite)
        }
        return put.kept.map { [$0.notice] } ?? []
    }

    /// Those of the stored keyrings that no other replaces.
    package func presentKeyrings() throws -> [Keyring] {
        try opened { try $0.presentKeyrings($0.readHead()) }
    }

    /// The keyrings that backups name, in the order of the backups that had them last.
    package func keyrings() throws -> [Keyring] {
        try opened { repository in
            try repository.keyrings(repository.readHead()).map(\.keyring)
        }
    }

    /// Removes every keyring of a database, after which no secret of it restores a backup.
    ///
    /// - Parameter identifier: `Keyring.identifier`.
    /// - Returns: How many there were.
    /// - Throws: ``BackupError``.
    package func removeKeyrings(of identifier: String) throws -> Int {
        try LongOperation.run(nil) { operation in
            try opened(operation) { repository in
                try repository.withWriterLock(operation) { head, _ in
                    try repository.removeKeyrings(of: identifier, head)
                }
            }
        }
    }
}
