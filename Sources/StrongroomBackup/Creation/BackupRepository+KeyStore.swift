public import StrongroomCore

extension BackupRepository {
    /// Backs up a database whose keys are in a store, and introduces the current key if necessary.
    ///
    /// After any number of rotations since the last backup, a key of the store that signs the
    /// repository introduces the current one. The store records the repository, so that
    /// `KeyStore.removeUnneededKeys(backups:)` knows which backups need its keys.
    ///
    ///     let store = KeyStore(folder: "shop.keys")
    ///     try repository.backUp(dbPool, keys: store)
    ///
    /// - Parameters:
    ///   - reader: The open database.
    ///   - store: The store that the database was opened with.
    ///   - tag: Your label for the backup.
    ///   - authenticating: Whether each page is authenticated with the key before it is stored.
    ///   - full: Stores every page, and depends on no other backup.
    ///   - threads: How many threads read in parallel; by default one for each processor, up to 4.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: ``BackupError``, `DatabaseFileError`, what `progress` throws; `CipherKeyError` if the store
    ///   cannot be read or written, or does not hold the key of the database (`.notInStore`).
    @discardableResult
    public func backUp(
        _ reader: some DatabaseReader, keys store: KeyStore, tag: String? = nil,
        authenticating: Bool = true, full: Bool = false, threads: Int? = nil,
        progress: OperationProgress.Handler? = nil
    ) throws -> Backup {
        try backUp(
            DatabaseFile(openIn: reader), keys: store, tag: tag, authenticating: authenticating,
            full: full, threads: threads, progress: progress)
    }

    /// Backs up a database file whose keys are in a store, and introduces the current key if
    /// necessary.
    ///
    /// - Parameters:
    ///   - file: The database. If it has no key, the store's is used.
    ///   - store: The store of its keys.
    ///   - tag: Your label for the backup.
    ///   - authenticating: Whether each page is authenticated with the key before it is stored.
    ///   - full: Stores every page, and depends on no other backup.
    ///   - threads: How many threads read in parallel; by default one for each processor, up to 4.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: ``BackupError``, `DatabaseFileError`, what `progress` throws; `CipherKeyError` if the store
    ///   cannot be read or written, or does not hold the key of the database (`.notInStore`).
    @discardableResult
    public func backUp(
        _ file: DatabaseFile, keys store: KeyStore, tag: String? = nil, authenticating: Bool = true,
        full: Bool = false, threads: Int? = nil, progress: OperationProgress.Handler? = nil
    ) throws -> Backup {
        var file = file
        file.key = try file.key ?? store.key(opening: file.path, file.configuration)
        try store.requireKey(of: file)
        try note(in: store)
        var repository = self
        repository.keyStore = store
        return try repository.backUp(
            file, tag: tag, authenticating: authenticating, full: full,
            authority: .introducedByOneOf(store.introducers()), threads: threads,
            progress: progress)
    }

    /// Lets the keys of a store introduce the current key of a database, without storing a page.
    ///
    /// A backup does this automatically. If you call it right after a rotation, the repository
    /// knows the new key even if the old keys are lost before the next backup.
    ///
    /// - Parameters:
    ///   - reader: The open database.
    ///   - store: The store that the database was opened with.
    /// - Returns: Whether the repository changed: `false` if it already knows the key, or has no
    ///   backup.
    /// - Throws: ``BackupError``, `DatabaseFileError` or `CipherKeyError`; the repository is then
    ///   unchanged.
    @discardableResult
    public func introduceKey(of reader: some DatabaseReader, keys store: KeyStore) throws -> Bool {
        try introduceKey(of: DatabaseFile(openIn: reader), keys: store)
    }

    /// Lets the keys of a store introduce the current key of a database file, without storing a
    /// page.
    ///
    /// - Parameters:
    ///   - file: The database. If it has no key, the store's is used.
    ///   - store: The store of its keys.
    /// - Returns: Whether the repository changed: `false` if it already knows the key, or has no
    ///   backup.
    /// - Throws: ``BackupError``, `DatabaseFileError` or `CipherKeyError`; the repository is then
    ///   unchanged.
    @discardableResult
    public func introduceKey(of file: DatabaseFile, keys store: KeyStore) throws -> Bool {
        var file = file
        file.key = try file.key ?? store.key(opening: file.path, file.configuration)
        try store.requireKey(of: file)
        try note(in: store)
        let authority = BackupAuthority.introducedByOneOf(try store.introducers())
        var repository = self
        repository.keyStore = store
        return try LongOperation.run(nil) { [file, repository] operation in
            try repository.opened(operation) { repository in
                try repository.withWriterLock(operation) { head, _ in
                    guard head.sequence > 0 else { return false }
                    let source = try committedPages(of: file, operation)
                    defer { try? source.close() }
                    return try repository.introduce(
                        BackupKey(source.key), of: file, source, authority, &head)
                }
            }
        }
    }

