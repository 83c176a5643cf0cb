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
