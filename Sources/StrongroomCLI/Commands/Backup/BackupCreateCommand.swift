import StrongroomBackup
import StrongroomCore
import StrongroomKeyrings

/// `strongroom backup create FILE... --to REPO`
struct BackupCreateCommand: Command {
    private static let repository = Option.value(
        "to", "REPO", completion: .folder,
        help:
            "the repository for the backup, a folder or a URL; for a folder or several files, "
            + "the folder of repositories")
    private static let tag = Option.value("tag", "WORD", help: "label the backup with WORD")
    private static let noAuthenticate = Option.flag(
        "no-authenticate", help: "store pages without authenticating them with the key first")
    private static let full = Option.flag(
        "full", help: "store every page, independent of earlier backups")
    private static let readAll = Option.flag(
        "read-all", help: "read the database even if its file looks unchanged")
    private static let another = Option.flag(
        "another-database", help: "add a second database to a repository that has one")
    private static let jobs = JobCount.option("back up N databases in parallel")
    private static let skipNewer = Option.value(
        "skip-newer", "AGE",
        help: "skip databases whose latest backup is younger than AGE, such as 6h")
    private static let exclude = Option.value(
        "exclude", "PATTERN", completion: .file, repetition: .many,
        help: "in folders, leave out files whose name or path matches, such as '*.bak'")
    private static let keyring = Option.value(
        "keyring", "WHAT", completion: .words(StoredKeyrings.allCases.map(\.rawValue)),
        help:
            "what to store of the keyring: all, strong (no passphrase slots) or none (default: all)"
    )
    private static let newAuthority = Option.flag(
        "new-authority",
        help: "start over with this key as the signer, when no earlier signing key is left")
    private static let keepFormat = Option.flag(
        "keep-format", help: "leave a repository of the first format as it is, unsigned")

    static let syntax = CommandSyntax(
        "backup create",
        summary: "back up databases, even while in use, storing only changed pages",
        operands: [
            Operand(
                "FILE", isRepeated: true,
                help: "an encrypted database, or a folder: all encrypted databases in it")
        ],
        options: [
            repository, KeyStoreOption.option, tag, noAuthenticate, full, readAll, another, jobs,
            skipNewer, exclude, keyring, newAuthority, keepFormat, .json,
        ],
        groups: [
            KeyOptions.signing.group, KeyOptions.ofIntroducer.group, DatabaseSettings.group,
            RepositoryOptions.group,
        ],
        notes: [
            "The backup is the state of the database at one moment. In WAL mode, other "
                + "programs can read and write meanwhile; with a rollback journal, writers "
                + "wait. Pages are stored encrypted, as they are, and only those that changed "
                + "since the last backup.",
            "Each page is authenticated with the key before it is stored, and a damaged "
                + "page is refused. --no-authenticate is faster, but stores damage as it is: "
                + "only backup verify or restore with the key finds it.",
            "Data of earlier backups is used again if it is intact. Each run reads the trees, "
                + "sizes, tables, the newest packs and the next 1/64 of the older ones, and "
                + "stores damaged data again. backup repair also repairs earlier backups.",
            "No page is read if the file and the log have the same number, size, times "
                + "and first page as at the last backup, as this host remembers them (--state). "
                + "--read-all reads everything, and finds changes that the file system does not "
                + "show.",
            "A folder, or several files, are backed up to a folder of repositories: one "
                + "for each database, created if it does not exist, and named after the path of "
                + "the database below the folder. Exit status 0 only if nothing was left out; "
                + "after an interruption, run the same command again.",
            "The key signs the repository, so that a host without it knows who "
                + "wrote it (verify --authority). After a rotation, and for another database, "
                + "a key that already signs must introduce the new one once: "
                + "--introducer-key-file. With --keys, an earlier key of the key store does so.",
            "An interrupted run leaves all earlier backups as they were. Two runs at the "
                + "same time wait for each other.",
        ],
        examples: [
            .init(
                line: "strongroom backup create shop.db --to /backup/shop --key-file shop.key",
                meaning: "back up, for example every night"),
            .init(
                line:
                    "strongroom backup create /srv/shops --to /backup --key-file shop.key --jobs 4",
                meaning: "back up all databases in a folder"),
            .init(
                line:
                    "strongroom backup create shop.db --to sftp://backup@backup.example/srv/shop",
                meaning: "back up to another host"),
        ])

