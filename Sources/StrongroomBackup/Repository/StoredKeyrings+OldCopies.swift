import StrongroomCore
import StrongroomKeyrings

// Where an old copy of a database and its keyring took the place of both, the last backup has a keyring that another
// stored one replaces. It may be the owner's, with slots of its own, or that of somebody who was removed: whose it is, nobody
// can tell. Its secrets open what has its keys, and take nothing from the others; those of slots that were removed do not.

extension OpenRepository {
    /// The keyrings whose secrets open a backup: the newest that knows its key, and, if that is another one, the keyring of
    /// the last backup of its database.
    func keyrings(opening backup: Backup, _ head: Head) throws -> [Keyring] {
        let all = try keyrings(head)
        func knows(_ keyring: Keyring) -> Bool {
            keyring.keyIdentifiers.contains(backup.keyIdentifier)
        }
        guard let newest = all.last(where: { knows($0.keyring) }) else { return [] }
        let last = try keyringsInForce(all, head)[backup.databaseName]
        guard let last, knows(last), last.bytes != newest.keyring.bytes else {
            return [newest.keyring]
        }
        return [newest.keyring, last]
    }

    /// The keys that a secret gives by keyrings of last backups that others replace.
    func keysOfOldCopies(unlockingWith unlocker: Unlocker, _ head: Head) throws -> [CipherKey] {
        let all = try keyrings(head).map(\.keyring)
        return try oldCopies(head).flatMap { _, keyring in
            guard try keyring.isOpened(by: unlocker, unlessRemovedFrom: all),
                try isVouchedFor(keyring, head, unlockingWith: unlocker)
            else { return [CipherKey]() }
            return try keyring.allKeys(ifOpenedBy: unlocker)
        }
    }

    /// What there is to say of databases whose last backup has a keyring that another one replaces.
    func noticesOfOldCopies(_ head: Head) throws -> [String] {
        try oldCopies(head).map { name, _ in
            "the last backup of \(name) has a keyring from before its key was rotated: an old copy of both was put back, "
                + "or somebody who was removed has backed one up; the secrets of both keyrings open it: if it is yours, "
                + "remove the slots that are back, rotate its key, and back it up"
        }
    }

    private func oldCopies(_ head: Head) throws -> [(name: String, keyring: Keyring)] {
        let all = try keyrings(head)
        guard all.count > 1 else { return [] }
        return try keyringsInForce(all, head).sorted { $0.key < $1.key }.compactMap { name, last in
            all.contains { $0.keyring.replaces(last) } ? (name, last) : nil
        }
    }

    /// The keyring of the last backup of each database, as far as it is there.
    private func keyringsInForce(
        _ all: [(name: String, keyring: Keyring)], _ head: Head
    ) throws -> [String: Keyring] {
        var hashes: [String: String] = [:]
        for backup in try readKept(head).readable {
            hashes[backup.databaseName] = backup.manifest.keyring ?? hashes[backup.databaseName]
        }
        return hashes.compactMapValues { hash in
            all.first { $0.name.contains(hash) }?.keyring
        }
    }
}
