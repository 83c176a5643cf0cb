import StrongroomBackup
import StrongroomCore

extension Operand {
    static let repositoryOrRoot = Operand(
        "REPO", help: "the backup repository, or a folder of repositories: a path or a URL")
}

/// One repository, or all of a folder of repositories.
struct RepositorySet: Sendable {
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
        let root: BackupRoot?
        do {
            root = try BackupRoot.isRepository(path) ? nil : BackupRoot(path: path)
        } catch let error as BackupError where error.code == .notARepository {
            root = nil
        }
        guard let root else {
            self.root = nil
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

    /// Another repository that has its name from the database of a backup, if its folder may have been exchanged:
    /// it has other databases, or the very same backup. In other folders, databases of the same name are others.
    func owner(of backup: Backup, besides member: BackupRoot.Member) -> BackupRoot.Member? {
        guard let root else { return nil }
        return members.first { other in
            guard other.name != member.name, other.databaseName == backup.databaseName,
                let backups = try? repository(other, root).backups(), let last = backups.last
            else { return false }
            return last.databaseName != backup.databaseName
                || backups.contains { $0.hash == backup.hash }
        }
    }

    /// How many threads work on one repository while others are worked on, too; nil for as many as usual.
    func threads(_ jobs: Int) -> Int? { members.count < jobs ? nil : 1 }

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

    func repository(
        _ member: BackupRoot.Member, _ root: BackupRoot, _ slots: WorkSlots? = nil
    ) throws -> BackupRepository {
        var repository = try root.repository(member)
        repository.fileSystem = .ofRepositories
        repository.memory = memory
        repository.acceptsRollback = options.acceptsRollback
        if let slots {
            repository.fileSystem = slots.calls(repository.fileSystem)
            repository.memory?.fileSystem = slots.calls(.system)
        }
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
        for member in members {
            try context.cancellation.check()
            do {
                try body(member, repository(member, root))
            } catch {
                failures.append(try report(error, of: member, in: context))
            }
        }
        try summarize(done, failures, in: context)
    }

    /// The same in two steps: work that is done with several repositories at the same time, and what comes
    /// after it, with one after the other in their order.
    ///
    /// - Parameters:
    ///   - jobs: With how many at the same time.
    ///   - title: What is being done, as the progress line names it.
    ///   - work: Is called on several threads.
    ///   - body: Is called on this one.
    func forEach<Outcome: Sendable>(
        _ done: String, jobs: Int, title: String, in context: CommandContext,
        work:
            @escaping @Sendable (
                BackupRoot.Member?, BackupRepository, @escaping OperationProgress.Handler
            ) throws -> Outcome,
        then body: (BackupRoot.Member?, BackupRepository, Outcome) throws -> Void
    ) throws {
        guard let root else {
            let repository = try options.repository(at: path, in: context)
            let outcome = try CommandProgress(context: context, title: title).run {
                try work(nil, repository, $0)
            }
            return try body(nil, repository, outcome)
        }
        var failures = missing.map { Failure(describing: $0) }
        for failure in failures { context.report(failure) }
        let cancellation = context.cancellation
        let slots = WorkSlots(jobs)
        let batch = FileBatch(members.map(\.path), slots: slots, cancellation: cancellation) {
            [self] index, _ -> Result<(repository: BackupRepository, outcome: Outcome), any Error>
            in
            Result {
                let repository = try repository(members[index], root, slots)
                let outcome = try work(members[index], repository) { _ in
                    try cancellation.check()
                }
                return (repository: repository, outcome: outcome)
            }
        }
        let line = context.progressColumns().map { _ in
            ProgressLine(
                output: context.errors, columns: { context.progressColumns() ?? 80 },
                now: context.now)
        }
        defer { line?.finish() }
        try batch.run(inOrder: true) { index, result in
            line?.finish()
            do {
                let (repository, outcome) = try result.get()
                try body(members[index], repository, outcome)
            } catch {
                failures.append(try report(error, of: members[index], in: context))
            }
        } progress: { _, _, count in
            line?.update(
                title, fraction: Double(count) / Double(max(1, members.count)),
                detail: "\(count) of \(members.count) repositories")
        }
        try summarize(done, failures, in: context)
    }

    /// - Throws: What ends the whole command.
    private func report(
        _ error: any Error, of member: BackupRoot.Member, in context: CommandContext
    ) throws -> Failure {
        try context.cancellation.check()
        var failure = Failure(describing: error)
        if failure.isQuiet { throw failure }
        if !failure.message.contains(member.name) {
            failure.message = member.name + ": " + failure.message
        }
        context.report(failure)
        return failure
    }

    private func summarize(
        _ done: String, _ failures: [Failure], in context: CommandContext
    ) throws {
        let count = members.count + missing.count
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

extension BackupRoot.Member {
    /// The name of the database that gave the folder its name.
    var databaseName: String { (databasePath ?? name).splitAtLastSlash.name }
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
