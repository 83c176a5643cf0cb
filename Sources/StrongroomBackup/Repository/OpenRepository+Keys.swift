import StrongroomCore

extension Backup {
    /// The backup's key, if it comes from a database key. The manifest is not authenticated.
    func key(derivedFrom key: CipherKey) throws -> BackupKey? {
        let cipher = manifest.cipher
        guard let settings = cipher.settings else { return nil }
        let candidate = try BackupKey(PageKey(key, fileSalt: cipher.saltValue, settings: settings))
        return candidate.identifier == keyIdentifier ? candidate : nil
    }
}

extension [CipherKey] {
    /// Raw keys cost no derivation.
    var rawKeysFirst: [CipherKey] {
        filter { $0.form != .passphrase } + filter { $0.form == .passphrase }
    }
}

extension OpenRepository {
    /// As ``authentic(_:with:)``, with the key of several that the backup has.
    func authentic(
        _ backup: Backup, withOneOf keys: [CipherKey]
    ) throws -> (backup: AuthenticBackup, key: PageKey) {
        try authentic(backup, with: key(of: backup, among: keys))
    }

    /// - Throws: ``BackupError``: `.wrongKey` if it is none of them.
    func key(of backup: Backup, among keys: [CipherKey]) throws -> CipherKey {
        // What is wrong with the only one, the work itself says.
        if keys.count == 1 { return keys[0] }
        for key in keys.rawKeysFirst {
            try operation?.check()
            if try backup.key(derivedFrom: key) != nil { return key }
        }
        throw BackupError(
            .wrongKey, path,
            "none of \(keys.count) keys opens backup \(backup.number), of \(backup.manifest.created)",
            hint: "give the key that the database had then (identifier \(backup.keyIdentifier))")
    }
}

extension OpenRepository {
    /// The identifiers of kept backups that a key opens, by a head that was read.
    func keyIdentifiers(of key: CipherKey, _ head: Head) throws -> Set<String> {
        var found: Set<String> = []
        var tried: [(identifier: String, cipher: Manifest.Cipher)] = []
        for backup in try readKept(head).readable {
            let (identifier, cipher) = (backup.keyIdentifier, backup.manifest.cipher)
            guard !tried.contains(where: { $0 == (identifier, cipher) }) else { continue }
            tried.append((identifier, cipher))
            guard let settings = cipher.settings else { continue }
            let candidate = try BackupKey(
                PageKey(key, fileSalt: cipher.saltValue, settings: settings))
            if candidate.identifier == identifier { found.insert(identifier) }
        }
        return found
    }
}
