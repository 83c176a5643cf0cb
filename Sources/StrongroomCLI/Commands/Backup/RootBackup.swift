import StrongroomBackup
import StrongroomCore
import StrongroomEssentials
import StrongroomKeyrings

/// Backs up many databases, each to a repository of its own in one root.
///
/// A run that was killed is run again: what it has done is an increment of no pages then, or is left out
/// with `--skip-newer`.
struct RootBackup {
    struct Settings: Sendable {
        var tag: String?
        var authenticating: Bool
        var isFull: Bool
        var keepsFormat: Bool
        var takesOtherDatabases: Bool
        var readsUnchangedFiles: Bool
        var storedKeyrings: StoredKeyrings
        var authority: BackupAuthority
        var memory: BackupMemory?
        var acceptsRollback: Bool
        /// Databases with a younger backup are left out.
        var youngest: Age?
    }

    /// A database, and the path below what was named, from which its repository has its name.
    struct Target: Sendable {
        let file: String
        let relativePath: String
        let repositoryName: String
    }

    let root: BackupRoot
    /// Nil if only keyrings are opened.
    let key: CipherKey?
    /// What opens the databases that have a keyring; nil if keyrings do not count.
    let unlocker: Unlocker?
    /// The store of the key, and of those that introduce it.
    let store: KeyStore?
    let cipherSettings: DatabaseSettings
    let settings: Settings
    let slots: WorkSlots

    /// The databases that paths name, those that share a name being refused.
    static func targets(
        _ files: [String], namedBy paths: [String]
    ) throws -> (targets: [Target], refused: [RootBackupResult]) {
        let all = try files.map { file in
            let relativePath = relativePath(of: file, namedBy: paths)
            return Target(
                file: file, relativePath: relativePath,
                repositoryName: try BackupRoot.repositoryName(forDatabaseAt: relativePath))
        }
        let groups = Dictionary(grouping: all) { BackupRoot.foldedName($0.repositoryName) }
        let refused = all.filter { groups[BackupRoot.foldedName($0.repositoryName)]?.count != 1 }
        return (
            all.filter { groups[BackupRoot.foldedName($0.repositoryName)]?.count == 1 },
            refused.map {
                RootBackupResult(
                    file: $0.file, repository: nil,
                    outcome: .failed(
                        Failure(
                            .failed,
                            "\($0.file) is not backed up: another database would have the repository "
                                + "\($0.repositoryName), too",
                            hint: "back them up to separate folders")))
            }
        )
    }

    private static func relativePath(of file: String, namedBy paths: [String]) -> String {
        for path in paths {
            let folder = path.hasSuffix("/") ? path : path + "/"
            if file.hasPrefix(folder) { return String(file.dropFirst(folder.count)) }
        }
        return String(
            file[(file.lastIndex(of: "/").map { file.index(after: $0) } ?? file.startIndex)...])
    }

    func outcome(
        of target: Target, _ cancellation: Cancellation, _ note: @escaping @Sendable (Int64) -> Void
    ) -> RootBackupResult {
        let outcome: RootBackupResult.Outcome
        let isNew = !root.contains(target.repositoryName)
        do {
            try DatabasePrecheck.encrypted(target.file)
            if isNew, !settings.acceptsRollback,
                let loss = settings.memory?.loss(of: target.repositoryName, in: root)
            {
                throw loss
            }
            var repository = try root.makeRepository(forDatabaseAt: target.relativePath)
            repository.fileSystem = slots.calls(.ofRepositories)
            repository.memory = settings.memory
            repository.memory?.fileSystem = slots.calls(.system)
            repository.acceptsRollback = settings.acceptsRollback
            repository.keepsFormat = settings.keepsFormat
            repository.takesOtherDatabases = settings.takesOtherDatabases
            repository.readsUnchangedFiles = settings.readsUnchangedFiles
            repository.storedKeyrings = settings.storedKeyrings
            repository.unlockers = unlocker.map { [$0] } ?? []
            if let recent = try recent(in: repository) {
                outcome = .recent(recent)
            } else {
                outcome = .done(
                    try backUp(target.file, to: repository) { progress in
                        try cancellation.check()
                        if progress.phase == .storing { note(progress.completedByteCount) }
                    })
            }
        } catch {
            // What is refused leaves no repository that a monitor would miss a backup in.
            if isNew { root.removeUnusedRepository(forDatabaseAt: target.relativePath) }
            outcome = .failed(Failure(describing: error))
        }
        return RootBackupResult(
            file: target.file, repository: target.repositoryName, outcome: outcome)
    }

