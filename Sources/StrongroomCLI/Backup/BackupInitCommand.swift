import Strongroom
import StrongroomBackup

/// `strongroom backup init REPO`
struct BackupInitCommand: Command {
    static let syntax = CommandSyntax(
        "backup init", summary: "make an empty backup repository",
        operands: [.repository],
        notes: [
            "A repository is a folder of plain files, as encrypted as the database itself: it can "
                + "be copied with rsync, rclone or any other tool. Use one for each database."
        ],
        examples: [.init(line: "strongroom backup init /backup/shop", meaning: "make one")])

    private let path: String

    init(_ arguments: ParsedArguments) {
        path = arguments.operands[0]
    }

    func run(in surroundings: Surroundings) throws {
        _ = try BackupRepository.create(at: path)
        try surroundings.output.writeLine("made the repository \(path)")
    }
}

/// `strongroom backup create DATABASE --to REPO`
struct BackupCreateCommand: Command {
    private static let repository = Option.value(
        "to", "REPO", completion: .file, help: "the repository that gets the backup")
    private static let tag = Option.value("tag", "WORD", help: "a word of yours for the backup")
    private static let noAuthenticate = Option.flag(
        "no-authenticate", help: "do not authenticate pages with the key before they are stored")
    private static let full = Option.flag(
        "full", help: "store every page, and build on no other backup")

    static let syntax = CommandSyntax(
        "backup create", summary: "back up the pages of a database that changed, while it is used",
        operands: [.database],
        options: [repository, tag, noAuthenticate, full, .json],
        groups: [KeyOptions.current.group, DatabaseSettings.group],
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
            "An interrupted run leaves the repository as it was. Two runs at once wait for each "
                + "other.",
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
        writesJSON = arguments.contains(.json)
    }

    func run(in surroundings: Surroundings) throws {
        try DatabasePrecheck.encrypted(database)
        let repository = try BackupRepository(path: path)
        let key = try KeyReader(surroundings: surroundings)
            .key(from: keySource, for: .opening(path: database))
        let backup = try LongWork(surroundings: surroundings, title: "storing").run { progress in
            try settings.opening(database, key) { file in
                try repository.backUp(
                    file, tag: word, authenticating: authenticating, full: isFull,
                    progress: progress)
            }
        }
        for notice in backup.notices { surroundings.warn(notice) }
        try TransferResult.finishing("backup \(backup.id) is complete") { () throws(Failure) in
            try surroundings.output.writeLine(
                writesJSON ? backup.json.indentedText : text(of: backup))
            try surroundings.output.flush()
        }
    }

    private func text(of backup: Backup) -> String {
        let stored = "\(backup.storedPageCount) of \(backup.pageCount) pages stored"
        let size = ByteCount.text(backup.storedByteCount)
        let kind = backup.base.map { "since backup \($0)" } ?? "a full backup"
        let line =
            "backup \(backup.number) (\(backup.id)) of \(database): \(stored), \(size), \(kind)"
        return backup.madeWritersWait == true
            ? line + "; writers waited: the database has a rollback journal" : line
    }
}

/// `strongroom backup list REPO`
struct BackupListCommand: Command {
    static let syntax = CommandSyntax(
        "backup list", summary: "list the backups of a repository, and which key each needs",
        operands: [.repository],
        options: [.json],
        notes: [
            "No key is needed. Backups with the same KEY are opened by the same key: it is an "
                + "identifier, and tells nothing of the key itself.",
            "The oldest state comes first, in the order in which backups were made, whatever their "
                + "dates. The last line is the backup that restore takes.",
        ],
        examples: [.init(line: "strongroom backup list /backup/shop", meaning: "list them")])

    private let path: String
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) {
        path = arguments.operands[0]
        writesJSON = arguments.contains(.json)
    }

    func run(in surroundings: Surroundings) throws {
        let backups = try BackupRepository(path: path).backups()
        if writesJSON {
            return try surroundings.output.writeLine(
                JSONValue.array(backups.map(\.json)).indentedText)
        }
        var table = TextTable(
            header: ["NO", "ID", "TIME (UTC)", "DATABASE", "SIZE", "STORED", "KEY", "TAG"],
            output: surroundings.output)
        for backup in backups {
            try table.append([
                .init(String(backup.number), isNumber: true), .init(backup.id),
                .init(backup.time), .init(VisibleText.text(of: backup.databaseName)),
                .init(ByteCount.text(backup.byteCount), isNumber: true),
                .init(ByteCount.text(backup.storedByteCount), isNumber: true),
                .init(String(backup.keyIdentifier.prefix(8))),
                .init(VisibleText.text(of: backup.tag ?? "")),
            ])
        }
        try table.finish()
        for backup in backups where backup.isDatedBack {
            surroundings.warn(
                "backup \(backup.number) has an earlier date than one of an earlier state",
                hint: "a clock was wrong; the order of the list is that of the states")
        }
        try writeSettings(of: backups, to: surroundings.output)
    }

    /// What SQLCipher has to be told beside the key, where settings are not the usual ones.
    private func writeSettings(of backups: [Backup], to output: TextOutput) throws {
        for (pragmas, members) in Dictionary(grouping: backups, by: \.cipherPragmas)
            .sorted(by: { $0.value[0].number < $1.value[0].number }) where !pragmas.isEmpty
        {
            let numbers = members.map { String($0.number) }.joined(separator: ", ")
            try output.writeLine(
                "settings of \(numbers): " + pragmas.map { $0 + ";" }.joined(separator: " "))
        }
    }
}
