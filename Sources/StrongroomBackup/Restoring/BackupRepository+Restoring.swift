public import StrongroomCore
public import StrongroomEssentials
import StrongroomKeyrings

extension BackupRepository {
    /// The last backup dated no later than a date.
    ///
    /// The numbers decide which backup is the last one: dates come from the clock.
    ///
    /// - Throws: ``BackupError`` if no backup is that old, or the repository cannot be read.
    public func backup(at date: Date) throws -> Backup {
        try opened { repository in
            let kept = try repository.readKept(repository.readHead())
            guard let found = kept.readable.last(where: { $0.date <= date }) else {
                _ = try kept.all
                throw BackupError(
                    .unknownBackup, path, "\(path) has no backup that old",
                    hint: "backups() lists them", step: BackupStep.listBackups)
            }
            let later = kept.readable.map(\.manifest.sequence).filter {
                $0 > found.manifest.sequence
            }
            try kept.requireNothingLater(than: found, before: later.min())
            return found
        }
    }

    /// Restores a database: writes a temporary file, verifies it, then renames it.
    ///
    /// The repository's hashes verify every page. With the key, every page is also authenticated,
    /// again by SQLCipher, and SQLite checks the structure of the database before the file gets its
    /// name.
    ///
    /// If the database had a keyring, the newest one in the repository that has its key as the current one
    /// is put next to it. If the key was replaced since, ``Backup/notices`` says so:
    /// `restore(_:to:unlockingWith:overwrite:threads:progress:)` makes a keyring for that key.
    ///
    /// - Parameters:
    ///   - name: The backup's ``Backup/id`` or number; by default the last one.
    ///   - path: The path of the restored database.
    ///   - key: The key of the backup; without it nothing is decrypted.
    ///   - overwrite: Whether to replace an existing database that is not in use.
    ///   - threads: How many threads to use; by default one for each processor, up to 4.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: ``BackupError``, `DatabaseFileError`, or what `progress` throws; then nothing has
    ///   changed.
    @discardableResult
    public func restore(
        _ name: String? = nil, to path: String, key: CipherKey? = nil, overwrite: Bool = false,
        threads: Int? = nil, progress: OperationProgress.Handler? = nil
    ) throws -> Backup {
        if overwrite { try requireMayReplaceKeyring(of: path, by: name) }
        var backup = try restoreFile(
            name, to: path, key: key, overwrite: overwrite, threads: threads, progress: progress)
        backup.notices += try putKeyring(of: backup, beside: path, overwrite: overwrite)
        return backup
    }

    /// The same, without a keyring.
    func restoreFile(
        _ name: String?, to path: String, key: CipherKey?, overwrite: Bool, threads: Int?,
        progress: OperationProgress.Handler?
    ) throws -> Backup {
        try LongOperation.run(progress) { operation in
            try opened(operation) { repository in
                try repository.withReaderLock(operation) {
                    let kept = try repository.readKept(repository.readHead())
                    var backup = try repository.backup(name, in: kept, for: path)
                    backup.notices += kept.notices(of: backup, hasKey: key != nil)
                    let identifier = key == nil ? nil : backup.keyIdentifier
                    backup.notices += try repository.rememberingDamage(key: identifier) {
                        let restoration = try Restoration(
                            repository, backup, key, operation,
                            threads: threads ?? ThreadCount.usual)
                        try restoration.run(to: path, overwrite: overwrite) {
                            guard backup.manifest.keyring != nil else { return }
                            try Keyring.announce(for: path)
                        }
                        return restoration.notices
                    }
                    backup.notices += repository.remember()
                    repository.rememberRestored(path)
                    if key != nil { repository.remember(backup, isSound: true) }
                    return backup
                }
            }
        }
    }
}

/// One database on its way back.
private struct Restoration {
    let repository: OpenRepository
    let backup: Backup
    let key: CipherKey?
    let pageKey: PageKey?
    let pages: PageSource
    let operation: LongOperation
    let threads: Int
    /// What there is to say of who has signed the repository.
    let notices: [String]

    init(
        _ repository: OpenRepository, _ backup: Backup, _ key: CipherKey?,
        _ operation: LongOperation,
        threads: Int
    ) throws {
        self.repository = repository
        self.backup = backup
        self.key = key
        self.operation = operation
        self.threads = threads
        pageKey = try key.map { try repository.authentic(backup, with: $0).key }
        notices = try pageKey.map { try repository.doubtsOfRestored(BackupKey($0)) } ?? []
        let store = try PackStore(repository.folders.packs)
        pages = try repository.tree(of: backup, store).pages(pageSize: backup.pageSize)
    }

