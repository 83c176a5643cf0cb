public import StrongroomCore
internal import StrongroomKeyrings

/// How a key gets the right to sign a repository that others have signed so far.
///
/// A key that `BackupRepository.rekey(from:to:)` has retired never signs again:
/// no key can introduce it, and it cannot start over.
public enum BackupAuthority: Sendable {
    /// It already signs, or is the first.
    case known
    /// A key that already signs introduces it: hosts that trust that key trust both from now on.
    ///
    /// After a rotation, that is the database's previous key; for another database, the key of one
    /// that is backed up to the same repository.
    case introduced(by: CipherKey)
    /// One of several keys introduces it: the first one that already signs.
    case introducedByOneOf([CipherKey])
    /// It starts over, because no earlier key is left. Hosts that trust an earlier key refuse the
    /// repository until an operator accepts the new one.
    case newBeginning

    /// The keys that may introduce it.
    var introducers: [CipherKey] {
        switch self {
        case .known, .newBeginning: []
        case .introduced(let key): [key]
        case .introducedByOneOf(let keys): keys
        }
    }
}

extension OpenRepository {
    /// Makes sure that a key may sign the next head, which is brought to the present format.
    ///
    /// - Parameter databaseKey: What the key comes from. With the salt of another database, or of
    ///   backups that were encrypted again, it may sign already, and introduces itself.
    /// - Parameter unlockers: Secrets that may introduce it, too, by the keyrings that are stored here.
    /// - Throws: ``BackupError``: `.notIntroduced` if those who trusted the head so far would not
    ///   trust the next one.
    func authorise(
        _ key: BackupKey, of databaseKey: CipherKey?, _ authority: BackupAuthority,
        _ head: inout Head, unlockingWith unlockers: [Unlocker]
    ) throws {
        do {
            try authorise(key, of: databaseKey, authority, &head)
        } catch let error as BackupError where error.code == .notIntroduced && !unlockers.isEmpty {
            // Only now: a passphrase would be derived once for each database that was ever stored here.
            let present = head
            let keys = try unlockers.flatMap {
                try $0.formerKey + self.keys(unlockingWith: $0, present)
            }
            try authorise(key, of: databaseKey, .introducedByOneOf(keys), &head)
        }
    }

    func authorise(
        _ key: BackupKey, of databaseKey: CipherKey?, _ authority: BackupAuthority,
        _ head: inout Head
    ) throws {
        guard bringUp(&head) else { return }
        let signing = try signingKey(of: key)
        let entries = head.authorities ?? []
        guard let signer = head.signer else {
            head.authorities = [Introduction(beginning: signing.publicKey)]
            return
        }
        let known = Authorities(entries)
        guard !known.areAuthorised(signing, and: signer) else { return }
        try requireNotRetired(signing, databaseKey, as: .database, head)
        switch authority {
        case .known:
            guard
                let other = try? databaseKey.map({
                    try backupKey(thatSigns: $0, as: .database, head)
                })
            else { throw notIntroduced(signing, as: .database) }
            try introduce(signing, by: signingKey(of: other), replaces: false, &head)
        case .newBeginning:
            head.authorities = [Introduction(beginning: signing.publicKey)]
        case .introduced(let introducer):
            let other = try backupKey(thatSigns: introducer, as: .introducer, head)
            try introduce(signing, by: signingKey(of: other), replaces: false, &head)
        case .introducedByOneOf(let introducers):
            let present = head
            let others = introducers.lazy.compactMap {
                try? backupKey(thatSigns: $0, as: .introducer, present)
            }
            guard let other = others.first else { throw notIntroduced(signing, as: .database) }
            try introduce(signing, by: signingKey(of: other), replaces: false, &head)
        }
    }

    /// Makes sure that the new key of backups may sign the next head, in place of the old one.
    ///
    /// - Parameters:
    ///   - newKey: What the new key comes from.
    ///   - other: Another new key, which signs already.
    func authorise(
        _ new: BackupKey, of newKey: CipherKey, replacing old: BackupKey, besides other: BackupKey?,
        _ head: inout Head
    ) throws {
        guard bringUp(&head) else { return }
        let signing = try signingKey(of: new)
        try requireNotRetired(signing, newKey, as: .replacement, head)
        guard let signer = head.signer else {
            head.authorities = [Introduction(beginning: signing.publicKey)]
            return
        }
        let known = Authorities(head.authorities ?? [])
        let oldKey = try signingKey(of: old)
        // Also one that signs already takes the place of the old one.
        if oldKey.publicKey != signing.publicKey, known.areAuthorised(oldKey, and: signer) {
            try introduce(signing, by: oldKey, replaces: true, &head)
        } else if known.areAuthorised(signing, and: signer) {
            return
        } else if let other = try other.map(signingKey), known.areAuthorised(other, and: signer) {
            try introduce(signing, by: other, replaces: false, &head)
        } else {
            throw known.isReplaced(oldKey.publicKey.hexadecimal)
                ? retired(oldKey, as: .replaced) : notIntroduced(oldKey, as: .replaced)
        }
    }

