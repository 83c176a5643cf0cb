import StrongroomCore
internal import StrongroomEssentials
import StrongroomKeyrings

extension OpenRepository {
    /// Makes sure that a database is one of those that the repository has, or that others are wanted.
    ///
    /// It is one of them if a backup has its key and salt. After a rotation, none has; then it is one of
    /// them if a backup has the name of its file, and its key opens no backup that was made of a database:
    /// such a key could be that of two databases. If this host has backed up the file at that very path
    /// before, it is one of them all the same: its settings were changed under the same key, or an earlier
    /// key is back. It is not one of them if it was lost, and an app created it anew: a key store notes that, or the
    /// file has become much smaller, and is none of the backups' files.
    ///
    /// - Returns: What there is to say of it.
    /// - Throws: ``BackupError``: `.otherDatabase`.
    func requireKnownDatabase(
        _ file: DatabaseFile, _ source: CommittedPages, _ key: BackupKey, _ head: Head
    ) throws -> [String] {
        let salt = source.settings.hasSaltInFile ? Hexadecimal.text(source.key.salt.bytes) : nil
        if let salt { keyStore?.note(salt: salt, ofDatabase: file.path) }
        guard !takesOtherDatabases else { return [] }
        do {
            return try requireKnownDatabase(file, source, salt, key, head)
        } catch let error as BackupError where error.code == .otherDatabase {
            // After a rotation, nothing else would show it.
            if let salt { keyStore?.noteLoss(ofDatabase: file.path, salt: salt) }
            throw error
        }
    }

    private func requireKnownDatabase(
        _ file: DatabaseFile, _ source: CommittedPages, _ salt: String?, _ key: BackupKey,
        _ head: Head
    ) throws -> [String] {
        let name = file.path.splitAtLastSlash.name
        var others: [Backup] = []
        for link in try BackupChain(self, head) {
            guard let backup = try? link.backup.get() else { continue }
            if backup.keyIdentifier == key.identifier {
                try requireNotCreatedAnew(file, source, since: backup, head)
                return []
            }
            others.append(backup)
        }
        guard let last = others.first else { return [] }
        if let newest = others.first(where: { $0.databaseName == name }) {
            let namesake = try lastNamesake(of: newest, head)
            let wasRestored = wasRestored(file.path)
            if !wasRestored { try requireNotCreatedAnew(file, salt, others, namesake) }
            let hasBackedUp = hasBackedUp(file.path)
            if hasBackedUp, !wasRestored, hasLittle(source, beside: namesake) {
                throw createdAnew(file.path, since: namesake)
            }
            if try !opens(others.filter { $0.manifest.rekeyed == nil }, file.key) { return [] }
            if hasBackedUp {
                return [
                    "\(name) was created anew, or re-encrypted since its last backup, with a key of earlier backups: "
                        + "all pages are stored"
                ]
            }
        }
        throw BackupError(
            .otherDatabase, path,
            "\(path) has backups of another database: \(last.databaseName) (backup \(last.number))",
            hint: "back \(name) up to a separate repository, or set takesOtherDatabases",
            step: BackupStep.takeDatabase(named: name))
    }

    /// Refuses a database that was lost and created anew, and of which there is no backup: it keeps the old one's name
    /// and place, and also gets new keys, by which nothing tells them apart.
    private func requireNotCreatedAnew(
        _ file: DatabaseFile, _ salt: String?, _ backups: [Backup], _ namesake: Backup
    ) throws {
        guard salt != nil, let salts = keyStore?.saltsSinceLoss(ofDatabase: file.path) else {
            return
        }
        let isBackedUp = backups.contains { backup in
            let salt = backup.manifest.cipher.saltValue
            return salt.map { salts.contains(Hexadecimal.text($0.bytes)) } ?? false
        }
        guard !isBackedUp else { return }
        throw createdAnew(file.path, since: namesake)
    }

    /// Refuses a database that was lost and created anew with the salt of the old one, which a keyring keeps.
    ///
    /// No page of it is one of a backup; an older copy has some.
    private func requireNotCreatedAnew(
        _ file: DatabaseFile, _ source: CommittedPages, since newest: Backup, _ head: Head
    ) throws {
        guard newest.databaseName == file.path.splitAtLastSlash.name,
            case let last = try lastNamesake(of: newest, head), hasLittle(source, beside: last),
            hasBackedUp(file.path), !wasRestored(file.path),
            try !hasPages(of: source, head, newest.keyIdentifier)
        else { return }
        throw createdAnew(file.path, since: last)
    }