    /// Notes in the store that backups here need its keys.
    func note(in store: KeyStore) throws {
        let identifier = try opened { try $0.readHead().repository }
        try store.note(repository: identifier, at: path)
    }
}

extension OpenRepository {
    /// - Returns: Whether the head was written.
    fileprivate func introduce(
        _ key: BackupKey, of file: DatabaseFile, _ source: CommittedPages,
        _ authority: BackupAuthority, _ head: inout Head
    ) throws -> Bool {
        _ = try requireKnownDatabase(file, source, key, head)
        let known = head
        try authorise(key, of: file.key, authority, &head)
        guard head != known else { return false }
        try writeHead(&head, key)
        _ = remember()
        return true
    }
}

extension KeyStore {
    /// Refuses a key that is not in the store: after a rotation, the open database has its key whatever has
    /// become of the store, and nobody could restore the backup.
    fileprivate func requireKey(of file: DatabaseFile) throws {
        let keys = try keys().map(\.key)
        guard let present = file.key, !keys.contains(where: { $0.isSame(as: present) }) else {
            return
        }
        for key in keys {
            var other = file
            other.key = key
            if other.opens() { return }
        }
        throw CipherKeyError(
            .notInStore,
            "\(path) does not hold the key of \(file.path): no key in it would restore the backup",
            hint:
                "put the newest copy of \(path) back; the open database can still be copied (backup(to:))"
        )
    }

    /// The keys that may have signed a repository, the latest first.
    fileprivate func introducers() throws -> [CipherKey] {
        try keys().reversed().map(\.key)
    }
}

// MARK: - Rotation

/// A rotation of an open database, and whether its backups know the new key.
public struct IntroducedRotation: Sendable {
    /// What the rotation did.
    public let rotation: RotationReport
    /// Why the new key was not introduced to the repository; `nil` if it was.
    ///
    /// The rotation still succeeded, and the next backup with the store introduces the key.
    public let introductionError: (any Error)?
}

extension DatabaseQueue {
    /// Rotates the key of the open database, and introduces the new key to its backups.
    ///
    /// The store keeps the old key, because earlier backups need it. If it cannot reach the
    /// repository, the rotation still succeeds: the next `BackupRepository.backUp(_:keys:)`
    /// introduces the key.
    ///
    ///     try dbQueue.rotateKey(in: store, backups: repository)
    ///
    /// - Parameters:
    ///   - store: The store that the database was opened with.
    ///   - repository: The repository of its backups.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: As `rotateKey(in:progress:)`.
    @discardableResult
    public func rotateKey(
        in store: KeyStore, backups repository: BackupRepository,
        progress: OperationProgress.Handler? = nil
    ) throws -> IntroducedRotation {
        try IntroducedRotation(of: self, keys: store, backups: repository, progress)
    }
}

extension DatabasePool {
    /// Rotates the key of the open database, and introduces the new key to its backups.
    ///
    /// The store keeps the old key, because earlier backups need it. If it cannot reach the
    /// repository, the rotation still succeeds: the next `BackupRepository.backUp(_:keys:)`
    /// introduces the key.
    ///
    ///     try dbPool.rotateKey(in: store, backups: repository)
    ///
    /// - Parameters:
    ///   - store: The store that the database was opened with.
    ///   - repository: The repository of its backups.
    ///   - progress: Called during the work. If it throws an error, the work stops.
    /// - Throws: As `rotateKey(in:progress:)`.
    @discardableResult
    public func rotateKey(
        in store: KeyStore, backups repository: BackupRepository,
        progress: OperationProgress.Handler? = nil
    ) throws -> IntroducedRotation {
        try IntroducedRotation(of: self, keys: store, backups: repository, progress)
    }
}

extension IntroducedRotation {
    /// Rotates the key of an open database, and introduces the new one.
    fileprivate init(
        of database: some KeyRotating, keys store: KeyStore, backups repository: BackupRepository,
        _ progress: OperationProgress.Handler?
    ) throws {
        rotation = try database.rotateKey(in: store, progress: progress)
        do {
            try repository.introduceKey(of: database, keys: store)
            introductionError = nil
        } catch {
            introductionError = error
        }
    }
}
