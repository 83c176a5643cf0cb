import StrongroomCore
internal import StrongroomEssentials
import StrongroomKeyrings

// The keyrings of databases that are backed up: `keyrings/00000007-HASH.keyring`, by the number of the
// revision. A manifest names the one in force by its hash.
//
// 1. A keyring is stored only if it belongs to the key of the database, and its authority is that of the
//    keyring before, or was introduced by it, or whoever backs up has a secret of that one, too.
// 2. What is stored is the file, byte for byte: nothing in it is believed that its signature does not cover.

/// What a backup stores of a database's keyring.
public enum StoredKeyrings: String, Sendable, CaseIterable {
    /// The whole keyring: today's secrets restore every backup.
    case all
    /// The keyring without the slots for passphrases, which could be guessed by whoever reads the repository.
    case strong
    /// Nothing: a backup is restored with the key itself, from the database's own keyring.
    case none
}

/// The keyring of a database that is backed up.
struct KeyringForBackup {
    /// Nil if the database has none.
    var keyring: Keyring?
    /// What is stored of it.
    var stored: Keyring?
    var notices: [String] = []
}

extension OpenRepository {
    static let keyringSuffix = ".keyring"

    func keyringFolder() throws -> RepositoryFolder? {
        guard try folders.root.contains(RepositoryLayout.keyrings) else { return nil }
        return try folders.root.folder(RepositoryLayout.keyrings)
    }

    /// What is to be stored with the next backup of a database: nothing if it has no keyring.
    ///
    /// - Throws: ``BackupError``, `.otherDatabase`, for a keyring that does not follow from the last one;
    ///   `.keyNeeded`, if an app still has the key that only a keyring had which is gone.
    func keyringToStore(
        of file: DatabaseFile, _ key: BackupKey, _ pageKey: PageKey, _ authority: BackupAuthority,
        _ head: Head, _ summary: ChainSummary?, unlockingWith unlockers: [Unlocker]
    ) throws -> KeyringForBackup {
        let path = file.path
        if file.hasKeyOfKeyring, storedKeyrings != .none {
            try requireKeyring(knowing: key.identifier, of: path)
        }
        let earlier = lastBackupWithKeyring(of: path.splitAtLastSlash.name, head, summary)
        let keyring: Keyring?
        do {
            keyring = try Keyring.ifPresent(for: path, fileSystem)
        } catch let error as KeyringError {
            return KeyringForBackup(notices: ["\(error.message), and was not stored"])
        }
        guard let keyring else {
            guard let earlier, storedKeyrings != .none else { return KeyringForBackup() }
            return KeyringForBackup(
                notices: [
                    "\(path) has lost its keyring, which backup \(earlier.number) has: "
                        + "put it back, or restore that backup"
                ])
        }
        guard keyring.keyIdentifiers.contains(key.identifier) else {
            return KeyringForBackup(
                notices: ["\(keyring.path) does not know the key of \(path), and was not stored"])
        }
        let notices = try requireSuccessor(
            keyring, of: path, after: earlier, authority, head, summary,
            unlockingWith: unlockers)
        let stored: Keyring? =
            switch storedKeyrings {
            case .all: keyring
            case .strong: try keyring.withoutPassphrases(pageKey.cipherKey())
            case .none: nil
            }
        return KeyringForBackup(keyring: keyring, stored: stored, notices: notices)
    }

    /// Nobody could restore what is backed up with a key that only this process has.
    private func requireKeyring(knowing identifier: String, of path: String) throws {
        let keyring = try Keyring.ifPresent(for: path, fileSystem)
        guard keyring?.keyIdentifiers.contains(identifier) != true else { return }
        throw BackupError(
            .keyNeeded, path,
            keyring == nil
                ? "\(path) has lost its keyring since its key was rotated: no secret would restore the backup"
                : "\(path)-keyring does not know the key of \(path), which was rotated since: no secret would "
                    + "restore the backup",
            hint:
                "put the newest keyring back; if it is lost, copy the content of the open database to another "
                + "one (backup(to:))")
    }

    /// A manifest that is gone is for others to report.
    func lastBackupWithKeyring(
        of name: String, _ head: Head, _ summary: ChainSummary?
    ) -> Backup? {
        if let summary {
            return summary.database(name)?.lastWithKeyring.flatMap { try? backup($0, in: head) }
        }
        return (try? kept(head))?.last { $0.databaseName == name && $0.manifest.keyring != nil }
    }

