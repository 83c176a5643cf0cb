import StrongroomBackup
import StrongroomCore
import StrongroomEssentials

/// `strongroom backup status ROOT`
struct BackupStatusCommand: Command {
    private static let maximum = Option.value(
        "max-age", "AGE", help: "fail if a latest backup is older than AGE, such as 26h or 7d")
    private static let verification = Option.value(
        "verify-every", "AGE",
        help: "fail if the last verification of everything, with or without the key, is older than "
            + "AGE")
    private static let authentication = Option.value(
        "authenticate-every", "AGE",
        help:
            "fail if the last verification of everything with the keys of all backups is older than "
            + "AGE")

    static let syntax = CommandSyntax(
        "backup status", summary: "report the age and state of the latest backups, for monitoring",
        operands: [
            Operand(
                "ROOT", help: "a backup repository, or a folder of repositories: a path or a URL")
        ],
        options: [maximum, verification, authentication, .json],
        groups: [RepositoryOptions.group],
        notes: [
            "Prints one line for all: OK, OVERDUE or FAILED, and why. --json reports for "
                + "each database its last backup and that backup's age, the space that a "
                + "restore takes, which key opens it, and when this host verified the "
                + "repository.",
            "If a repository that this host remembers is gone from the folder, that is a "
                + "failure until you pass --accept-rollback once.",
            "Reads heads and manifests, and the names and sizes of all packs. Missing or "
                + "shortened packs are a failure. backup verify finds damage inside packs: the "
                + "status then stays a failure until a verification that would find it "
                + "succeeds. A host that does not remember the repository sees only names and "
                + "sizes, and the line says so.",
            "Damage (exit 13) comes before what is overdue (exit 19). A repository without "
                + "any backup is overdue. Without --verify-every, a verification is due after "
                + "30 days; that is reported, but is no failure.",
            "A verification counts if it ran on this host and read everything, so not with "
                + "--sample. One with a key also counts for --verify-every. For "
                + "--authenticate-every, it needs the keys of all kept backups: repeat --key-file, "
                + "or give a key store or a secret of the keyring.",
        ],
        examples: [
            .init(
                line: "strongroom backup status /backup --max-age 26h",
                meaning: "exit 19 if a nightly backup is missing")
        ])

    private static let usualInterval = Age(seconds: 30 * 86_400)

    private let root: String
    private let maximumAge: Age?
    private let verificationAge: Age?
    private let authenticationAge: Age?
    private let options: RepositoryOptions
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        root = arguments.operands[0]
        func age(_ option: Option) throws(Failure) -> Age? {
            guard let text = arguments.value(option) else { return nil }
            guard let age = Age(text) else {
                throw .usage("--\(option.name) needs an age: \(Age.form)")
            }
            return age
        }
        maximumAge = try age(Self.maximum)
        verificationAge = try age(Self.verification)
        authenticationAge = try age(Self.authentication)
        options = try RepositoryOptions(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let findings = try findings(in: context)
        let summary = BackupStatusSummary(
            findings,
            limits: .init(
                age: maximumAge, verification: verificationAge, authentication: authenticationAge,
                reminder: Self.usualInterval))
        try context.output.writeLine(
            writesJSON ? summary.json.indentedText : VisibleText.text(of: summary.line))
        try context.output.flush()
        if let failure = summary.failure { throw failure }
    }

    private func findings(in context: CommandContext) throws -> [BackupStatusFinding] {
        let set: RepositorySet
        do {
            set = try RepositorySet(root, options, in: context)
        } catch let failure as Failure where failure.exitCode == .notFound {
            return [gone]
        } catch let error as BackupError {
            // Nothing is known of what could not be reached.
            return [BackupStatusFinding(path: root, .failure(error))]
        }
        if let root = set.root {
            let members = try root.members().map { member in
                BackupStatusFinding(
                    path: member.path, Result { try set.repository(member, root).status() })
            }
            return members + set.missing.map { BackupStatusFinding(path: $0.path, .failure($0)) }
        }
        guard BackupRoot.isRepository(root) else { return [gone] }
        let repository = Result { try options.repository(at: root, in: context) }
        let finding = BackupStatusFinding(path: root, Result { try repository.get().status() })
        return [finding] + (try missing(of: try? repository.get()))
    }

    /// To a monitor, a repository that is not there is lost.
    private var gone: BackupStatusFinding {
        let error = BackupError(
            .damaged, root, "there is no backup repository at \(root)",
            hint: "check the path; if the repository is lost, restore it from another copy")
        return BackupStatusFinding(path: root, .failure(error))
    }

    /// One repository that has taken the place of a folder of them hides that they are gone.
    private func missing(of repository: BackupRepository?) throws -> [BackupStatusFinding] {
        guard let memory = repository?.memory else { return [] }
        let missing = try BackupRoot.missing(
            below: root, from: memory, accepting: options.acceptsRollback)
        // What cannot be read of other repositories is none of this one's.
        return missing.filter { $0.code == .rolledBack }
            .map { BackupStatusFinding(path: $0.path, .failure($0)) }
    }
}