    private func backUp(
        _ path: String, to repository: BackupRepository,
        progress: @escaping OperationProgress.Handler
    ) throws -> Backup {
        let key = try RotatedKey.reading(for: path) { try self.key(of: path) }
        return try RotatedKey.trying(key, of: path, unlocker.map { [$0] } ?? []) { key in
            try backUp(DatabaseFile(path: path, key: key), to: repository, progress: progress)
        }
    }

    private func backUp(
        _ plain: DatabaseFile, to repository: BackupRepository,
        progress: @escaping OperationProgress.Handler
    ) throws -> Backup {
        // Not all of many databases have the settings that are named.
        let file =
            try cipherSettings.typed.isEmpty ? plain : cipherSettings.found(for: plain) ?? plain
        if let store {
            return try repository.backUp(
                file, keys: store, tag: settings.tag, authenticating: settings.authenticating,
                full: settings.isFull, threads: 1, progress: progress)
        }
        return try repository.backUp(
            file, tag: settings.tag, authenticating: settings.authenticating,
            full: settings.isFull, authority: repository.authority(settings.authority),
            threads: 1, progress: progress)
    }

    private func key(of path: String) throws -> CipherKey {
        if let store { return try store.keyWithoutSettling(of: path) }
        if let unlocker, try Keyring.exists(for: path) {
            return try Keyring(of: path).unlock(with: unlocker)
        }
        guard let key else {
            throw Failure(
                .keyNeeded, "\(path) has no keyring, and no key is given",
                hint: "add --key-file PATH")
        }
        return key
    }

    /// The last backup, if it is so young that no other one is wanted.
    private func recent(in repository: BackupRepository) throws -> Backup? {
        guard let youngest = settings.youngest, let last = try repository.lastBackup() else {
            return nil
        }
        let age = Date().timeIntervalSince(last.date)
        return (-60...youngest.seconds).contains(age) ? last : nil
    }
}

/// What became of one database.
struct RootBackupResult: Sendable {
    enum Outcome: Sendable {
        case done(Backup)
        case recent(Backup)
        case failed(Failure)
    }

    let file: String
    /// The name of the repository; nil where it has none.
    let repository: String?
    let outcome: Outcome

    var failure: Failure? {
        guard case .failed(var failure) = outcome else { return nil }
        if !failure.message.contains(file) { failure.message = "\(file): \(failure.message)" }
        return failure
    }

    var text: String {
        switch outcome {
        case .done(let backup): backup.summary(of: file) + ", to \(repository ?? "")"
        case .recent(let backup):
            "\(file) has a recent backup: \(backup.number) (\(backup.id)) of \(backup.time)"
        case .failed: failure?.message ?? ""
        }
    }

    var json: JSONValue {
        var members = [
            JSONValue.Member("file", .string(file)),
            .init("repository", repository.map { .string($0) } ?? .null),
        ]
        switch outcome {
        case .done(let backup):
            members += [.init("outcome", .string("stored")), .init("backup", backup.json)]
        case .recent(let backup):
            members += [.init("outcome", .string("recent")), .init("backup", backup.json)]
        case .failed(let failure):
            members += [
                .init("outcome", .string("failed")),
                .init(
                    "error",
                    .object([
                        .init("code", .string(failure.exitCode.name)),
                        .init("exitCode", .integer(Int64(failure.exitCode.rawValue))),
                        .init("message", .string(failure.message)),
                    ])),
            ]
        }
        return .object(members)
    }
}