    /// - Returns: What there is to say if the keyring of the earlier backup is lost, or an older backup was restored.
    private func requireSuccessor(
        _ keyring: Keyring, of path: String, after earlier: Backup?, _ authority: BackupAuthority,
        _ head: Head, _ summary: ChainSummary?, unlockingWith unlockers: [Unlocker]
    ) throws -> [String] {
        if case .newBeginning = authority { return [] }
        guard let earlier else { return [] }
        // `verify` reports it; this backup stores another.
        guard let last = try? self.keyring(of: earlier, head, summary) else {
            return [
                "the keyring of backup \(earlier.number) is missing or damaged, and \(keyring.path) "
                    + "could not be compared with it: make sure that the keyring next to the database is yours "
                    + "(strongroom key list)"
            ]
        }
        let all = try keyrings(head, summary).map(\.keyring)
        let returned = keyring.noticeOfSlots(removedFrom: all, in: self.path)
        guard !keyring.succeeds(last) else {
            return try noticeOfLostKeyring(of: earlier, head, summary).asArray
                + (returned ?? keyring.noticeOfOldCopy(of: last, all, in: self.path)).asArray
        }
        if try authority.introducers.contains(where: {
            try !last.allKeys(ifOpenedBy: .key($0)).isEmpty
        }) {
            return returned.asArray
        }
        let known = last.keyIdentifiers
        let isOlder =
            keyring.identifier == last.identifier
            && keyring.keys.allSatisfy { known.contains($0.id) }
        // Nobody who was removed has a secret of the later keyring.
        if isOlder, try unlockers.contains(where: { try !last.allKeys(ifOpenedBy: $0).isEmpty }) {
            return [
                returned
                    ?? "\(path) has an earlier key than backup \(earlier.number), and whoever was removed since may "
                    + "have it; until you rotate the key, secrets that were replaced or removed open the backups, too"
            ]
        }
        guard keyring.identifier == last.identifier else {
            throw otherKeyring(keyring, than: earlier)
        }
        throw BackupError(
            .otherDatabase, keyring.path,
            isOlder
                ? "\(keyring.path) is older than the keyring of backup \(earlier.number)"
                : "\(keyring.path) was not written by those who wrote the keyring of backup "
                    + "\(earlier.number)",
            hint:
                "compare it with the keyring in that backup; if it is right, back up once with the authority "
                + ".introduced(by:) and the key of that one", step: BackupStep.introduceKeyring)
    }

    private func noticeOfLostKeyring(
        of backup: Backup, _ head: Head, _ summary: ChainSummary?
    ) throws -> String? {
        try hasOwnKeyring(backup, head, summary)
            ? nil
            : "the keyring of backup \(backup.number) is missing or damaged in \(path): the secrets of an earlier one "
                + "counted until now"
    }

    private func otherKeyring(_ keyring: Keyring, than earlier: Backup) -> BackupError {
        BackupError(
            .otherDatabase, keyring.path,
            "\(keyring.path) is another keyring than that of backup \(earlier.number): the database was created "
                + "anew, or the keyring is another database's",
            hint:
                "if the database was created anew, back up to another repository, or once with the authority "
                + ".introduced(by:) and the key of that backup",
            step: BackupStep.introduceNewKeyring)
    }

    /// Writes a keyring, unless it is there.
    ///
    /// - Returns: Its hash.
    func store(_ keyring: Keyring) throws -> String {
        let bytes = keyring.bytes
        let digest = try bytes.withUnsafeBytes { try ContentDigest(of: $0) }
        guard let number = UInt32(exactly: keyring.revision) else {
            throw BackupError(.failed, path, "the keyring was changed too often")
        }
        if try !folders.root.contains(RepositoryLayout.keyrings) {
            try folders.root.makeFolder(RepositoryLayout.keyrings)
            try folders.root.synchronize()
        }
        let folder = try folders.root.folder(RepositoryLayout.keyrings)
        let name = RepositoryLayout.name(number, digest, suffix: Self.keyringSuffix)
        if (try? folder.content(of: name, limit: KeyringFiles.largestByteCount)) != bytes {
            try write(bytes, to: name, in: folder)
            try folder.synchronize()
        }
        return digest.hexadecimal
    }
}

extension Keyring {
    /// What there is to say of an old copy that has the present key, or got a later one: secrets may have been
    /// changed, and slots added.
    ///
    /// - Parameter stored: Of these, one that is later than the last one was backed up before an old copy was put back.
    fileprivate func noticeOfOldCopy(
        of last: Keyring, _ stored: [Keyring], in repository: String
    ) -> String? {
        var names = slotNames(addedTo: last)
        for other in stored
        where other.identifier == identifier && other.revision > last.revision {
            // A slot of the same name was added again.
            let known = Set(slots.map(\.name) + names)
            names += slotNames(addedTo: other).filter { !known.contains($0) }
        }
        guard revision < last.revision || !names.isEmpty else { return nil }
        let start =
            "\(path) is or was an old copy of the keyring that \(repository) has: secrets that were changed since are as "
            + "they were"
        return names.isEmpty
            ? "\(start); change them again"
            : "\(start), and it lacks the slots \(names.joined(separator: ", ")): change and add them again"
    }

    /// What there is to say of slots that an old copy has brought back, as any keyring says that is stored; nil if there are
    /// none.
    fileprivate func noticeOfSlots(
        removedFrom stored: [Keyring], in repository: String
    ) -> String? {
        var names: [String] = []
        for other in stored where other.identifier == identifier {
            names += slotNames(removedFrom: other).filter { !names.contains($0) }
        }
        guard !names.isEmpty else { return nil }
        let list = names.joined(separator: ", ")
        let commands = names.map { "strongroom key remove \(storedPath) \($0)" }
        return
            "the keyring has the \(names.count == 1 ? "slot" : "slots") \(list), which a later one in \(repository) no "
            + "longer had: it is an old copy, and who has the secret can read what is backed up; to use it, remove "
            + "\(names.count == 1 ? "the slot" : "them") again (\(commands.joined(separator: "; "))), rotate the key, then "
            + "back up"
    }
}

extension Optional {
    fileprivate var asArray: [Wrapped] { map { [$0] } ?? [] }
}

extension BackupAuthority {
    /// The earlier keys of a database with a keyring introduce its key: the key itself gives them.
    func orKeys(of keyring: Keyring?, _ key: PageKey) throws -> BackupAuthority {
        guard case .known = self, let keyring else { return self }
        return .introducedByOneOf(try keyring.allKeys(unlockingWith: .key(key.cipherKey())))
    }
}
