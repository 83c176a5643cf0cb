package import StrongroomCore
internal import StrongroomEssentials
package import StrongroomKeyrings

// A secret that only opens a keyring does not show that somebody who had the key wrote it: an age identity opens what
// anybody has encrypted to its public key. Then the head has to vouch for it, by a chain of manifests.

extension OpenRepository {
    /// The keys that a secret gives by the present keyrings of each database, and those of kept backups that only
    /// earlier keyrings have: `key forget` has removed them.
    func keys(unlockingWith unlocker: Unlocker, _ head: Head) throws -> [CipherKey] {
        let present = try presentKeyrings(head)
        var keys: [CipherKey] = []
        var unvouched: Keyring?
        for keyring in present {
            let found = try keyring.allKeys(ifOpenedBy: unlocker)
            if try found.isEmpty || isVouchedFor(keyring, head, unlockingWith: unlocker) {
                keys += found
            } else {
                unvouched = keyring
            }
        }
        if keys.isEmpty, let unvouched { throw unvouchedKeyring(unvouched.path) }
        let forgotten = Set(try readKept(head).readable.map(\.keyIdentifier))
            .subtracting(present.flatMap(\.keyIdentifiers))
        // Of a secret that opens no present keyring, earlier ones are not asked: it may have been removed.
        guard !keys.isEmpty, !forgotten.isEmpty else { return keys }
        let all = try keyrings(head).map(\.keyring)
        var earlier: [Keyring] = []
        for key in forgotten.sorted() {
            guard let keyring = all.last(where: { $0.keyIdentifiers.contains(key) }),
                !earlier.contains(where: { $0.bytes == keyring.bytes })
            else { continue }
            earlier.append(keyring)
        }
        return try keys
            + earlier.flatMap { keyring in
                let found = try keyring.allKeys(ifOpenedBy: unlocker)
                return try found.isEmpty || isVouchedFor(keyring, head, unlockingWith: unlocker)
                    ? found : []
            }
    }

    /// Refuses a new key of backups that was replaced, as a keyring says: whoever was removed since may have it.
    func requireNotReplaced(_ newKey: CipherKey, _ head: Head) throws {
        let identifiers = try keyIdentifiers(of: newKey, head)
        for keyring in try presentKeyrings(head) {
            let replaced = Set(keyring.keyIdentifiers).subtracting(keyring.keys.map(\.id))
            guard !replaced.isDisjoint(with: identifiers) else { continue }
            throw BackupError(
                .failed, path,
                "the new key was replaced by a later one, as a keyring in \(path) says, of "
                    + "\(WrittenTime.text(of: keyring.date)): whoever was removed since may have it",
                hint:
                    "rotate the database, back it up, and give the key that it has then",
                step: BackupStep.rotateForNewKey)
        }
    }

    /// Whether a secret or the head vouches for a keyring that the secret opens.
    func isVouchedFor(
        _ keyring: Keyring, _ head: Head, unlockingWith unlocker: Unlocker
    ) throws -> Bool {
        try keyring.isVouchedFor(by: unlocker) || isVouchedFor(keyring, head)
    }

    /// Whether a manifest names a keyring that no damaged one comes after.
    private func isVouchedFor(_ keyring: Keyring, _ head: Head) throws -> Bool {
        let hash = try keyring.bytes.withUnsafeBytes { try ContentDigest(of: $0) }.hexadecimal
        for link in try BackupChain(self, head) {
            guard link.isVouchedFor else { return false }
            if (try? link.backup.get())?.manifest.keyring == hash { return true }
        }
        return false
    }

    /// What there is to say of a present keyring that anybody may have encrypted to a secret, if neither that vouches for
    /// it nor this host knows who signs the repository; nil if there is none.
    func doubt(unlockingWith unlocker: Unlocker, _ head: Head) throws -> String? {
        guard unlocker.opensWhatOthersEncrypt, current.known?.knowsSigner != true else {
            return nil
        }
        let keyring = try presentKeyrings(head).first {
            try !$0.allKeys(ifOpenedBy: unlocker).isEmpty && !$0.isVouchedFor(by: unlocker)
        }
        return keyring.map {
            "nothing on this host vouches for \(path): an attacker could have encrypted its keyring to this secret, and "
                + "have written all of it; compare the keyring's authority with the one that its creator sees "
                + "(strongroom key list): \($0.authority)"
        }
    }

    func unvouchedKeyring(_ keyring: String) -> BackupError {
        BackupError(
            .damaged, keyring,
            "nothing vouches for \(keyring): the manifest of a later backup is damaged or missing, and the secret "
                + "only shows that somebody encrypted to it",
            hint:
                "give a passphrase, recovery code or key file that opens it; or fetch the manifest from another copy "
                + "of the repository; or let the database's keyring vouch for its slots, and back up",
            step: BackupStep.vouch)
    }
}

extension BackupRepository {
    /// The keys that a secret gives, by the newest stored keyrings: of each database, all that it ever had.
    ///
    /// - Returns: None if no stored keyring opens with it.
    package func keys(unlockingWith unlocker: Unlocker) throws -> [CipherKey] {
        try opened { repository in
            let head = try repository.readHead()
            let keys = try repository.keys(unlockingWith: unlocker, head)
            guard keys.isEmpty else { return keys }
            return try repository.keysOfOldCopies(unlockingWith: unlocker, head)
        }
    }

    /// The same keys, of which there has to be one.
    func requiredKeys(unlockingWith unlocker: Unlocker) throws -> [CipherKey] {
        let keys = try keys(unlockingWith: unlocker)
        guard keys.isEmpty else { return keys + unlocker.formerKey }
        throw BackupError(
            .wrongKey, path, "the secret opens no keyring that is stored in \(path)",
            hint: "give a secret of the newest backup's keyring, or the database's own key")
    }

    /// What there is to say of keys that a secret gives which others may have encrypted; nil for nothing.
    package func doubt(unlockingWith unlocker: Unlocker) throws -> String? {
        try opened { try $0.doubt(unlockingWith: unlocker, $0.readHead()) }
    }
}