    /// Refuses a database that was lost and created anew next to its keyring, which notes that: after a rotation, nothing
    /// else would show it.
    ///
    /// An older file that was put back has pages of a backup.
    func requireNotCreatedAnew(
        _ file: DatabaseFile, _ source: CommittedPages, _ key: BackupKey,
        _ ring: KeyringForBackup, _ head: Head, _ summary: ChainSummary?
    ) throws {
        let name = file.path.splitAtLastSlash.name
        guard !takesOtherDatabases, let keyring = ring.keyring,
            let earlier = lastBackupWithKeyring(of: name, head, summary),
            let stored = try? self.keyring(of: earlier, head, summary),
            let date = keyring.creation(after: stored),
            let last = try lastKept(head, where: { $0.databaseName == name }), last.pageCount > 0,
            last.number == earlier.number || last.date < date,
            !wasRestored(file.path), try !hasPages(of: source, head, key.identifier)
        else { return }
        throw createdAnew(file.path, since: last)
    }

    /// Of the backups that have the database of one, the last kept one.
    private func lastNamesake(of newest: Backup, _ head: Head) throws -> Backup {
        let isKept = !head.prunedNumbers.contains(newest.manifest.sequence)
        if isKept, newest.manifest.rekeyed == nil { return newest }
        return try lastKept(head) { $0.databaseName == newest.databaseName } ?? newest
    }

    /// Whether a database is less than half as large as a backup, without having become smaller itself: VACUUM adds 1 to
    /// the version of the schema (no page of SQLite's says so: a test of OPR-193 does).
    private func hasLittle(_ source: CommittedPages, beside backup: Backup) -> Bool {
        2 * source.pages.byteCount < backup.byteCount && source.numbers["auto_vacuum"] == 0
            && source.numbers["schema_version"] ?? 0 <= backup.manifest.schemaVersion
    }

    /// Whether one of the first pages of a database is in its place in one of the last backups with its key.
    private func hasPages(
        of source: CommittedPages, _ head: Head, _ keyIdentifier: String
    ) throws -> Bool {
        let count = min(64, Int(source.pageCount))
        var bytes = [UInt8](repeating: 0, count: count * source.pageSize)
        let digests = try bytes.withUnsafeMutableBytes { buffer in
            for index in 0..<count {
                let page = buffer[(index * source.pageSize)..<((index + 1) * source.pageSize)]
                try source.pages.readPage(
                    UInt32(index + 1), to: UnsafeMutableRawBufferPointer(rebasing: page))
            }
            return try ContentDigest.digests(
                ofBlocksIn: UnsafeRawBufferPointer(buffer), blockByteCount: source.pageSize)
        }
        let backups = try readKept(head).readable.filter { $0.keyIdentifier == keyIdentifier }
        let store = try packStore()
        return try backups.suffix(64).contains { backup in
            try operation?.check()
            // Damage is for others to find.
            guard
                let known = try? tree(of: backup, store).references(from: 1, count: count)
            else { return true }
            return zip(known, digests).contains { $0.digest == $1 }
        }
    }

    private func createdAnew(_ database: String, since backup: Backup) -> BackupError {
        BackupError(
            .otherDatabase, path,
            "\(database) seems to have been lost and created anew: it is not what backup \(backup.number) of "
                + "\(backup.dateText) has",
            hint:
                "restore that backup; if the new database is right, back it up to a separate repository, or set "
                + "takesOtherDatabases",
            step: BackupStep.restoreOrTake(backup.number))
    }

    /// Whether a key opens one of the backups, each kind of which is tried once.
    private func opens(_ backups: [Backup], _ key: CipherKey?) throws -> Bool {
        guard let key else { return false }
        var tried: Set<Manifest.Cipher> = []
        for backup in backups where tried.insert(backup.manifest.cipher).inserted {
            try operation?.check()
            if (try? authentic(backup, with: key)) != nil { return true }
        }
        return false
    }
}
