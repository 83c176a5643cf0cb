import StrongroomBackup
import StrongroomCore

/// `strongroom backup rekey REPO`
struct BackupRekeyCommand: Command {
    static let syntax = CommandSyntax(
        "backup rekey", summary: "re-encrypt backups after a key was exposed",
        operands: [.repository],
        options: [.json],
        groups: [KeyOptions.signing.group, KeyOptions.new.group, RepositoryOptions.group],
        notes: [
            "Every kept backup that the key opens is encrypted anew; dates and tags stay, numbers "
                + "and IDs change. The old pages go. Copies of the repository elsewhere keep them "
                + "until they are brought up to date: delete what is deleted here there too.",
            "From now on the new key signs the repository, and the old one no more: a host that "
                + "trusts the old one goes on (verify --authority).",
            "It does not touch the database: strongroom rotate-key changes its key.",
        ],
        examples: [
            .init(
                line: "strongroom backup rekey /backup/shop --key-file leaked.key "
                    + "--new-key-file new.key",
                meaning: "take the leaked key out of use")
        ])

    private let path: String
    private let keySources: KeySourcePair
    private let repositoryOptions: RepositoryOptions
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        keySources = try KeySourcePair(.new, in: arguments)
        repositoryOptions = try RepositoryOptions(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let repository = try repositoryOptions.repository(at: path, in: context)
        let reader = KeyReader(context: context)
        let key = try reader.key(from: keySources.current, for: .opening(path: path))
        let newKey = try reader.key(from: keySources.new ?? .terminal, for: .making(path: path))
        guard !key.isSame(as: newKey) else {
            throw Failure(.sameKey, path, "the new key equals the leaked key")
        }
        let work = CommandProgress(context: context, title: "encrypting")
        let backups = try work.run { progress in
            try repository.rekey(from: key, to: newKey, progress: progress)
        }
        for notice in backups.flatMap(\.notices) { context.warn(notice) }
        if writesJSON {
            return try context.output.writeLine(
                JSONValue.array(backups.map(\.json)).indentedText)
        }
        let count = backups.count == 1 ? "1 backup has" : "\(backups.count) backups have"
        try context.writeDone("\(count) the new key")
    }
}
