package import StrongroomCore

extension BackupRepository {
    /// The ``Backup/keyIdentifier`` of all kept backups that a key opens.
    ///
    /// A passphrase is derived once for each salt. What the manifests say is not authenticated:
    /// a forger can only have the key not found.
    package func keyIdentifiers(of key: CipherKey) throws -> Set<String> {
        try opened { try $0.keyIdentifiers(of: key, $0.readHead()) }
    }
}

extension OpenRepository {
    /// The same, by a head that was read.
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
