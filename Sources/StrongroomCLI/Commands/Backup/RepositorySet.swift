import StrongroomBackup
import StrongroomCore

extension Operand {
    static let repositoryOrRoot = Operand(
        "REPO", help: "the folder of the backup repository, or a folder of repositories")
}

/// One repository, or all of a folder of repositories.
struct RepositorySet {
    let path: String
    /// Nil for one repository.
    let root: BackupRoot?
    private let members: [BackupRoot.Member]
    /// What is said of repositories of a folder that this host remembers, and that are gone.
    let missing: [BackupError]
    private let options: RepositoryOptions
    private let memory: BackupMemory?

    /// - Throws: `Failure` if neither is there.
    init(_ path: String, _ options: RepositoryOptions, in context: CommandContext) throws {
        self.path = path
        self.options = options
        guard !BackupRoot.isRepository(path), let root = try? BackupRoot(path: path) else {
            root = nil
            members = []
            missing = []
            memory = nil
            return
        }
        members = try root.members()
        self.root = root
        memory = options.memory(in: context)
        missing =
            try memory.map {
                try BackupRoot.missing(below: path, from: $0, accepting: options.acceptsRollback)
            } ?? []
        guard !members.isEmpty || !missing.isEmpty else { throw Self.nothing(at: path) }
    }

    /// The names of the repositories; none if there is one alone.
    var memberNames: [String] { members.map(\.name) }

    static func nothing(at path: String) -> Failure {
        Failure(
            .notFound, "\(path) is no backup repository, and contains none",
            hint: "strongroom backup init creates one")
    }

    /// Something that only makes sense for one repository.
    func requireOne(_ what: String?, _ name: String) throws(Failure) {
        guard root != nil, what != nil else { return }
        throw .usage(
            "\(path) has \(members.count) repositories, and \(name) belongs to one",
            hint: members.first.map { "name the repository: \(ShellWord.text($0.path))" })
    }

    func repository(_ member: BackupRoot.Member, _ root: BackupRoot) throws -> BackupRepository {
        var repository = try root.repository(member)
        repository.fileSystem = .ofRepositories
        repository.memory = memory
        repository.acceptsRollback = options.acceptsRollback
        return repository
    }

    /// Does something with the repository, or with one after the other: what fails with one is told, and
    /// the others go on.
    ///
    /// - Parameter done: What is said of those that it was done with: `are sound`.
    func forEach(
        _ done: String, in context: CommandContext,
        _ body: (BackupRoot.Member?, BackupRepository) throws -> Void
    ) throws {
        guard let root else {
            return try body(nil, options.repository(at: path, in: context))
        }
        var failures = missing.map { Failure(describing: $0) }
        for failure in failures { context.report(failure) }
        let count = members.count + failures.count
        for member in members {
            try context.cancellation.check()
            do {
                try body(member, repository(member, root))
            } catch {
                try context.cancellation.check()
                var failure = Failure(describing: error)
                if failure.isQuiet { throw failure }
                if !failure.message.contains(member.name) {
                    failure.message = member.name + ": " + failure.message
                }
                context.report(failure)
                failures.append(failure)
            }
        }
        if !context.writesJSON {
            try context.writeDone(
                "\(count - failures.count) of \(count) repositories \(done)")
        }
        try context.output.flush()
        guard let first = failures.first else { return }
        throw Failure(
            failures.allSatisfy { $0.exitCode == first.exitCode } ? first.exitCode : .failed,
            "not all repositories \(done): \(failures.count) failed",
            hint: "see the report of each repository")
    }
}

extension JSONValue {
    /// With the repository that it is about in front, if it is one of several.
    func of(_ member: BackupRoot.Member?) -> JSONValue {
        guard let member, case .object(let members) = self else { return self }
        return .object([.init("repository", .string(member.name))] + members)
    }

    /// An object on lines of its own, or on one line if it is one of several.
    func text(of member: BackupRoot.Member?) -> String {
        member == nil ? indentedText : of(member).text
    }
}
