import StrongroomBackup
import StrongroomCore

/// What this host remembers of a repository, and whether that counts.
struct RepositoryOptions: Sendable {
    private static let state = Option.value(
        "state", "DIR", completion: .folder,
        help:
            "remember the states of repositories in DIR (or $STRONGROOM_STATE); none: nowhere"
    )
    private static let accept = Option.flag(
        "accept-rollback", help: "accept the repository as it is, and remember this state")

    static let group = CommandSyntax.OptionGroup(
        title: "this host's memory of the repository (default: ~/.local/state/strongroom)",
        options: [state, accept])

    private let folder: String?
    let acceptsRollback: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        folder = arguments.value(Self.state)
        if folder?.isEmpty == true { throw .usage("--state needs a folder") }
        acceptsRollback = arguments.contains(Self.accept)
    }

    /// - Parameter lacksHead: Whether it may have lost its head.
    /// - Throws: `BackupError` if there is no repository.
    func repository(
        at path: String, lackingHead lacksHead: Bool = false, in context: CommandContext
    ) throws -> BackupRepository {
        let memory = memory(in: context)
        var repository: BackupRepository
        do {
            repository =
                try lacksHead ? BackupRepository(headlessAt: path) : BackupRepository(path: path)
        } catch let error as BackupError
            where error.code == .notARepository && !BackupRoot.isRepository(path)
        {
            throw memory?.loss(at: path) ?? error
        }
        repository.fileSystem = .ofRepositories
        repository.memory = memory
        repository.acceptsRollback = acceptsRollback
        return repository
    }

    func memory(in context: CommandContext) -> BackupMemory? {
        let names = ["STRONGROOM_STATE", "STATE_DIRECTORY", "XDG_STATE_HOME", "HOME"]
        let variables = names.compactMap { name in context.variable(name).map { (name, $0) } }
        var environment = Dictionary(uniqueKeysWithValues: variables)
        if let folder { environment["STRONGROOM_STATE"] = folder }
        if let memory = BackupMemory(environment: environment) { return reliable(memory, context) }
        if environment["STRONGROOM_STATE"] == "none" { return nil }
        context.warn(
            "cannot remember this repository's state: none of \(names.joined(separator: ", ")) "
                + "names a folder",
            hint: "name one with --state DIR, or pass --state none")
        return nil
    }

    /// Who runs this with the environment of another user may not look into that one's folder.
    private func reliable(_ memory: BackupMemory, _ context: CommandContext) -> BackupMemory? {
        switch memory.standing {
        case .own: return memory
        case .closed:
            context.warn(
                "cannot remember this repository's state: this user cannot use \(memory.folder)",
                hint: "name another folder with --state DIR, or pass --state none")
            return nil
        case .another:
            context.warn(
                "\(memory.folder) belongs to another user, who can change what is remembered there",
                hint: "name another folder with --state DIR")
            return memory
        }
    }
}
