import StrongroomCore
internal import StrongroomEssentials

extension OpenRepository {
    private struct KeyGroup {
        let key: PageKey
        /// Sealed by that key, in the order of what they hold.
        var backups: [Backup]
    }

    /// Encrypts the kept backups of keys again: those of one key and salt after the other.
    ///
    /// 1. Whether the new key may sign is decided before anything is written.
    /// 2. The first head that is written retires all exposed keys. It signs, from then on, with the new
    ///    one: what is left to do after a crash does not need a signature of theirs.
    func rekey(
        from keys: [CipherKey], to newKey: CipherKey, _ head: inout Head,
        _ operation: LongOperation, threads: Int
    ) throws -> [Backup] {
        try requireNotReplaced(newKey, head)
        let groups = try groups(of: keys, head)
        guard !groups.isEmpty else {
            try finishRekeying(from: keys, to: newKey, &head)
            return []
        }
        let work = try groups.map { (group: $0, target: try target(of: $0, newKey)) }
        var next = head
        try authorise(work, of: newKey, &next)
        try retire(keys, inFavourOf: work[0].target.key, &next)
        head = next
        var result: [Backup] = []
        for (group, target) in work {
            result += try rekey(group, to: target, &head, operation, threads: threads)
        }
        return result
    }

    /// Introduces the new key of each group in place of its old one; a key that signs introduces those
    /// whose old key does not sign.
    private func authorise(
        _ work: [(group: KeyGroup, target: Target)], of newKey: CipherKey, _ head: inout Head
    ) throws {
        var waiting = work
        var signing: BackupKey?
        while !waiting.isEmpty {
            var refusal: (any Error)?
            let index = try waiting.firstIndex { group, target in
                do {
                    try authorise(
                        target.key, of: newKey, replacing: BackupKey(group.key), besides: signing,
                        &head)
                    return true
                } catch let error as BackupError where error.code == .notIntroduced {
                    refusal = refusal ?? error
                    return false
                }
            }
            if let index {
                let key = waiting.remove(at: index).target.key
                signing = key
                // It signs the next head, and may introduce the others.
                if head.format.isSigned {
                    head.signer = try signingKey(of: key).publicKey.hexadecimal
                }
            } else {
                // An interrupted run has retired the old keys, and signed with the new one.
                guard signing == nil,
                    let known = try? backupKey(thatSigns: newKey, as: .replacement, head)
                else { throw refusal ?? noBackup(of: []) }
                signing = known
            }
        }
    }

    /// Retires the exposed keys that sign, whether backups of theirs are kept or not.
    private func retire(
        _ keys: [CipherKey], inFavourOf key: BackupKey, _ head: inout Head
    ) throws {
        guard head.format.isSigned else { return }
        for exposed in try signingKeys(from: keys, head) {
            try replace(exposed, by: signingKey(of: key), &head)
        }
    }

    /// What there is to say of keys that may sign the head, and that no kept backup has: only who has one can retire it.
    func noticeOfOtherSigners(than newKey: CipherKey, _ head: Head) throws -> String? {
        let known = Authorities(head.authorities ?? [])
        var own: Set<String> = []
        var others: Set<String> = []
        for backup in try kept(head) {
            if let key = try backup.key(derivedFrom: newKey) {
                own.insert(try signingKey(of: key).publicKey.hexadecimal)
            } else {
                others.insert(backup.keyIdentifier)
            }
        }
        let signers = Set((head.authorities ?? []).map(\.key)).filter(known.maySign)
        let count = signers.subtracting(own).count - others.count
        guard count > 0 else { return nil }
        return
            "\(count == 1 ? "1 key that no backup has may" : "\(count) keys that no backup has may") still sign \(path): "
            + "whoever has it can back up to it, and prune it; retire it by the same command with it as the exposed "
            + "key, and this new one; if nobody has it, or it opens no backup, rotate the database, and start over with the "
            + "key that it has then, as Backups.md says"
    }

    /// Does what an interrupted run has left, apart from backups: all of them have the new key.
    ///
    /// - Throws: ``BackupError``: `.wrongKey` if that is not so.
    private func finishRekeying(
        from keys: [CipherKey], to newKey: CipherKey, _ head: inout Head
    ) throws {
        guard try isKnown(keys, head),
            let signing = try? backupKey(thatSigns: newKey, as: .replacement, head)
        else { throw noBackup(of: keys) }
        var next = head
        try retire(keys, inFavourOf: signing, &next)
        if next != head { try writeHead(&next, signing) }
        head = next
    }

    /// Whether backups were made under one of the keys, which may be gone.
    private func isKnown(_ keys: [CipherKey], _ head: Head) throws -> Bool {
        var isKnown = try !authorities(from: keys, head).isEmpty
        try forEachKey(from: keys, head) { _ in isKnown = true }
        return isKnown
    }

