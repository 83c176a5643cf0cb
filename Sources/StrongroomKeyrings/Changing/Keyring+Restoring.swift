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

// MARK: - The keyring that was there

/// What a restore made of keyrings.
package struct PutKeyring: Sendable {
    /// The slots that could not be taken over.
    package var lost: [String] = []
    /// The keyring that was replaced, if it gives a key that the new one does not.
    package var kept: KeptKeyring?
}

/// A keyring that was replaced, beside a path at which a copy of the database can be put.
package struct KeptKeyring: Sendable {
    package let path: String
    package let database: String

    /// What there is to say of it.
    package var notice: String {
        "the keyring that was there gives a later key, and is kept as \(path): a copy of the database with that key opens "
            + "under the name \(database)"
    }

    /// The same where a database without a keyring took the place of another one.
    package var noticeWithoutSuccessor: String {
        "the keyring that was there is not that of the restored database, and is kept as \(path): backups may need its "
            + "keys"
    }
}

extension Keyring {
    /// Gives the keyring of a database that was replaced by one without a keyring the name under which replaced ones
    /// are kept.
    ///
    /// - Returns: Nil if it cannot be read: then it stays.
    package static func setAside(for path: String) throws -> KeptKeyring? {
        let file = try KeyringFile(ofDatabase: path)
        return try file.withLock {
            guard let kept = try file.keepKeyring(unlessKnown: []) else { return nil }
            try file.remove()
            return kept
        }
    }
}

extension KeyringFile {
    /// Where the keyrings are that were replaced, in their order.
    private func keptFile(_ number: Int) throws -> KeyringFile {
        try KeyringFile(
            ofDatabase: database + ".replaced" + (number == 1 ? "" : "-\(number)"),
            fileSystem: fileSystem)
    }

    /// Keeps the keyring, which is about to be replaced, if it gives a key that the new one does not: a copy of the
    /// database may have it.
    ///
    /// - Parameter identifiers: The keys that the new one gives.
    func keepKeyring(unlessKnown identifiers: [String]) throws -> KeptKeyring? {
        guard let text = try? readIfPresent() else { return nil }
        let old = Keyring(text, in: self)
        guard old.keyIdentifiers.contains(where: { !identifiers.contains($0) }) else { return nil }
        var number = 1
        while true {
            let file = try keptFile(number)
            number += 1
            let isFree = try fileSystem.statusIfPresent(file.path) == nil
            guard try fileSystem.statusIfPresent(file.database) == nil else { continue }
            guard isFree || (try? file.readIfPresent()?.bytes) == text.bytes else { continue }
            if isFree { try file.write(text, replacing: false) { _ in } }
            return KeptKeyring(path: file.path, database: file.database)
        }
    }

    /// Shreds the keyrings that were replaced.
    ///
    /// - Parameter identifier: ``Keyring/identifier``.
    /// - Returns: Their paths.
    func shredKept(of identifier: String) throws -> [String] {
        var paths: [String] = []
        var number = 1
        while true {
            let file = try keptFile(number)
            guard try fileSystem.statusIfPresent(file.path) != nil else { return paths }
            if try file.readIfPresent()?.content.keyring == identifier {
                _ = try file.shred()
                paths.append(file.path)
            }
            number += 1
        }
    }
}
