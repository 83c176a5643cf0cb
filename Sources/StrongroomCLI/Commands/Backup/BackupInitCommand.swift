import StrongroomBackup
import StrongroomCore

/// `strongroom backup init REPO`
struct BackupInitCommand: Command {
    static let syntax = CommandSyntax(
        "backup init", summary: "create an empty backup repository",
        operands: [.repository],
        groups: [RepositoryOptions.group],
        notes: [
            "A repository is a folder of plain files, as encrypted as the database "
                + "itself, so you can copy it with rsync, rclone or any other tool. Use one for "
                + "each database.",
            "On another host, it has a URL: sftp://USER@HOST/PATH, where ssh logs in without "
                + "a password; rclone:REMOTE:PATH, for whatever rclone can reach; or "
                + "exec:COMMAND, for any program that speaks SFTP on its standard input and "
                + "output. If the server cannot give every guarantee of a folder, a warning says "
                + "which is missing.",
        ],
        examples: [
            .init(line: "strongroom backup init /backup/shop", meaning: "create one"),
            .init(
                line: "strongroom backup init sftp://backup@backup.example/srv/shop",
                meaning: "create one on another host"),
        ])

    private let path: String
    private let options: RepositoryOptions

    init(_ arguments: ParsedArguments) throws(Failure) {
        options = try RepositoryOptions(arguments)
        path = arguments.operands[0]
    }

    func run(in context: CommandContext) throws {
        let memory = options.memory(in: context)
        if !options.acceptsRollback, !BackupRoot.isRepository(path),
            let loss = memory?.loss(at: path)
        {
            throw loss
        }
        let repository = try BackupRepository.create(at: path)
        let notices = try repository.rememberAsNew(in: memory)
        for notice in notices { context.warn(notice) }
        try context.writeDone("created the repository \(path)")
    }
}
