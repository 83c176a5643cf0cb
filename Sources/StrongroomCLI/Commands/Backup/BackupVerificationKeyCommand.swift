import StrongroomBackup
import StrongroomCore
import StrongroomEssentials

/// `strongroom backup verification-key REPO [ID]`
struct BackupVerificationKeyCommand: Command {
    static let syntax = CommandSyntax(
        "backup verification-key",
        summary: "print the key that verifies backups but cannot decrypt them",
        operands: [.repository, .backupName],
        groups: [KeyOptions.current.group, RepositoryOptions.group],
        notes: [
            "Give it to the machine that verifies. It changes with each rotation of the "
                + "database key. Its holder could forge backups, but can read none."
        ],
        examples: [
            .init(
                line: "strongroom backup verification-key /backup/shop --key-file shop.key",
                meaning: "print it")
        ])

    private let path: String
    private let name: String?
    private let keySource: KeySource
    private let repositoryOptions: RepositoryOptions

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        name = arguments.operand(1)
        keySource = try KeyOptions.current.source(in: arguments)
        repositoryOptions = try RepositoryOptions(arguments)
    }

    func run(in context: CommandContext) throws {
        let repository = try repositoryOptions.repository(at: path, in: context)
        let keys = try BackupSecrets(keySource, for: path, KeyReader(context: context))
            .keys(in: repository)
        let fitting = try keys.count == 1 ? keys[0] : repository.key(of: name, among: keys).key
        let verificationKey = try repository.verificationKey(of: fitting, for: name)
        try context.output.writeLine(VerificationKeyFile.text(verificationKey))
    }
}