    /// The keys that sign the repository, among those that come from keys of databases.
    private func signingKeys(from keys: [CipherKey], _ head: Head) throws -> [SigningKey] {
        var found: [SigningKey] = []
        let known = Authorities(head.authorities ?? [])
        func add(_ signing: SigningKey) {
            let key = signing.publicKey.hexadecimal
            if known.maySign(key), !found.contains(where: { $0.publicKey.hexadecimal == key }) {
                found.append(signing)
            }
        }
        try forEachKey(from: keys, head) { add(try signingKey(of: $0)) }
        for signing in try authorities(from: keys, head, besides: found) { add(signing) }
        return found
    }

    /// Those who sign the repository, or did, among keys whose salt is known, by themselves or by a key store: such a key
    /// is found also where no manifest names it, be it that none is left, or that it was introduced and has no backup yet.
    ///
    /// - Parameter known: Those that are found already.
    private func authorities(
        from keys: [CipherKey], _ head: Head, besides known: [SigningKey] = []
    ) throws -> [SigningKey] {
        let members = Set((head.authorities ?? []).map(\.key))
        guard !members.isEmpty else { return [] }
        let salts = try keyStore?.salts() ?? []
        var missing = members.subtracting(known.map(\.publicKey.hexadecimal))
        var found: [SigningKey] = []
        func look(for key: CipherKey, _ salt: CipherSalt?, _ settings: CipherSettings) throws {
            // A passphrase takes long with each salt.
            guard !missing.isEmpty else { return }
            try operation?.check()
            let signing = try signingKey(
                of: BackupKey(PageKey(key, fileSalt: salt, settings: settings)))
            if missing.remove(signing.publicKey.hexadecimal) != nil { found.append(signing) }
        }
        for settings in try settingsOfBackups(head) {
            for key in keys.rawKeysFirst {
                if key.form == .rawKeyAndSalt {
                    try look(for: key, nil, settings)
                } else {
                    for salt in salts { try look(for: key, salt, settings) }
                }
            }
        }
        return found
    }

    private func settingsOfBackups(_ head: Head) throws -> [CipherSettings] {
        var ciphers: Set<Manifest.Cipher> = []
        for link in try BackupChain(self, head) {
            guard var cipher = try? link.backup.get().manifest.cipher, cipher.isPossible else {
                continue
            }
            cipher.salt = ""
            ciphers.insert(cipher)
        }
        return ciphers.compactMap(\.settings)
    }

    /// Each key of backups that comes from one of some keys, once; also of backups that are gone.
    private func forEachKey(
        from keys: [CipherKey], _ head: Head, _ body: (BackupKey) throws -> Void
    ) throws {
        struct Kind: Hashable {
            let identifier: String
            let cipher: Manifest.Cipher
        }
        var tried: Set<Kind> = []
        for link in try BackupChain(self, head) {
            guard let backup = try? link.backup.get(),
                tried.insert(
                    Kind(identifier: backup.keyIdentifier, cipher: backup.manifest.cipher)
                ).inserted
            else { continue }
            for key in keys {
                try operation?.check()
                // Settings that are none have no key.
                guard let found = try backup.key(derivedFrom: key) else { continue }
                try body(found)
            }
        }
    }

    /// The kept backups that keys open: a group for each key and salt, and for each other setting.
    ///
    /// - Throws: ``BackupError`` if one of them has the identifier of a key, and not its seal.
    private func groups(of keys: [CipherKey], _ head: Head) throws -> [KeyGroup] {
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
                let pageKey = try authentic(members[0], withOneOf: keys).key
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
        return groups.sorted { $0.backups[0].position < $1.backups[0].position }
    }

    private func noBackup(of keys: [CipherKey]) -> BackupError {
        BackupError(
            .wrongKey, path,
            keys.count == 1
                ? "the key opens no backup in \(path)"
                : "none of \(keys.count) keys opens a backup in \(path)",
            hint: "backups() shows which key each backup needs", step: BackupStep.listBackups)
    }

    private struct Target {
        let pageKey: PageKey
        let key: BackupKey
    }

    private func target(of group: KeyGroup, _ newKey: CipherKey) throws -> Target {
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

    private func rekey(
        _ group: KeyGroup, to target: Target, _ head: inout Head, _ operation: LongOperation,
        threads: Int
    ) throws -> [Backup] {
        let packs = try PackWriter(folders, firstNumber: head.nextPack)
        do {
            let manifests = try Reencryption(
                repository: self, oldKey: group.key, newKey: target.pageKey, packs: packs,
                operation: operation, threads: threads,
                keyring: keyringHash(knowing: target.key.identifier, head)
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
