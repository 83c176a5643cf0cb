public import StrongroomCore
public import StrongroomKeyrings

// Long work on repositories, for callers that await it.

extension BackupRepository {
    /// Opens an existing repository on a separate thread.
    ///
    /// A server that does not answer blocks no caller, and can be given up by a cancellation.
    ///
    ///     let repository = try await BackupRepository.startOpening(path: "sftp://backup@nas/srv/shop").value
    public static func startOpening(path: String) -> OperationTask<BackupRepository> {
        OperationTask { progress in
            try LongOperation.run(progress) { _ in try BackupRepository(path: path) }
        }
    }

    /// Starts a backup of an open database on a separate thread.
    ///
    ///     let backup = try await repository.startBackUp(of: dbPool).value
    public func startBackUp(
        of reader: some DatabaseReader, tag: String? = nil, authority: BackupAuthority = .known
    ) -> OperationTask<Backup> {
        OperationTask {
            try self.backUp(reader, tag: tag, authority: authority, progress: $0)
        }
    }

    /// Starts a backup of an open database whose keys are in a store, on a separate thread.
    ///
    ///     let backup = try await repository.startBackUp(of: dbPool, keys: store).value
    public func startBackUp(
        of reader: some DatabaseReader, keys store: KeyStore, tag: String? = nil
    ) -> OperationTask<Backup> {
        OperationTask { try self.backUp(reader, keys: store, tag: tag, progress: $0) }
    }

    /// Starts a backup of a database file on a separate thread.
    ///
    ///     let backup = try await repository.startBackUp(of: file).value
    public func startBackUp(
        of file: DatabaseFile, tag: String? = nil, authority: BackupAuthority = .known
    ) -> OperationTask<Backup> {
        OperationTask { try self.backUp(file, tag: tag, authority: authority, progress: $0) }
    }

    /// Starts ``verify(key:authority:sample:threads:progress:)`` on a separate thread.
    ///
    ///     let report = try await repository.startVerification(key: .database(key)).value
    public func startVerification(
        key: BackupVerificationKey? = nil, authority: String? = nil, sample: Double = 1
    ) -> OperationTask<VerificationReport> {
        OperationTask {
            try self.verify(key: key, authority: authority, sample: sample, progress: $0)
        }
    }

    /// Starts a verification with the keys of a store, on a separate thread.
    ///
    ///     let report = try await repository.startVerification(keys: store).value
    public func startVerification(
        keys store: KeyStore, authority: String? = nil, sample: Double = 1
    ) -> OperationTask<VerificationReport> {
        OperationTask {
            try self.verify(keys: store, authority: authority, sample: sample, progress: $0)
        }
    }

    /// Starts ``prune(keeping:key:dryRun:progress:)`` on a separate thread.
    ///
    ///     try await repository.startPrune(keeping: RetentionPolicy(last: 7), key: key).value
    public func startPrune(
        keeping policy: RetentionPolicy, key: CipherKey? = nil, dryRun: Bool = false
    ) -> OperationTask<PruningReport> {
        OperationTask {
            try self.prune(keeping: policy, key: key, dryRun: dryRun, progress: $0)
        }
    }

    /// Starts to prune with the keys of a store, on a separate thread.
    ///
    ///     try await repository.startPrune(keeping: RetentionPolicy(last: 7), keys: store).value
    public func startPrune(
        keeping policy: RetentionPolicy, keys store: KeyStore, dryRun: Bool = false
    ) -> OperationTask<PruningReport> {
        OperationTask {
            try self.prune(keeping: policy, keys: store, dryRun: dryRun, progress: $0)
        }
    }

    /// Starts ``restore(_:to:key:overwrite:threads:progress:)`` on a separate thread.
    ///
    ///     try await repository.startRestoration(to: "restored.db", key: key).value
    public func startRestoration(
        of name: String? = nil, to path: String, key: CipherKey? = nil, overwrite: Bool = false
    ) -> OperationTask<Backup> {
        OperationTask {
            try self.restore(name, to: path, key: key, overwrite: overwrite, progress: $0)
        }
    }

    /// Starts a restore with the keys of a store, on a separate thread.
    ///
    ///     try await repository.startRestoration(to: "restored.db", keys: store).value
    public func startRestoration(
        of name: String? = nil, to path: String, keys store: KeyStore, overwrite: Bool = false
    ) -> OperationTask<Backup> {
        OperationTask {
            try self.restore(name, to: path, keys: store, overwrite: overwrite, progress: $0)
        }
    }

    // MARK: - With a secret of the database's keyring

    /// Starts a backup of an open database that has a keyring, on a separate thread.
    ///
    ///     let me = Unlocker.passphrase(passphrase)
    ///     let backup = try await repository.startBackUp(of: dbPool, unlockingWith: me).value
    public func startBackUp(
        of reader: some DatabaseReader, unlockingWith unlocker: Unlocker, tag: String? = nil
    ) -> OperationTask<Backup> {
        OperationTask {
            try self.backUp(reader, unlockingWith: unlocker, tag: tag, progress: $0)
        }
    }

    /// Starts ``verify(unlockingWith:authority:sample:threads:progress:)`` on a separate thread.
    ///
    ///     let me = Unlocker.passphrase(passphrase)
    ///     let report = try await repository.startVerification(unlockingWith: me).value
    public func startVerification(
        unlockingWith unlocker: Unlocker, authority: String? = nil, sample: Double = 1
    ) -> OperationTask<VerificationReport> {
        OperationTask {
            try self.verify(
                unlockingWith: unlocker, authority: authority, sample: sample, progress: $0)
        }
    }

    /// Starts ``prune(keeping:unlockingWith:dryRun:progress:)`` on a separate thread.
    public func startPrune(
        keeping policy: RetentionPolicy, unlockingWith unlocker: Unlocker, dryRun: Bool = false
    ) -> OperationTask<PruningReport> {
        OperationTask {
            try self.prune(
                keeping: policy, unlockingWith: unlocker, dryRun: dryRun, progress: $0)
        }
    }

    /// Starts ``restore(_:to:unlockingWith:overwrite:threads:progress:)`` on a separate thread.
    ///
    ///     let me = Unlocker.passphrase(passphrase)
    ///     try await repository.startRestoration(to: "restored.db", unlockingWith: me).value
    public func startRestoration(
        of name: String? = nil, to path: String, unlockingWith unlocker: Unlocker,
        overwrite: Bool = false
    ) -> OperationTask<Backup> {
        OperationTask {
            try self.restore(
                name, to: path, unlockingWith: unlocker, overwrite: overwrite, progress: $0)
        }
    }
}

extension DatabaseQueue {
    /// Starts ``rotateKey(in:backups:progress:)`` on a separate thread.
    ///
    ///     try await dbQueue.startRotation(in: store, backups: repository).value
    public func startRotation(
        in store: KeyStore, backups repository: BackupRepository
    ) -> OperationTask<IntroducedRotation> {
        OperationTask { try self.rotateKey(in: store, backups: repository, progress: $0) }
    }
}

extension DatabasePool {
    /// Starts ``rotateKey(in:backups:progress:)`` on a separate thread.
    ///
    ///     try await dbPool.startRotation(in: store, backups: repository).value
    public func startRotation(
        in store: KeyStore, backups repository: BackupRepository
    ) -> OperationTask<IntroducedRotation> {
        OperationTask { try self.rotateKey(in: store, backups: repository, progress: $0) }
    }
}
