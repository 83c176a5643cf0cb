import StrongroomBackup
import StrongroomCore
import StrongroomEssentials

/// `strongroom backup status ROOT`
struct BackupStatusCommand: Command {
    private static let maximum = Option.value(
        "max-age", "AGE", help: "fail unless each last backup is at most so old, such as 26h or 7d")
    private static let verification = Option.value(
        "verify-every", "AGE",
        help: "fail unless it was verified so recently, with and without the key")

    static let syntax = CommandSyntax(
        "backup status", summary: "tell monitors how old the last backups are",
        operands: [
            Operand("ROOT", help: "a backup repository, or a folder of repositories")
        ],
        options: [maximum, verification, .json],
        groups: [RepositoryOptions.group],
        notes: [
            "One line tells of all: OK, OVERDUE or FAILED, and why. --json tells of each database: "
                + "its last backup and its age, the room that it takes to restore it, which key opens it, "
                + "and when this host has verified the repository.",
            "A repository of the folder that this host remembers, and that is gone, is a failure until "
                + "--accept-rollback is said once.",
            "Heads and manifests are read, no pages: backup verify finds damage. Without "
                + "--verify-every a verification is due after 30 days, which is told and is no failure.",
        ],
        examples: [
            .init(
                line: "strongroom backup status /backup --max-age 26h",
                meaning: "exit 19 if a nightly backup is missing")
        ])

    private static let usualInterval = Age(seconds: 30 * 86_400)

    private let root: String
    private let maximumAge: Age?
    private let interval: Age?
    private let options: RepositoryOptions
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        root = arguments.operands[0]
        func age(_ option: Option) throws(Failure) -> Age? {
            guard let text = arguments.value(option) else { return nil }
            guard let age = Age(text) else {
                throw .usage("--\(option.name) needs an age, such as 90m, 26h or 7d")
            }
            return age
        }
        maximumAge = try age(Self.maximum)
        interval = try age(Self.verification)
        options = try RepositoryOptions(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let set = try RepositorySet(root, options, in: context)
        var findings: [Finding] = []
        if let root = set.root {
            findings = try root.members().map { member in
                Finding(path: member.path, Result { try set.repository(member, root).status() })
            }
            findings += set.missing.map { Finding(path: $0.path, .failure($0)) }
        } else {
            guard BackupRoot.isRepository(root) else { throw RepositorySet.nothing(at: root) }
            let repository = Result { try options.repository(at: root, in: context) }
            findings = [Finding(path: root, Result { try repository.get().status() })]
            findings += try missing(of: try? repository.get())
        }
        let summary = Summary(
            findings, maximumAge: maximumAge, interval: interval ?? Self.usualInterval,
            mustBeVerified: interval != nil, now: Date())
        try context.output.writeLine(
            writesJSON ? summary.json.indentedText : VisibleText.text(of: summary.line))
        try context.output.flush()
        if let failure = summary.failure { throw failure }
    }

    /// One repository that has taken the place of a folder of them hides that they are gone.
    private func missing(of repository: BackupRepository?) throws -> [Finding] {
        guard let memory = repository?.memory else { return [] }
        let missing = try BackupRoot.missing(
            below: root, from: memory, accepting: options.acceptsRollback)
        return missing.map { Finding(path: $0.path, .failure($0)) }
    }
}

/// What was found of one repository.
private struct Finding {
    let path: String
    let status: Result<RepositoryStatus, Failure>

    init(path: String, _ status: Result<RepositoryStatus, any Error>) {
        self.path = path
        self.status = status.mapError { Failure(describing: $0) }
    }
}

/// What is to be told of all.
private struct Summary {
    private let findings: [Finding]
    private let maximumAge: Age?
    private let interval: Age
    private let mustBeVerified: Bool
    private let now: Date

    init(
        _ findings: [Finding], maximumAge: Age?, interval: Age, mustBeVerified: Bool, now: Date
    ) {
        self.findings = findings
        self.maximumAge = maximumAge
        self.interval = interval
        self.mustBeVerified = mustBeVerified
        self.now = now
    }

