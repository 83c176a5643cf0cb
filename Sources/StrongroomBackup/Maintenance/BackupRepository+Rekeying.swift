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
    /// - Throws: ``BackupError``: `.wrongKey` if the key opens no kept backup; or what `progress`
    ///   throws. Then either all backups are re-encrypted or none.
    @discardableResult
    public func rekey(
        from key: CipherKey, to newKey: CipherKey, threads: Int? = nil,
        progress: OperationProgress.Handler? = nil
    ) throws -> [Backup] {
        try LongOperation.run(progress) { operation in
            try opened(operation) { repository in
                try repository.rememberingDamage {
                    try repository.withWriterLock(operation) { head, notices in
                        let backups = try repository.rekey(
                            from: key, to: newKey, &head, operation,
                            threads: threads ?? ThreadCount.usual)
                        var report = PruningReport()
                        try repository.collect(repository.kept(head), operation, &report)
                        var result = backups
                        result[0].notices = notices + repository.remember()
                        return result
                    }
                }
            }
        }
    }
}

extension OpenRepository {
    fileprivate struct KeyGroup {
        let key: PageKey
        /// Sealed by that key, in the order of what they hold.
        var backups: [Backup]
    }

    fileprivate func rekey(
        from key: CipherKey, to newKey: CipherKey, _ head: inout Head, _ operation: LongOperation,
        threads: Int
    ) throws -> [Backup] {
        var result: [Backup] = []
        var signed: BackupKey?
        for group in try groups(of: key, head) {
            let target = try target(of: group, newKey)
            try authorise(
                target.key, of: newKey, replacing: BackupKey(group.key), besides: signed, &head)
            result += try rekey(group, to: target, &head, operation, threads: threads)
            signed = target.key
        }
        return result
    }

    /// The kept backups that a key opens: a group for each salt, and for each other setting.
    ///
    /// - Throws: ``BackupError`` if one of them has the key's identifier, and not its seal.
    fileprivate func groups(of key: CipherKey, _ head: Head) throws -> [KeyGroup] {
        struct Kind: Hashable {
            let key: String
            let cipher: Manifest.Cipher
        }
        let kinds = Dictionary(grouping: try kept(head)) {
            Kind(key: $0.keyIdentifier, cipher: $0.manifest.cipher)
        }
        var groups: [KeyGroup] = []
        var others: [Backup] = []
        for members in kinds.values {
            do {
                let pageKey = try authentic(members[0], with: key).key
                let backupKey = try BackupKey(pageKey)
                groups.append(
                    KeyGroup(
                        key: pageKey,
                        backups: try members.map {
                            try AuthenticBackup($0, backupKey, in: self).backup
                        }))
            } catch let error as BackupError where error.code == .wrongKey {
                others += members
            }
        }
        // One that names the key, with settings that do not lead to it, would stay as it is.
        let identifiers = Set(groups.map { $0.backups[0].keyIdentifier })
        if let forged = others.first(where: { identifiers.contains($0.keyIdentifier) }) {
            throw BackupError.damaged(
                folders.backups.path, "backup \(forged.number) has other settings than its key")
        }
        guard !groups.isEmpty else {
            throw BackupError(
                .wrongKey, path, "the key opens no backup in \(path)",
                hint: "backups() tells which key each needs", step: BackupStep.listBackups)
        }
        return groups.sorted { $0.backups[0].position < $1.backups[0].position }
    }

    fileprivate struct Target {
        let pageKey: PageKey
        let key: BackupKey
    }

    fileprivate func target(of group: KeyGroup, _ newKey: CipherKey) throws -> Target {
        let settings = group.key.settings
        // With a plaintext header the salt is kept by the app, which goes on using it.
        let salt = settings.hasSaltInFile ? try CipherSalt.random() : group.key.salt
        let pageKey = try PageKey(newKey, fileSalt: salt, settings: settings)
        let key = try BackupKey(pageKey)
        guard key.identifier != group.backups[0].keyIdentifier else {
            throw BackupError(
                .failed, path, "the new key is the old one", hint: "give another key")
        }
        return Target(pageKey: pageKey, key: key)
    }

    fileprivate func rekey(
        _ group: KeyGroup, to target: Target, _ head: inout Head, _ operation: LongOperation,
        threads: Int
    ) throws -> [Backup] {
        let packs = try PackWriter(folders, firstNumber: head.nextPack)
        do {
            let manifests = try Reencryption(
                repository: self, oldKey: group.key, newKey: target.pageKey, packs: packs,
                operation: operation, threads: threads
            ).run(
                group.backups,
                cipher: Manifest.Cipher(target.pageKey.settings, salt: target.pageKey.salt),
                target.key)
            try operation.begin(.finishing)
            try packs.finish()
            try folders.packs.synchronize()
            return try commit(
                manifests, target.key, packs,
                pruned: group.backups.map(\.manifest.sequence), &head)
        } catch {
            if !(error is AfterCommit) { packs.discard() }
            throw error
        }
    }
}
