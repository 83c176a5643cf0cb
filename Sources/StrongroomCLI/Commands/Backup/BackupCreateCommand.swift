import Strongroom
import StrongroomBackup

/// `strongroom backup create DATABASE --to REPO`
struct BackupCreateCommand: Command {
    private static let repository = Option.value(
        "to", "REPO", completion: .file, help: "the repository that gets the backup")
    private static let tag = Option.value("tag", "WORD", help: "a word of yours for the backup")
    private static let noAuthenticate = Option.flag(
        "no-authenticate", help: "do not authenticate pages with the key before they are stored")
    private static let full = Option.flag(
        "full", help: "store every page, and build on no other backup")
    private static let newAuthority = Option.flag(
        "new-authority", help: "sign from now on, though no key that has signed so far is left")
    private static let keepFormat = Option.flag(
        "keep-format", help: "leave a repository of the first format as it is, unsigned")

    static let syntax = CommandSyntax(
        "backup create", summary: "back up the pages of a database that changed, while it is used",
        operands: [.database],
        options: [repository, tag, noAuthenticate, full, newAuthority, keepFormat, .json],
        groups: [
            KeyOptions.current.group, KeyOptions.ofIntroducer.group, DatabaseSettings.group,
            RepositoryOptions.group,
        ],
        notes: [
            "The backup is the database as of one moment. In WAL mode other programs go on reading "
                + "and writing; with a rollback journal writers wait. Pages are stored as they are, "
                + "encrypted; only those that changed since the last backup are.",
            "Each page that is stored is authenticated with the key first: a damaged page is "
                + "refused. With --no-authenticate, which is faster, damage is stored as it is, and "
                + "found only by backup verify or restore with the key.",
            "What earlier backups have stored is used again if it is found whole: trees, tables and "
                + "the newest packs are looked at, not all pages. When backup verify finds damage, "
                + "--full makes a backup that does not depend on it.",
            "The key signs the repository, so that a host without it knows who has written it (verify "
                + "--authority). After a rotation, and for another database, a key that has signed "
                + "before introduces the new one, once: --introducer-key-file.",
            "An interrupted run leaves all earlier backups as they were. Two runs at once wait for "
                + "each other.",
        ],
        examples: [
            .init(
                line: "strongroom backup create shop.db --to /backup/shop --key-file shop.key",
                meaning: "back up, for instance every night")
        ])

    private let database: String
    private let path: String
    private let word: String?
    private let authenticating: Bool
    private let isFull: Bool
    private let beginsAnew: Bool
    private let keepsFormat: Bool
    private let introducer: KeySource?
    private let repositoryOptions: RepositoryOptions
    private let keySource: KeySource
    private let settings: DatabaseSettings
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        settings = try DatabaseSettings(arguments)
        database = arguments.operands[0]
        guard let path = arguments.value(Self.repository), !path.isEmpty else {
            throw .usage("--to REPO is missing", hint: "strongroom help backup create")
        }
        self.path = path
        word = arguments.value(Self.tag)
        authenticating = !arguments.contains(Self.noAuthenticate)
        isFull = arguments.contains(Self.full)
        keySource = try KeyOptions.current.source(in: arguments)
        beginsAnew = arguments.contains(Self.newAuthority)
        keepsFormat = arguments.contains(Self.keepFormat)
        introducer = try KeyOptions.ofIntroducer.optionalSource(in: arguments)
        guard !beginsAnew || introducer == nil else {
            throw .usage("a key that is introduced does not begin anew", hint: "give one of both")
        }
        repositoryOptions = try RepositoryOptions(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        try DatabasePrecheck.encrypted(database)
        var repository = try repositoryOptions.repository(at: path, in: context)
        repository.keepsFormat = keepsFormat
        let reader = KeyReader(context: context)
        let key = try reader.key(from: keySource, for: .opening(path: database))
        let authority = try authority(reader)
        let backup = try CommandProgress(context: context, title: "storing").run { progress in
            try settings.opening(database, key, context) { [repository] file in
                try repository.backUp(
                    file, tag: word, authenticating: authenticating, full: isFull,
                    authority: authority, progress: progress)
            }
        }
        for notice in backup.notices { context.warn(notice) }
        try TransferResult.finishing("backup \(backup.id) is complete") { () throws(Failure) in
            try context.output.writeLine(
                writesJSON ? backup.json.indentedText : text(of: backup))
            try context.output.flush()
        }
    }

    private func authority(_ reader: KeyReader) throws -> BackupAuthority {
        if beginsAnew { return .newBeginning }
        return try introducer.map {
            .introduced(by: try reader.key(from: $0, for: .opening(path: path)))
        } ?? .known
    }

    private func text(of backup: Backup) -> String {
        let stored = "\(backup.storedPageCount) of \(backup.pageCount) pages stored"
        let size = ByteCount.text(backup.storedByteCount)
        let kind = backup.base.map { "since backup \($0)" } ?? "a full backup"
        let line =
            "backup \(backup.number) (\(backup.id)) of \(database): \(stored), \(size), \(kind)"
        return backup.madeWritersWait == true
            ? line + "; it has a rollback journal, so that writers wait during a backup" : line
    }
}
