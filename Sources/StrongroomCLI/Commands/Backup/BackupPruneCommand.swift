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
                + "--dry-run needs none, but tries one that is given. If you give several key "
                + "files or a folder, each repository gets the one that fits.",
            "The newest backup is the one that was created last, whatever its date. Periods "
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
        let secrets = try keySource.map {
            try BackupSecrets($0, for: path, KeyReader(context: context))
        }
        try set.forEach(changesNothing ? "can be pruned" : "are pruned", in: context) {
            try prune($1, $0, secrets, in: context)
        }
    }

    private func prune(
        _ repository: BackupRepository, _ member: BackupRoot.Member?, _ secrets: BackupSecrets?,
        in context: CommandContext
    ) throws {
        let work = CommandProgress(context: context, title: "pruning")
        let keys = try secrets?.keys(in: repository) ?? []
        let report = try repository.explainingWrongKey {
            try work.run { progress in
                try repository.prune(
                    keeping: policy, keys: keys, dryRun: changesNothing, progress: progress)
            }
        }
        try report.write(
            of: member, isPlan: changesNothing, asJSON: writesJSON, in: context)
    }
}