    /// - Parameter prepare: Called before the file gets its name.
    func run(to path: String, overwrite: Bool, prepare: () throws -> Void) throws {
        do {
            let replacement = try FileReplacement(
                of: path, sidecarSuffixes: ["-wal", "-shm", "-journal"],
                fileSystem: repository.fileSystem)
            try requireFree(replacement, path, overwrite: overwrite)
            replacement.removeLeftovers()
            var replaced: ReplacedDatabase?
            try replacement.write(
                overwrite: overwrite, check: operation.check
            ) { temporary in
                try fill(temporary)
                try operation.begin(.finishing)
            } beforeRename: {
                try requireUnused(replacement, path)
                try prepare()
                replaced = try ReplacedDatabase(of: replacement, repository.fileSystem)
            }
            replaced?.spoil()
        } catch let error as SystemError {
            throw DatabaseFileError(error, path: path)
        } catch let error as FileReplacement.NotDurable {
            throw DatabaseFileError(
                .failed, path, "\(path) is complete, but may not survive a power failure",
                hint: "check the disk", underlying: error.underlying)
        }
    }

    /// A database that is there stays, and so does a log that would be taken for the new one's.
    private func requireFree(
        _ replacement: FileReplacement, _ path: String, overwrite: Bool
    ) throws {
        if overwrite {
            // The rename would take away a pipe or a device too.
            guard replacement.existing.map({ $0.kind == .file }) ?? true else {
                throw DatabaseFileError(
                    .notAFile, path, "\(path) is not a regular file", hint: "choose another name")
            }
            if replacement.existing != nil { return try requireUnused(replacement, path) }
        }
        if replacement.existing != nil { throw DatabaseFileError.exists(path) }
        var file = DatabaseFile(path: path)
        file.fileSystem = repository.fileSystem
        try file.requireNoStrayLog()
    }

    private func requireUnused(_ replacement: FileReplacement, _ path: String) throws {
        guard let existing = replacement.existing else { return }
        let users = repository.fileSystem.users(of: [existing.identity])
        guard users.isEmpty else { throw DatabaseFileError.inUse(path, by: users) }
        // Under the backup's key, if it has that: its log may be another database's.
        var file = prepared(DatabaseFile(path: path, key: key))
        file.fileSystem = repository.fileSystem
        try file.requireNoLog()
        // Tried before the work, and done after it.
        try ReplacedDatabase.tryLock(replacement.target, repository.fileSystem)
    }

    /// With the key, the pages are authenticated on their way, and then the file is checked by software that did
    /// not write the repository: SQLCipher, as far as that is quick, and SQLite.
    private func fill(_ temporary: FileReplacement.Temporary) throws {
        guard let key, let pageKey else { return try write(to: temporary, nil) }
        let file = prepared(DatabaseFile(path: temporary.path, key: key))
        do {
            try file.fill(temporary, with: pages, key: pageKey, operation) { gate in
                try write(to: temporary, gate)
            }
        } catch is UnsoundFile {
            repository.remember(backup, isSound: false)
            throw BackupError(
                .damaged, temporary.path,
                "the restored database is not sound: it was so when backed up",
                hint: "restore it without the key to look at it, or restore an older backup")
        }
    }

    private func write(to temporary: FileReplacement.Temporary, _ gate: ReadGate?) throws {
        try operation.begin(.restoring, totalByteCount: pages.byteCount)
        let fileSystem = repository.fileSystem
        let settings = backup.manifest.cipher.settings ?? .version(.v4)
        let unused = pageKey.map { UnusedPages(of: pages, key: $0) }
        // SQLite looks only once for the size of a file that does not change.
        if gate != nil { try fileSystem.truncate(temporary.descriptor, pages.byteCount) }
        try pages.forEachChunk(
            threads: threads,
            makeState: { [pageKey] in
                try pageKey.map {
                    try PageAuthenticator(
                        key: $0.verificationKey(), settings: settings, forManyPages: true)
                }
            }
        ) { [operation, pages, path = repository.path] authenticator, chunk in
            try gate?.requireOpen()
            for (index, verdict) in try (authenticator?.verdicts(on: chunk.pages) ?? [])
                .enumerated()
            {
                let page = chunk.firstPage + UInt32(index)
                let isWritten = try verdict != .blank || unused?.contains(page) ?? true
                guard verdict != .damaged, isWritten else {
                    throw BackupError.damaged(path, "page \(page) was not written with the key")
                }
            }
            let offset = pages.offset(of: chunk.firstPage)
            try fileSystem.writeAll(
                UnsafeRawBufferPointer(chunk.bytes), to: temporary.descriptor, at: offset)
            gate?.open(offset..<(offset + Int64(chunk.bytes.count)))
            // In the end it is waited for in steps, which a caller can stop.
            fileSystem.beginSynchronizing(
                temporary.descriptor, offset, Int64(chunk.bytes.count))
            try operation.advance(by: chunk.bytes.count)
        }
    }

    /// The file with the cipher settings of the backup.
    private func prepared(_ file: DatabaseFile) -> DatabaseFile {
        var file = file
        for pragma in backup.cipherPragmas {
            file.configuration.prepareDatabase { try $0.execute(sql: pragma) }
        }
        return file
    }
}
