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
            "If one of the repositories cannot be read, nothing is deleted. The keyring next to the "
                + "database is deleted last, so that the same command completes an interrupted one.",
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
        try audit.noting("shred", path, isBegun: true) { try work(in: context) }
    }

    private func work(in context: CommandContext) throws {
        let keyring = try Keyring(of: path)
        guard !keyring.keys.contains(where: { $0.origin == .imported }) else {
            throw Failure(
                .failed, "the key that \(path) had before its keyring still opens it",
                hint: "strongroom rotate-key \(ShellWord.text(path)) ends that")
        }
        try confirm(context)
        let missing = failureCount(context) {
            _ = try BackupRepository(path: $0).keyringCount(of: keyring.identifier)
        }
        guard missing == 0 else {
            throw Failure(
                .failed,
                "nothing was deleted: \(missing) of \(repositories.count) repositories cannot be read",
                hint: "mount or repair each of them, or leave out one that is gone for good")
        }
        // The copies first: this one tells which they are.
        let unreached = failureCount(context) {
            let count = try BackupRepository(path: $0).removeKeyrings(of: keyring.identifier)
            try context.writeDone("\(count) keyrings are deleted in \($0)")
        }
        guard unreached == 0 else {
            throw Failure(
                .failed,
                "the keyrings of \(unreached) of \(repositories.count) repositories "
                    + "were not deleted, so that \(keyring.path) is kept",
                hint: "run the command again when they can be written")
        }
        let shredded = try keyring.shred()
        for other in shredded.others { try context.writeDone("\(other) is deleted") }
        try context.writeDone(
            "\(keyring.path) is deleted: \(shredded.blocks.text(of: "its"))")
        if !repositories.isEmpty {
            context.note(
                "backup status and verify fail for the repositories that have its backups, until these are "
                    + "forgotten (backup forget --newest, with a key that signs), or the repository is removed and "
                    + "that is accepted once (--accept-rollback)")
        }
        context.note(
            "other copies of the keyring, backups elsewhere, and exported keys still open the database"
        )
    }

    /// Calls a closure with each repository, and reports those with which it fails.
    private func failureCount(
        _ context: CommandContext, _ body: (String) throws -> Void
    ) -> Int {
        repositories.count { place in
            do {
                try body(place)
                return false
            } catch {
                context.report(Failure(describing: error))
                return true
            }
        }
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
