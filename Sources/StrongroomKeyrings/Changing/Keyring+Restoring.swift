import StrongroomCore

// A keyring that lies beside a database can be later than the one that is restored from a backup: it has the slots of
// today, and lacks those that were removed since.

extension Keyring {
    /// Creates the lock of a keyring before its database gets its name: where there is a lock and no keyring, what
    /// was to write it may have been interrupted.
    ///
    /// - Throws: ``KeyringError``.
    package static func announce(for path: String) throws {
        try KeyringFile(ofDatabase: path).withLock {}
    }

    /// Removes such a lock again, if neither the database nor its keyring is there.
    package static func withdrawAnnouncement(for path: String) {
        guard let file = try? KeyringFile(ofDatabase: path), file.isMissing,
            (try? file.fileSystem.statusIfPresent(file.database) == nil) == true
        else { return }
        try? file.fileSystem.remove(file.lockPath)
    }

    /// Whether a database has no keyring, and had one, or was to get one.
    package static func isMissing(for path: String) -> Bool {
        guard let file = try? KeyringFile(ofDatabase: path) else { return false }
        return file.isMissing
    }

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
