import StrongroomBackup
import StrongroomCore
import StrongroomEssentials

/// The outcome of a look at one repository.
struct BackupStatusFinding {
    let path: String
    let status: Result<RepositoryStatus, any Error>

    init(path: String, _ status: Result<RepositoryStatus, any Error>) {
        self.path = path
        self.status = status
    }

    /// The name of the state of a repository that could not be looked at.
    static func state(of error: any Error) -> String {
        guard let error = error as? BackupError else { return "unreadable" }
        switch error.code {
        case .rolledBack:
            return error.step as? BackupStep == .acceptRemoval ? "gone" : "rolledBack"
        case .damaged: return "damaged"
        default: return "unreadable"
        }
    }
}

/// The line, the exit code and the JSON for a monitor, of one repository or many.
///
/// Damage comes first, then what could not be looked at, then what is overdue.
struct BackupStatusSummary {
    private let findings: [BackupStatusFinding]
    private let maximumAge: Age?
    private let interval: Age
    private let mustBeVerified: Bool

    init(
        _ findings: [BackupStatusFinding], maximumAge: Age?, interval: Age, mustBeVerified: Bool
    ) {
        self.findings = findings
        self.maximumAge = maximumAge
        self.interval = interval
        self.mustBeVerified = mustBeVerified
    }

    private var statuses: [(path: String, status: RepositoryStatus)] {
        findings.compactMap { finding in
            (try? finding.status.get()).map { (finding.path, $0) }
        }
    }

    private func state(_ status: RepositoryStatus) -> RepositoryStatus.State {
        status.state(
            maximumAge: maximumAge?.seconds,
            verificationInterval: mustBeVerified ? interval.seconds : nil)
    }

    private func failure(_ finding: BackupStatusFinding) -> Failure? {
        let path = finding.path
        switch finding.status {
        case .failure(let error): return Failure(describing: error)
        case .success(let status):
            guard state(status).isDamage else { return nil }
            let verify = "strongroom backup verify \(ShellWord.text(path))"
            if let problem = status.problems.first {
                return Failure(
                    .damaged,
                    "\(path) is damaged: \(problem.message)\(more(status.problems.count))",
                    hint:
                        "\(verify) reports what is damaged; strongroom backup repair recovers what a "
                        + "copy or the database still has")
            }
            guard let damage = status.damage else { return nil }
            return Failure(
                .damaged,
                "\(path) is damaged, as was found on \(damage.date.formatted(.iso8601)): "
                    + damage.problem,
                hint: "repair it, then run \(verify), with the key if that has found it")
        }
    }

    private var failures: [Failure] {
        let all = findings.compactMap(failure)
        return all.filter { $0.exitCode == .damaged } + all.filter { $0.exitCode != .damaged }
    }

    private var overdue: [String] {
        statuses.flatMap { path, status in
            let old = status.databases.filter(isOverdue).map {
                "\($0.name) in \(path) is \(Age(seconds: $0.age).text) old"
            }
            let none = maximumAge != nil && status.databases.isEmpty ? ["\(path) is empty"] : []
            return old + none + (mustBeVerified ? unverified(path, status) : [])
        }
    }

    private func isOverdue(_ database: RepositoryStatus.Database) -> Bool {
        maximumAge.map { database.isOverdue($0.seconds) } ?? false
    }

    private func unverified(_ path: String, _ status: RepositoryStatus) -> [String] {
        if status.isDue(status.verified, after: interval.seconds) {
            return ["\(path) is to be verified"]
        }
        return status.isDue(status.authenticated, after: interval.seconds)
            ? ["\(path) is to be verified with the key"] : []
    }

    var failure: Failure? {
        failures.first ?? overdue.first.map { Failure(.overdue, $0) }
    }

    var line: String {
        if let first = failures.first { return "FAILED: \(first.message)" + more(failures.count) }
        if let first = overdue.first { return "OVERDUE: \(first)" + more(overdue.count) }
        let all = statuses.flatMap { path, status in status.databases.map { (path, $0) } }
        var text = "OK: \(all.count) databases"
        if all.count == 1 { text = "OK: 1 database" }
        if let oldest = all.max(by: { $0.1.age < $1.1.age }) {
            text += ", the oldest last backup is \(Age(seconds: oldest.1.age).text) old"
            text += " (\(oldest.1.name) in \(oldest.0))"
        }
        let unknown = statuses.filter { !$0.status.isRemembered }
        if let first = unknown.first {
            text +=
                "; names and sizes alone were looked at: this host has no memory of \(first.path)"
            text += more(unknown.count)
        }
        let due = statuses.filter(\.status.isRemembered).flatMap { unverified($0.path, $0.status) }
        return due.first.map { text + "; \($0)" + more(due.count) } ?? text
    }

    private func more(_ count: Int) -> String { count > 1 ? ", and \(count - 1) more" : "" }
}

// MARK: - JSON

extension BackupStatusSummary {
    var json: JSONValue {
        .object([
            .init("ok", .boolean(failure == nil)),
            .init("line", .string(line)),
            .init("repositories", .array(findings.map(json))),
        ])
    }

    private func json(_ finding: BackupStatusFinding) -> JSONValue {
        switch finding.status {
        case .failure(let error):
            return .object([
                .init("path", .string(finding.path)),
                .init("state", .string(BackupStatusFinding.state(of: error))),
                .init("error", .string(Failure(describing: error).message)),
            ])
        case .success(let status):
            let path = JSONValue.Member("path", .string(finding.path))
            let error = failure(finding).map { [JSONValue.Member("error", .string($0.message))] }
            return .object([path] + members(status) + (error ?? []))
        }
    }

    private func members(_ status: RepositoryStatus) -> [JSONValue.Member] {
        [
            .init("state", .string(state(status).rawValue)),
            .init("remembered", .boolean(status.isRemembered)),
            .init("goneOn", .boolean(status.hasGoneOn)),
            .init(
                "problems",
                .array(
                    status.problems.map {
                        .object([
                            .init("path", .string($0.path)), .init("message", .string($0.message)),
                        ])
                    })),
            .init(
                "damage",
                status.damage.map {
                    .object([
                        .init("date", date($0.date)), .init("problem", .string($0.problem)),
                    ])
                } ?? .null),
            .init("signer", status.signer.map { .string($0) } ?? .null),
            .init("verified", date(status.verified)),
            .init("verificationDue", .boolean(isDue(status.verified, status))),
            .init("authenticated", date(status.authenticated)),
            .init("authenticationDue", .boolean(isDue(status.authenticated, status))),
            .init("databases", .array(status.databases.map(json))),
        ]
    }

    private func isDue(_ date: Date?, _ status: RepositoryStatus) -> Bool {
        status.isDue(date, after: interval.seconds)
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
