import StrongroomBackup
import StrongroomCore
import StrongroomKeyrings

/// `strongroom key shred FILE`
struct KeyShredCommand: Command {
    private static let repository = Option.value(
        "repository", "REPO", completion: .folder, repetition: .many,
        help: "also delete the keyrings in this backup repository; may be repeated")
    private static let confirm = Option.value(
        "confirm", "NAME", help: "the name of the file, instead of being asked to type it")

    static let syntax = CommandSyntax(
        "key shred",
        summary: "delete a keyring permanently, which makes database and backups unreadable",
        operands: [.database], options: [repository, confirm, KeyOptions.audit],
        notes: [
            "Without its keyring, no one can read a database with a random key, or its "
                + "backups. Deletes the keyring and those that the repositories have stored, overwrites "
                + "the file where the file system lets it, and lists what it could not reach. Other "
                + "copies of the keyring, and keys that were exported, still open the database.",
            "A database whose key was kept when it got its keyring is refused: rotate it first.",
        ],
        examples: [
            .init(
                line: "strongroom key shred tenant.db --repository /backup/tenant",
                meaning: "erase a tenant")
        ])

    private let path: String
    private let repositories: [String]
    private let confirmed: String?
    private let audit: AuditLog?

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        repositories = arguments.values(Self.repository)
        confirmed = arguments.value(Self.confirm)
        audit = AuditLog(arguments)
    }

    func run(in context: CommandContext) throws {
        try audit.noting("shred", path) { try work(in: context) }
    }

    private func work(in context: CommandContext) throws {
        let keyring = try Keyring(of: path)
        guard !keyring.keys.contains(where: { $0.origin == .imported }) else {
            throw Failure(
                .failed, "the key that \(path) had before its keyring still opens it",
                hint: "strongroom rotate-key \(ShellWord.text(path)) ends that")
        }
        try confirm(context)
        var unreached: [Failure] = []
        // The copies first: this one tells which they are.
        for place in repositories {
            do {
                let count = try BackupRepository(path: place).removeKeyrings(of: keyring.identifier)
                try context.writeDone("\(count) keyrings are deleted in \(place)")
            } catch {
                let failure = Failure(describing: error)
                context.report(failure)
                unreached.append(failure)
            }
        }
        let blocks = try keyring.shred()
        try context.writeDone("\(keyring.path) is deleted: \(blocks.text(of: "its"))")
        if repositories.count > unreached.count {
            context.note(
                "backup status and verify fail for the repositories that have its backups, until these are "
                    + "forgotten (backup forget --newest, with a key that signs), or the repository is removed and "
                    + "that is accepted once (--accept-rollback)")
        }
        guard unreached.isEmpty else {
            throw Failure(
                .failed,
                "the keyrings of \(unreached.count) of \(repositories.count) repositories "
                    + "were not deleted, and still open the database",
                hint: "delete the folder keyrings in each of them")
        }
        context.note(
            "other copies of the keyring, backups elsewhere, and exported keys still open the database"
        )
    }

    private func confirm(_ context: CommandContext) throws {
        let name = path.splitAtLastSlash.name
        if let confirmed {
            guard confirmed == name else {
                throw Failure.usage("--confirm needs the name of the file: \(name)")
            }
            return
        }
        let typed = try context.askSecret(
            "This makes \(path) and its backups unreadable permanently. To continue, type its name, \(name): "
        )
        guard typed.withUnsafeBytes({ $0.elementsEqual(name.utf8) }) else {
            throw Failure(.failed, "that is not the name; nothing was changed")
        }
    }
}
