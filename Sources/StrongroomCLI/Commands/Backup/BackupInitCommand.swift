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

    func run(in context: CommandContext) throws {
        _ = try BackupRepository.create(at: path)
        try context.output.writeLine("made the repository \(path)")
    }
}