    let paths: [String]
    let path: String
    let word: String?
    let authenticating: Bool
    let isFull: Bool
    let readsUnchangedFiles: Bool
    let takesOtherDatabases: Bool
    let storedKeyrings: StoredKeyrings
    let jobCount: Int
    let youngest: Age?
    let excluded: [String]
    private let beginsAnew: Bool
    let keepsFormat: Bool
    private let introducer: KeySource?
    let repositoryOptions: RepositoryOptions
    let keySource: KeySource
    let keyStore: KeyStoreOption
    let settings: DatabaseSettings
    let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        settings = try DatabaseSettings(arguments)
        paths = arguments.operands
        guard let path = arguments.value(Self.repository), !path.isEmpty else {
            throw .usage(
                "--to REPO is missing",
                hint: WrongForm.hint(for: paths, of: Self.syntax) ?? "strongroom help backup create"
            )
        }
        self.path = path
        word = arguments.value(Self.tag)
        authenticating = !arguments.contains(Self.noAuthenticate)
        isFull = arguments.contains(Self.full)
        readsUnchangedFiles = arguments.contains(Self.readAll)
        takesOtherDatabases = arguments.contains(Self.another)
        jobCount = try JobCount.number(arguments.value(Self.jobs))
        excluded = arguments.values(Self.exclude)
        let stored = arguments.value(Self.keyring)
        guard let what = StoredKeyrings(rawValue: stored ?? StoredKeyrings.all.rawValue) else {
            throw .usage("--keyring needs all, strong or none")
        }
        storedKeyrings = what
        let age = arguments.value(Self.skipNewer)
        youngest = age.flatMap { Age($0) }
        guard age == nil || youngest != nil else {
            throw .usage("--skip-newer needs an age: \(Age.form)")
        }
        keySource = try KeyOptions.current.source(in: arguments)
        beginsAnew = arguments.contains(Self.newAuthority)
        keepsFormat = arguments.contains(Self.keepFormat)
        introducer = try KeyOptions.ofIntroducer.optionalSource(in: arguments)
        keyStore = try KeyStoreOption(arguments)
        if keyStore.isGiven, beginsAnew || introducer != nil {
            throw .usage(
                "--keys already introduces the key",
                hint: "leave out --keys, or the other option")
        }
        guard !beginsAnew || introducer == nil else {
            throw .usage("an introduced key needs no --new-authority", hint: "give one of them")
        }
        repositoryOptions = try RepositoryOptions(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let isOne = paths.count == 1 && FolderEntry(paths[0])?.kind != .folder
        let hasRoot = (try? BackupRoot(path: path).members().isEmpty) == false
        guard isOne, !hasRoot else { return try backUpAll(in: context) }
        try backUp(paths[0], in: context)
    }

    private func backUp(_ database: String, in context: CommandContext) throws {
        try DatabasePrecheck.encrypted(database)
        var repository = try repositoryOptions.repository(at: path, in: context)
        repository.keepsFormat = keepsFormat
        repository.takesOtherDatabases = takesOtherDatabases
        repository.readsUnchangedFiles = readsUnchangedFiles
        repository.storedKeyrings = storedKeyrings
        let reader = KeyReader(context: context)
        let store = try keyStore.store(for: database, reader)
        let (key, unlockers) = try RotatedKey.reading(for: database) {
            try self.key(of: database, store, reader)
        }
        repository.unlockers = unlockers
        let authority = try repository.authority(authority(reader))
        let backup = try explainingKey(store, database, repository) {
            try CommandProgress(context: context, title: "storing").run { progress in
                try RotatedKey.trying(key, of: database, unlockers) { [repository] key in
                    try settings.opening(database, key, context) { [repository] file in
                        if let store {
                            return try repository.backUp(
                                file, keys: store, tag: word, authenticating: authenticating,
                                full: isFull, progress: progress)
                        }
                        return try repository.backUp(
                            file, tag: word, authenticating: authenticating, full: isFull,
                            authority: authority, progress: progress)
                    }
                }
            }
        }
        for notice in backup.notices { context.warn(notice) }
        try TransferResult.finishing("backup \(backup.id) is complete") { () throws(Failure) in
            try context.writeDone(
                text(of: backup, database), orJSON: writesJSON ? backup.json.withRequests : nil)
            try context.output.flush()
        }
    }

    /// Which key of a store a database has that its current key does not open; or that its keyring is lost.
    private func explainingKey<Result>(
        _ store: KeyStore?, _ database: String, _ repository: BackupRepository,
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            var failure = Failure(describing: error)
            guard failure.exitCode == .wrongKey else { throw error }
            if let store { throw store.explaining(failure, of: [database]) }
            guard let keyrings = try? repository.keyrings(), !keyrings.isEmpty,
                (try? Keyring.exists(for: database)) == false
            else { throw error }
            failure.hint =
                "\(database) has no keyring, and \(path) has keyrings of earlier backups: if that of "
                + "\(database) was lost, restore a backup to another name, and copy the keyring that is written "
                + "with it to \(database)-keyring"
            throw failure
        }
    }

    func authority(_ reader: KeyReader) throws -> BackupAuthority {
        if beginsAnew { return .newBeginning }
        guard let introducer else { return .known }
        let keys = try reader.keys(from: introducer, for: .opening(path: path))
        return keys.count == 1 ? .introduced(by: keys[0]) : .introducedByOneOf(keys)
    }

    /// The key of a database, and the secrets by which its keyring may have given it.
    private func key(
        of database: String, _ store: KeyStore?, _ reader: KeyReader
    ) throws -> (key: CipherKey, unlockers: [Unlocker]) {
        if let store { return (try store.keyWithoutSettling(of: database), []) }
        let role = KeyReader.Role.opening(path: database)
        if case .unlockCommand = keySource {
            return (try reader.key(from: keySource, for: role), [])
        }
        let secrets = try reader.secrets(from: keySource, for: role)
        let key =
            keySource.keyPaths == nil
            ? try reader.unlocked(secrets[0], for: role)
            : try reader.key(from: keySource, for: role)
        return (key, secrets.map { reader.unlocker($0) })
    }

    private func text(of backup: Backup, _ database: String) -> String {
        let line = backup.summary(of: database)
        return backup.madeWritersWait == true
            ? line + "; it has a rollback journal, so that writers wait during a backup" : line
    }
}

extension Backup {
    /// What was stored, on one line.
    func summary(of database: String) -> String {
        let stored = "\(storedPageCount) of \(pageCount) pages stored"
        let size = ByteCount.text(storedByteCount)
        let kind = base.map { "since backup \($0)" } ?? "a full backup"
        return "backup \(number) (\(id)) of \(database): \(stored), \(size), \(kind)"
    }
}