    /// Notices for the owner of a key, if the head was signed by a key that does not belong to it.
    func doubts(of key: BackupKey) throws -> [String] {
        guard let head = current.value?.head, let signer = head.signer,
            let name = try signingKey(of: key).publicKey.hexadecimal as String?,
            !Authorities(head.authorities ?? []).authorise(signer, for: name)
        else { return [] }
        return [
            "\(path) is signed by \(signer.prefix(8)), a key that your key has not introduced; a newer "
                + "backup may exist: no trusted signature rules it out"
        ]
    }

    /// The same, and whether somebody else goes on with an old copy, as the keyrings show.
    func doubtsOfRestored(_ key: BackupKey) throws -> [String] {
        let head = try readHead()
        let forks = try forks(head)
        let lost = try problemsOfKeyrings(readKept(head).readable, head).map {
            "\($0.1.message): secrets of an earlier keyring may count; backup repair gets it from another copy"
        }
        return try doubts(of: key) + (forks.isEmpty ? [] : [noticeOfForks(forks)]) + lost
    }

    /// The key of those that a database key gives which may sign the next head.
    ///
    /// - Throws: ``BackupError``: `.notIntroduced`, `.wrongKey`, or `.damaged`.
    func backupKey(
        thatSigns key: CipherKey, as role: SigningRole, _ head: Head
    ) throws -> BackupKey {
        let known = Authorities(head.authorities ?? [])
        var unknown: SigningKey?
        var damage: BackupError?
        var tried: Set<Manifest.Cipher> = []
        for link in try BackupChain(self, head) {
            try operation?.check()
            guard let backup = try? link.backup.get(),
                tried.insert(backup.manifest.cipher).inserted
            else { continue }
            let pageKey: PageKey
            do {
                pageKey = try authentic(backup, with: key).key
            } catch let error as BackupError {
                // Not the wrong key, but no seal of it: somebody else has written the manifest.
                if error.code == .damaged, damage == nil { damage = error }
                continue
            }
            let found = try BackupKey(pageKey)
            let signing = try signingKey(of: found)
            if let signer = head.signer, known.areAuthorised(signing, and: signer) { return found }
            if known.isReplaced(signing.publicKey.hexadecimal) { throw retired(signing, as: role) }
            unknown = signing
        }
        if let unknown { throw notIntroduced(unknown, as: role) }
        if let damage { throw damage }
        if role == .introducer { throw unknownIntroducer }
        throw BackupError(
            .wrongKey, path, "no backup in \(path) has this key",
            hint: "backups() shows which key each backup needs", step: BackupStep.listBackups)
    }

    /// - Returns: Whether the head is one that is signed.
    private func bringUp(_ head: inout Head) -> Bool {
        if !keepsFormat { head.become(.signed) }
        return head.format.isSigned
    }

    /// Has a key that signs retire another, which signs so far, and take its place.
    func replace(_ exposed: SigningKey, by key: SigningKey, _ head: inout Head) throws {
        guard exposed.publicKey != key.publicKey else { return }
        try introduce(key, by: exposed, replaces: true, &head)
    }

    private func introduce(
        _ newcomer: SigningKey, by key: SigningKey, replaces: Bool, _ head: inout Head
    ) throws {
        var entries = head.authorities ?? []
        guard entries.count < Authorities.limit else {
            throw BackupError(
                .failed, path, "\(path) has reached its limit of signing keys",
                hint: "begin anew, with the authority .newBeginning", step: BackupStep.beginAnew)
        }
        entries.append(try Introduction(of: newcomer, by: key, replaces: replaces))
        head.authorities = entries
    }

    func signingKey(of key: BackupKey) throws -> SigningKey {
        guard let authority = key.authority else {
            throw BackupError(.keyNeeded, path, "a verification key cannot sign")
        }
        return authority
    }
}

extension Authorities {
    /// Whether whoever trusts a key trusts a head of the signer, and the other way round.
    fileprivate func areAuthorised(_ key: SigningKey, and signer: String) -> Bool {
        let name = key.publicKey.hexadecimal
        return maySign(name) && authorise(signer, for: name)
    }
}
