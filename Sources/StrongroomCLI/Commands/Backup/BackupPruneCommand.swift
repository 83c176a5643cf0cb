import StrongroomBackup
import StrongroomCore

/// `strongroom backup prune REPO`
struct BackupPruneCommand: Command {
    private static let last = Option.value("keep-last", "N", help: "keep the newest N")
    private static let hourly = Option.value(
        "keep-hourly", "N", help: "keep the newest of each of the last N hours that have one")
    private static let daily = Option.value(
        "keep-daily", "N", help: "the same for days, of UTC")
    private static let weekly = Option.value(
        "keep-weekly", "N", help: "the same for weeks, from Monday")
    private static let monthly = Option.value("keep-monthly", "N", help: "the same for months")
    private static let yearly = Option.value("keep-yearly", "N", help: "the same for years")
    private static let tag = Option.value(
        "keep-tag", "WORD", repetition: .many, help: "keep all backups with the tag WORD")
    private static let dryRun = Option.flag(
        "dry-run", help: "show what would be removed, without changing anything")

    static let syntax = CommandSyntax(
        "backup prune", summary: "remove old backups by a retention policy and free their space",
        operands: [.repositoryOrRoot],
        options: [last, hourly, daily, weekly, monthly, yearly, tag, dryRun, .json],
        groups: [KeyOptions.ofBackup.group, RepositoryOptions.group],
        notes: [
            "A backup is kept if one of the rules keeps it. Removing a backup does not "
                + "affect the others. Days are in UTC.",
            "A signed repository needs a key of its backups, which signs the new head; "
                + "--dry-run needs none.",
            "The newest backup is the one that was made last, whatever its date. Periods "
                + "are counted back from it, by the dates of the backups.",
        ],
        examples: [
            .init(
                line: "strongroom backup prune /backup/shop --keep-last 7 --keep-daily 14 "
                    + "--keep-weekly 8 --keep-monthly 12 --key-file shop.key",
                meaning: "keep fewer of the older backups")
        ])

    private let path: String
    private let policy: RetentionPolicy
    private let keySource: KeySource?
    private let repositoryOptions: RepositoryOptions
    private let changesNothing: Bool
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        func number(_ option: Option) throws(Failure) -> Int {
            guard let text = arguments.value(option) else { return 0 }
            guard let number = Int(text), (0...1_000_000).contains(number) else {
                throw .usage("--\(option.name) needs a number")
            }
            return number
        }
        policy = RetentionPolicy(
            last: try number(Self.last), hourly: try number(Self.hourly),
            daily: try number(Self.daily), weekly: try number(Self.weekly),
            monthly: try number(Self.monthly), yearly: try number(Self.yearly),
            tags: Set(arguments.values(Self.tag)))
        guard policy != RetentionPolicy() else {
            throw .usage("no rule for what to keep is given", hint: "for example: --keep-last 7")
        }
        keySource = try KeyOptions.ofBackup.optionalSource(in: arguments)
        repositoryOptions = try RepositoryOptions(arguments)
        changesNothing = arguments.contains(Self.dryRun)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let set = try RepositorySet(path, repositoryOptions, in: context)
        let key = try keySource.map {
            try KeyReader(context: context).key(from: $0, for: .opening(path: path))
        }
        try set.forEach(changesNothing ? "can be pruned" : "are pruned", in: context) {
            try prune($1, $0, key, in: context)
        }
    }

    private func prune(
        _ repository: BackupRepository, _ member: BackupRoot.Member?, _ key: CipherKey?,
        in context: CommandContext
    ) throws {
        let work = CommandProgress(context: context, title: "pruning")
        let report = try work.run { progress in
            try repository.prune(
                keeping: policy, key: key, dryRun: changesNothing, progress: progress)
        }
        let output = context.output
        for notice in report.notices { context.warn(notice) }
        if report.missingByteCount > 0 {
            context.warn(
                "the disk was too full to free everything that is no longer needed",
                hint: "free \(ByteCount.text(report.missingByteCount)), and prune again")
        }
        if writesJSON { return try output.writeLine(json(report).text(of: member)) }
        // A plan is what a dry run is asked for.
        guard changesNothing || context.verbosity != .quiet else { return }
        for backup in report.removed {
            let verb = changesNothing ? "would remove" : "removed"
            try output.writeLine("\(verb) backup \(backup.number) (\(backup.id)) of \(backup.time)")
        }
        var text = member.map { VisibleText.text(of: $0.name) + ": " } ?? ""
        text += "\(report.kept.count) kept, \(report.removed.count) "
        text += changesNothing ? "would go" : "removed"
        if !changesNothing { text += ", \(ByteCount.text(max(0, report.freedByteCount))) freed" }
        try output.writeLine(text)
    }

    private func json(_ report: PruningReport) -> JSONValue {
        .object([
            .init("dryRun", .boolean(changesNothing)),
            .init("kept", .array(report.kept.map { .string($0.id) })),
            .init("removed", .array(report.removed.map { .string($0.id) })),
            .init("freedByteCount", .integer(report.freedByteCount)),
            .init("remainingByteCount", .integer(report.remainingByteCount)),
            .init("notices", .array(report.notices.map { .string($0) })),
        ])
    }
}
