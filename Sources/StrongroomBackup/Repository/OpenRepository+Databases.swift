import StrongroomCore
internal import StrongroomEssentials

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
            if backup.keyIdentifier == key.identifier { return [] }
            others.append(backup)
        }
        guard let last = others.first else { return [] }
        if let namesake = others.first(where: { $0.databaseName == name }) {
            try requireNotCreatedAnew(file, salt, others, namesake)
            let hasBackedUp = hasBackedUp(file.path)
            if hasBackedUp, 2 * source.pages.byteCount < namesake.byteCount {
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
