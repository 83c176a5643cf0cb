import StrongroomBackup
import StrongroomCore

/// `strongroom backup forget REPO ID…`
struct BackupForgetCommand: Command {
    private static let newest = Option.flag(
        "newest", help: "remove even the newest backup of a database")
    private static let dryRun = Option.flag(
        "dry-run", help: "show what would be removed, without changing anything")

    static let syntax = CommandSyntax(
        "backup forget", summary: "remove single backups, such as damaged ones",
        operands: [
            .repository,
            Operand(
                "ID", completion: .nothing, isRepeated: true,
                help: "backups to remove, by their numbers or IDs as list has them"),
        ],
        options: [newest, dryRun, .json],
        groups: [KeyOptions.ofBackup.group, RepositoryOptions.group],
        notes: [
            "For backups that backup verify finds damaged, and that backup repair cannot "
                + "repair. What other backups need stays. Backups with the same damaged page "
                + "have to be removed in one command. A backup whose manifest is damaged is "
                + "removed by its number; only their keys vouch for earlier ones then.",
            "Afterwards, run backup verify, with the key if that has found the damage: "
                + "backup status then reports no damage any more.",
            "A signed repository needs a key of its backups, which signs the new head.",
        ],
        examples: [
            .init(
                line: "strongroom backup forget /backup/shop 12 --key-file shop.key",
                meaning: "remove backup 12")
        ])

    private let path: String
    private let names: [String]
    private let keySource: KeySource?
    private let repositoryOptions: RepositoryOptions
    private let includesNewest: Bool
    private let changesNothing: Bool
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        names = Array(arguments.operands.dropFirst())
        keySource = try KeyOptions.ofBackup.optionalSource(in: arguments)
        repositoryOptions = try RepositoryOptions(arguments)
        includesNewest = arguments.contains(Self.newest)
        changesNothing = arguments.contains(Self.dryRun)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let repository = try repositoryOptions.repository(at: path, in: context)
        let keys = try keySource.map {
            try BackupSecrets($0, for: path, KeyReader(context: context)).keys(in: repository)
        }
        let work = CommandProgress(context: context, title: "pruning")
        let report = try repository.explainingWrongKey {
            try work.run { progress in
                try repository.forget(
                    names, keys: keys ?? [], newest: includesNewest, dryRun: changesNothing,
                    progress: progress)
            }
        }
        try report.write(of: nil, isPlan: changesNothing, asJSON: writesJSON, in: context)
    }
}