    private var statuses: [(path: String, status: RepositoryStatus)] {
        findings.compactMap { finding in
            (try? finding.status.get()).map { (finding.path, $0) }
        }
    }

    private func isDue(_ date: Date?) -> Bool {
        date.map { now.timeIntervalSince($0) > interval.seconds } ?? true
    }

    /// A date that lies ahead is no proof of a recent backup.
    private func isOverdue(_ database: RepositoryStatus.Database) -> Bool {
        maximumAge.map { database.age > $0.seconds || database.age < -300 } ?? false
    }

    private var failures: [(path: String, failure: Failure)] {
        findings.compactMap { finding in
            guard case .failure(let failure) = finding.status else { return nil }
            return (finding.path, failure)
        }
    }

    private var overdue: [String] {
        statuses.flatMap { path, status in
            let old = status.databases.filter(isOverdue).map {
                "\($0.name) in \(path) is \(Age(seconds: $0.age).text) old"
            }
            let none = maximumAge != nil && status.databases.isEmpty ? ["\(path) is empty"] : []
            let due = mustBeVerified ? unverified(path, status) : []
            return old + none + due
        }
    }

    private func unverified(_ path: String, _ status: RepositoryStatus) -> [String] {
        if isDue(status.verified) { return ["\(path) is to be verified"] }
        return isDue(status.authenticated) ? ["\(path) is to be verified with the key"] : []
    }

    var failure: Failure? {
        if let first = failures.first { return first.failure }
        return overdue.first.map { Failure(.overdue, $0) }
    }

    var line: String {
        if let first = failures.first {
            return "FAILED: \(first.failure.message)" + more(failures.count)
        }
        if let first = overdue.first { return "OVERDUE: \(first)" + more(overdue.count) }
        let all = statuses.flatMap { path, status in status.databases.map { (path, $0) } }
        var text = "OK: \(all.count) databases"
        if all.count == 1 { text = "OK: 1 database" }
        if let oldest = all.max(by: { $0.1.age < $1.1.age }) {
            text += ", the oldest last backup is \(Age(seconds: oldest.1.age).text) old"
            text += " (\(oldest.1.name) in \(oldest.0))"
        }
        let due = statuses.flatMap { unverified($0.path, $0.status) }
        return due.first.map { text + "; \($0)" + more(due.count) } ?? text
    }

    private func more(_ count: Int) -> String { count > 1 ? ", and \(count - 1) more" : "" }

    var json: JSONValue {
        .object([
            .init("ok", .boolean(failure == nil)),
            .init("line", .string(line)),
            .init("repositories", .array(findings.map(json))),
        ])
    }

    private func json(_ finding: Finding) -> JSONValue {
        switch finding.status {
        case .failure(let failure):
            return .object([
                .init("path", .string(finding.path)), .init("error", .string(failure.message)),
            ])
        case .success(let status):
            return .object([
                .init("path", .string(finding.path)),
                .init("signer", status.signer.map { .string($0) } ?? .null),
                .init("verified", date(status.verified)),
                .init("verificationDue", .boolean(isDue(status.verified))),
                .init("authenticated", date(status.authenticated)),
                .init("authenticationDue", .boolean(isDue(status.authenticated))),
                .init("databases", .array(status.databases.map(json))),
            ])
        }
    }

    private func json(_ database: RepositoryStatus.Database) -> JSONValue {
        .object([
            .init("name", .string(database.name)),
            .init("ageSeconds", .integer(Int64(database.age))),
            .init("overdue", .boolean(isOverdue(database))),
            .init("backupCount", .integer(Int64(database.backupCount))),
            .init("restoredByteCount", .integer(database.last.byteCount)),
            .init("last", database.last.json),
        ])
    }

    private func date(_ date: Date?) -> JSONValue {
        date.map { .string($0.formatted(.iso8601)) } ?? .null
    }
}
