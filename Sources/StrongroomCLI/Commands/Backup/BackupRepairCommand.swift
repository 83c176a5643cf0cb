import StrongroomBackup
import StrongroomCore

/// `strongroom backup repair REPO`
struct BackupRepairCommand: Command {
    private static let copy = Option.value(
        "from", "COPY", completion: .file,
        help: "another copy of the repository; it is only read")
    private static let database = Option.value(
        "database", "FILE", completion: .file,
        help: "the database that is backed up; needs its key")
    private static let dryRun = Option.flag(
        "dry-run", help: "show what could be repaired, without changing anything")
    private static let rebuildHead = Option.flag(
        "rebuild-head",
        help:
            "write a lost head again from the backups that are there; needs the key of the last one"
    )

    static let syntax = CommandSyntax(
        "backup repair", summary: "repair a damaged repository from a copy or from the database",
        operands: [.repository],
        options: [copy, database, rebuildHead, dryRun, .json],
        groups: [
            KeyOptions.ofBackup.group, DatabaseSettings.group, RepositoryOptions.group,
        ],
        notes: [
            "Files are named after their content, so only exactly the bytes that were "
                + "there can replace damaged ones. A copy may have any of them; the database "
                + "has each page that did not change since, and repairs earlier backups with "
                + "it. At the end, the database is backed up.",
            "Nothing is removed, and no backup gets worse: a backup that cannot be "
                + "restored stays, with its intact parts. Without --from and --database, the "
                + "damage is only reported. A damaged head is not repaired: copy it from another "
                + "copy of the repository.",
            "Without such a copy, --rebuild-head writes a lost head again. A backup is kept if "
                + "nothing of it is missing, also one that was pruned. Only the key of the last "
                + "backup signs from then on: introduce others again, and if a key was exposed, "
                + "run backup rekey again.",
            "Exit status 0 only if all backups are intact.",
        ],
        examples: [
            .init(
                line: "strongroom backup repair /backup/shop --from /mnt/copy/shop",
                meaning: "repair it from another copy"),
            .init(
                line:
                    "strongroom backup repair /backup/shop --database shop.db --key-file shop.key",
                meaning: "repair it from the database, and back that up"),
        ])

    let path: String
    private let copy: String?
    private let database: String?
    private let rebuildsHead: Bool
    let changesNothing: Bool
    let keySource: KeySource?
    private let settings: DatabaseSettings
    private let options: RepositoryOptions
    let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        copy = arguments.value(Self.copy)
        database = arguments.value(Self.database)
        changesNothing = arguments.contains(Self.dryRun)
        let source = try KeyOptions.ofBackup.optionalSource(in: arguments)
        rebuildsHead = arguments.contains(Self.rebuildHead)
        guard database != nil || rebuildsHead || source == nil else {
            throw .usage(
                "a key is given, but no --database", hint: "--database FILE")
        }
        guard !rebuildsHead || copy == nil && database == nil else {
            throw .usage(
                "--rebuild-head uses neither a copy nor the database",
                hint: "first write the head again, then repair the rest")
        }
        if rebuildsHead, case .unlockCommand = source {
            throw .usage(
                "--rebuild-head needs the key of the last backup, or another secret of its keyring",
                hint: "--key-file PATH, or type a recovery code at the prompt")
        }
        keySource = source
        settings = try DatabaseSettings(arguments)
        options = try RepositoryOptions(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        if let database { try DatabasePrecheck.encrypted(database) }
        let repository = try options.repository(
            at: path, lackingHead: rebuildsHead, in: context)
        if rebuildsHead { return try rebuildHead(of: repository, in: context) }
        let copy = try copy.map { try BackupRepository(path: $0) }
        let file = try database.map { database in
            let key = try KeyReader(context: context)
                .key(from: keySource ?? .terminal, for: .opening(path: database))
            let file = DatabaseFile(path: database, key: key)
            return try settings.named(for: file) ?? file
        }
        let work = CommandProgress(context: context, title: "repairing")
        let report = try work.run { progress in
            try repository.repair(
                from: copy, database: file, dryRun: changesNothing, progress: progress)
        }
        for notice in report.notices { context.warn(notice) }
        if writesJSON || changesNothing || !report.isSound || context.verbosity != .quiet {
            try write(report, to: context.output)
        }
        if let failure = failure(report) { throw failure }
    }

    /// What is damaged afterwards, or, in a dry run, as nothing was changed.
    private func failure(_ report: RepairReport) -> Failure? {
        guard !report.isSound else { return nil }
        let numbers = report.after.damagedBackups.sorted().map(String.init)
        let damage =
            numbers.isEmpty
            ? "\(path) is damaged, though every backup can be restored"
            : "\(path) is damaged: \(numbers.count == 1 ? "backup" : "backups") "
                + "\(numbers.joined(separator: ", ")) cannot be restored"
        if changesNothing, !report.repairedFiles.isEmpty {
            return Failure(
                .damaged, "\(damage); nothing was changed",
                hint:
                    "the same command without --dry-run repairs what is listed above; its exit status "
                    + "is 0 if all backups are then intact")
        }
        return Failure(
            .damaged, changesNothing ? "\(damage), and none of the damage can be repaired" : damage,
            hint: copy == nil
                ? "try to repair it from another copy of the repository: --from COPY"
                : "strongroom backup verify \(ShellWord.text(path)) lists the damage")
    }

    private func write(_ report: RepairReport, to output: TextOutput) throws {
        if writesJSON { return try output.writeLine(json(report).indentedText) }
        for line in ProblemList.lines(report.before.problems.map(\.message)) {
            try output.writeLine(line)
        }
        let verb = changesNothing ? "could be repaired" : "repaired"
        for file in report.repairedFiles { try output.writeLine("\(verb): \(file)") }
        if let backup = report.newBackup {
            try output.writeLine(backup.summary(of: database ?? ""))
        }
        var text = "\(Self.count(report.repairedFiles.count, "file")) \(verb)"
        if !changesNothing {
            text += ", \(Self.count(report.healedBackups.count, "backup")) healed"
        }
        try output.writeLine(text)
        try output.flush()
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    private func json(_ report: RepairReport) -> JSONValue {
        func numbers(_ numbers: Set<Int>) -> JSONValue {
            .array(numbers.sorted().map { .integer(Int64($0)) })
        }
        return .object([
            .init("dryRun", .boolean(changesNothing)),
            .init("sound", .boolean(report.isSound)),
            .init("damagedBefore", numbers(report.before.damagedBackups)),
            .init("damagedBackups", numbers(report.after.damagedBackups)),
            .init("repairedFiles", .array(report.repairedFiles.map { .string($0) })),
            .init("repairedEntryCount", .integer(Int64(report.repairedEntryCount))),
            .init("newBackup", report.newBackup?.json ?? .null),
            .init("notices", .array(report.notices.map { .string($0) })),
        ])
    }
}
