import StrongroomCore

// A keyring that lies beside a database can be later than the one that is restored from a backup: it has the slots of
// today, and lacks those that were removed since.

extension Keyring {
    /// The keyring beside a database, if it is later than this one, which was stored, and knows the key of a backup.
    ///
    /// - Parameters:
    ///   - path: The path of the database.
    ///   - identifier: That of the key.
    package func later(besides path: String, knowing identifier: String) -> Keyring? {
        guard let present = try? Keyring(of: path), present.succeeds(self),
            present.revision >= revision, present.bytes != bytes,
            present.keyIdentifiers.contains(identifier)
        else { return nil }
        return present
    }

    /// Whether its database may have a key now.
    package func hasAsPresentKey(identifier: String) -> Bool {
        keys.contains { $0.id == identifier }
    }

    /// Refuses to replace a later keyring of the same database by this one, which was stored.
    ///
    /// - Parameter identifier: That of the key of the backup that is restored.
    /// - Throws: ``KeyringError``: `.exists`.
    package func requireNoneLater(besides path: String, key identifier: String) throws {
        guard hasAsPresentKey(identifier: identifier),
            let present = later(besides: path, knowing: identifier),
            !present.hasAsPresentKey(identifier: identifier)
        else { return }
        throw KeyringError(
            .exists, present.path,
            "\(present.path) is later than the keyring in the backup, and would be lost",
            hint:
                "give a secret that opens it, and the restored database gets its slots; or move it away"
        )
    }
}
