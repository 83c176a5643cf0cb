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
    /// How old something may be; any age is fine where it is nil.
    struct Limits {
        var age: Age?
        var verification: Age?
        var authentication: Age?
        /// When a verification is due that nobody has asked for.
        var reminder: Age
    }

    private let findings: [BackupStatusFinding]
    private let limits: Limits

    init(_ findings: [BackupStatusFinding], limits: Limits) {
        self.findings = findings
        self.limits = limits
    }

    private var statuses: [(path: String, status: RepositoryStatus)] {
        findings.compactMap { finding in
            (try? finding.status.get()).map { (finding.path, $0) }
        }
    }

    private func state(_ status: RepositoryStatus) -> RepositoryStatus.State {
        status.state(
            maximumAge: limits.age?.seconds,
            verificationInterval: limits.verification?.seconds,
            authenticationInterval: limits.authentication?.seconds)
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
                        + "copy or the database still has"
                        + VerificationReport.shreddingHint(problem))
            }
            guard let damage = status.damage else { return nil }
            return Failure(
                .damaged,
                "\(path) is damaged, as was found on \(damage.date.formatted(.iso8601)): "
                    + damage.problem,
                hint: damage.isUnsound
                    ? "the database was so when it was backed up: strongroom doctor says what is wrong with it; "
                        + "then back it up, and try that backup: \(verify) latest, with the key"
                    : "repair it, then run \(verify) (with the key, if a verification with the key "
                        + "found the damage)")
        }
    }

    private var failures: [Failure] {
        let all = findings.compactMap(failure)
        return all.filter { $0.exitCode == .damaged } + all.filter { $0.exitCode != .damaged }
    }

    private var overdue: [String] {
        statuses.flatMap { path, status in overdue(path, status) }
    }

    private func overdue(_ path: String, _ status: RepositoryStatus) -> [String] {
        var texts = status.databases.isEmpty ? ["\(path) holds no backup"] : []
        for database in status.databases where isOverdue(database) {
            texts.append("\(database.name) in \(path) \(Self.age(database))")
        }
        if let age = limits.verification, let text = unverified(path, status, after: age) {
            texts.append(text)
        }
        if let age = limits.authentication, status.isAuthenticationDue(after: age.seconds) {
            texts.append("\(path) is due for a verification with the keys of all its backups")
        }
        return texts
    }

    private func isOverdue(_ database: RepositoryStatus.Database) -> Bool {
        limits.age.map { database.isOverdue($0.seconds) } ?? false
    }

    /// How old a last backup is, or that a clock is wrong.
    private static func age(_ database: RepositoryStatus.Database) -> String {
        database.age < -1
            ? "is dated \(Age(seconds: -database.age).text) in the future: check the clocks"
            : "is \(Age(seconds: database.age).text) old"
    }

    private func unverified(
        _ path: String, _ status: RepositoryStatus, after age: Age
    ) -> String? {
        status.isVerificationDue(after: age.seconds) ? "\(path) is due for a verification" : nil
    }

    var failure: Failure? {
        failures.first ?? overdue.first.map { Failure(.overdue, $0, hint: hintOfOverdue) }
    }

    /// A database that was renamed gets no more backups under its old name.
    private var hintOfOverdue: String? {
        for (path, status) in statuses where status.databases.count > 1 {
            guard let old = status.databases.first(where: isOverdue),
                status.databases.contains(where: { !isOverdue($0) })
            else { continue }
            return
                "if \(old.name) was renamed, or is no longer backed up, remove its backups: strongroom backup "
                + "forget \(ShellWord.text(path)) \(old.last.number) --newest, and earlier ones (strongroom backup "
                + "list)"
        }
        return nil
    }

    var line: String {
        if let first = failures.first { return "FAILED: \(first.message)" + more(failures.count) }
        if let first = overdue.first { return "OVERDUE: \(first)" + more(overdue.count) }
        let all = statuses.flatMap { path, status in status.databases.map { (path, $0) } }
        var text = "OK: \(all.count) databases"
        if all.count == 1 { text = "OK: 1 database" }
        if let oldest = all.max(by: { $0.1.age < $1.1.age }) {
            text += ", the oldest last backup \(Self.age(oldest.1))"
            text += " (\(oldest.1.name) in \(oldest.0))"
        }
        let unknown = statuses.filter { !$0.status.isRemembered }
        if let first = unknown.first {
            text +=
                "; only names and sizes were checked: this host does not remember \(first.path)"
            text += more(unknown.count)
        }
        let due = statuses.filter(\.status.isRemembered).compactMap {
            unverified($0.path, $0.status, after: limits.verification ?? limits.reminder)
        }
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
            .init(
                "verificationDue",
                .boolean(
                    status.isVerificationDue(
                        after: (limits.verification ?? limits.reminder).seconds))),
            .init("authenticated", date(status.authenticated)),
            .init(
                "authenticationDue",
                .boolean(
                    status.isAuthenticationDue(
                        after: (limits.authentication ?? limits.reminder).seconds))),
            .init("databases", .array(status.databases.map(json))),
        ]
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
