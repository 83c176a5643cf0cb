import StrongroomBackup
import StrongroomCore
import StrongroomEssentials

/// `strongroom backup verify REPO [ID]`
struct BackupVerifyCommand: Command {
    private static let noKey = Option.flag(
        "no-key", help: "verify by hashes alone, as without a key")
    private static let verificationKey = Option.value(
        "verification-key", "PATH", completion: .file, repetition: .many,
        help: "authenticate with a key that cannot decrypt (see backup verification-key)")
    private static let sample = Option.value(
        "sample", "PERCENT", help: "read a random part of the pages, such as 5%")
    private static let hash = Option.value(
        "expect", "HASH", repetition: .many,
        help:
            "fail unless the verified chain contains this hash; for several repositories: NAME=HASH"
    )
    private static let authority = Option.value(
        "authority", "KEY",
        help:
            "fail unless this public key, or one that introductions connect with it, signed it (64 "
            + "digits, or a file)")

    private static let jobs = JobCount.option(
        "of several repositories, verify N in parallel")

    static let syntax = CommandSyntax(
        "backup verify", summary: "check backups for damage and, with a key, for forgery",
        operands: [.repositoryOrRoot, .backupOnTrial],
        options: [noKey, verificationKey, authority, sample, hash, jobs, .json],
        groups: [KeyOptions.ofBackup.group, RepositoryOptions.group],
        notes: [
            "Without a key, every page, tree and manifest is compared with hashes that "
                + "are chained from backup to backup. This finds accidents, but not an attacker "
                + "who recomputes the hashes. With --authority, the repository must be signed "
                + "by this public key, or by one that introductions connect with it. This finds everything "
                + "written without the database key. With the key, pages and manifests are also "
                + "authenticated. With ID, that backup is restored to a temporary file and "
                + "checked there, with the key also by SQLite.",
            "The printed hash covers the whole repository. Note it elsewhere: --expect "
                + "looks for it in the verified chain of manifests, and so finds a repository "
                + "that was put back to an earlier state.",
        ],
        examples: [
            .init(line: "strongroom backup verify /backup/shop", meaning: "verify without a key"),
            .init(
                line: "strongroom backup verify /backup/shop --sample 5% --key-file shop.key",
                meaning: "verify a part, with the key"),
        ])

    private let path: String
    private let name: String?
    private let keySource: KeySource?
    private let verificationKeyPaths: [String]
    private let authority: String?
    private let repositoryOptions: RepositoryOptions
    private let part: Double
    private let expectedHashes: [String]
    private let jobCount: Int
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        name = arguments.operand(1)
        keySource = try KeyOptions.ofBackup.optionalSource(in: arguments)
        verificationKeyPaths = arguments.values(Self.verificationKey)
        let ways = [
            arguments.contains(Self.noKey), keySource != nil, !verificationKeyPaths.isEmpty,
        ]
        guard ways.count(where: \.self) <= 1 else {
            throw .usage("two ways to verify are given", hint: "give one key, or --no-key")
        }
        authority = try arguments.value(Self.authority).map(Self.publicKey)
        repositoryOptions = try RepositoryOptions(arguments)
        part = try Self.part(arguments.value(Self.sample))
        expectedHashes = arguments.values(Self.hash)
        jobCount = try JobCount.number(arguments.value(Self.jobs))
        writesJSON = arguments.contains(.json)
    }

    /// 64 digits, or a file that begins with them.
    private static func publicKey(_ text: String) throws(Failure) -> String {
        let content =
            text.utf8.count == 64
            ? text : (try? String(contentsOfFile: text, encoding: .utf8)) ?? ""
        let word = content.prefix { !$0.isWhitespace }.lowercased()
        guard PublicKey(hexadecimal: word) != nil else {
            throw .usage(
                "--authority needs a public key of 64 hexadecimal digits, or a file with one",
                hint: "backup verify prints a repository's public key")
        }
        return word
    }

    private static func part(_ text: String?) throws(Failure) -> Double {
        guard var text else { return 1 }
        if text.hasSuffix("%") { text.removeLast() }
        guard let percent = Double(text), percent > 0, percent <= 100 else {
            throw .usage("--sample needs a percentage, such as 5%")
        }
        return percent / 100
    }

    func run(in context: CommandContext) throws {
        let set = try RepositorySet(path, repositoryOptions, in: context)
        try requireKnownNames(set)
        let secrets = try keySource.map {
            try BackupSecrets($0, for: path, KeyReader(context: context))
        }
        let given =
            try verificationKeyPaths.isEmpty
            ? nil
            : BackupVerificationKey.verifications(
                verificationKeyPaths.map { try VerificationKeyFile.read($0, in: context) })
        var wasRestored = name == nil
        let threads = set.threads(jobCount)
        try set.forEach("are sound", jobs: jobCount, title: "restoring", in: context) {
            [authority, part] _, repository, progress in
            let own = try secrets?.keys(in: repository)
            let doubt = try secrets?.doubt(in: repository)
            var trusting = repository
            trusting.doubtsKeys = doubt != nil
            var report = try repository.explainingWrongKey { [trusting] in
                try trusting.verify(
                    key: own.map { .databases($0) } ?? given, authority: authority, sample: part,
                    threads: threads, progress: progress)
            }
            if let doubt { report.note(doubt) }
            return (keys: own, report: report)
        } then: { member, repository, found in
            try finish(found.report, member, repository, in: context)
            guard let name, try shallRestore(name, repository, member) else { return }
            try restore(name, repository, found.keys, in: context)
            wasRestored = true
        }
        guard wasRestored else {
            throw Failure(
                .failed, "no repository in \(path) has the backup \(name ?? "")",
                hint: "strongroom backup list \(ShellWord.text(path))")
        }
    }

    /// Hashes that are expected name their repository if there are several, and only then.
    private func requireKnownNames(_ set: RepositorySet) throws(Failure) {
        guard set.root != nil else {
            if expectedHashes.count > 1 { throw .usage("--expect is given twice") }
            return
        }
        let unknown = expectedHashes.first { word in
            !set.memberNames.contains { word.hasPrefix($0 + "=") }
        }
        if let unknown {
            throw .usage(
                "\(path) has several repositories, and --expect \(unknown) names none of them",
                hint:
                    "--expect NAME=HASH, with names as backup list \(ShellWord.text(path)) has them"
            )
        }
    }

    private func expectedHash(of member: BackupRoot.Member?) -> String? {
        guard let member else { return expectedHashes.first }
        let start = member.name + "="
        return expectedHashes.first { $0.hasPrefix(start) }.map {
            String($0.dropFirst(start.count))
        }
    }

    /// Whether the backup that is named is to be restored from a repository: of several, one that has it.
    private func shallRestore(
        _ name: String, _ repository: BackupRepository, _ member: BackupRoot.Member?
    ) throws -> Bool {
        try member == nil || name == "latest"
            || repository.readableBackups().backups.contains { $0.id == name }
    }

    /// Reports what was found.
    ///
    /// - Throws: `Failure` if that is not sound.
    private func finish(
        _ report: VerificationReport, _ member: BackupRoot.Member?,
        _ repository: BackupRepository, in context: CommandContext
    ) throws {
        let path = member?.path ?? path
        for notice in report.notices { context.warn(notice) }
        try write(report, member, in: context)
        if !report.isSound {
            let count = report.damagedBackups.count
            guard count > 0 || report.isSignerTrusted != false else {
                throw Failure(
                    .damaged, "\(path) has no signature by a trusted key",
                    hint:
                        "check the key or public key that you gave; if it is the right one, copy head from "
                        + "another copy of the repository; if another of your keys has signed it, let "
                        + "that key introduce this one (backup create --introducer-key-file)")
            }
            guard count > 0 || report.unvouchedBackups.isEmpty else {
                throw Failure(
                    .damaged,
                    "\(path) has \(report.unvouchedBackups.count) backups that nothing vouches for without their key",
                    hint: "give the key of these backups (backup verify --key-file)")
            }
            guard count > 0 else {
                throw Failure(
                    .damaged, "\(path) has damaged files, but all backups are whole",
                    hint: "no backup needs the files named above: move them away")
            }
            throw Failure(
                .damaged,
                "\(path) is damaged: \(count) of "
                    + (report.backupCount == 1 ? "1 backup" : "\(report.backupCount) backups")
                    + " affected",
                hint:
                    "copy the files named above from another copy of the repository; until then, "
                    + "strongroom backup create --full creates a backup that does not need them; "
                    + "strongroom backup repair recovers what a copy or the database still has"
                    + (report.problems.lazy.map(VerificationReport.shreddingHint)
                        .first { !$0.isEmpty } ?? ""))
        }
        try requireHash(expectedHash(of: member), report, repository, of: path)
    }

    /// The chain that was verified must still have the manifest that was noted.
    private func requireHash(
        _ expectedHash: String?, _ report: VerificationReport, _ repository: BackupRepository,
        of path: String
    ) throws {
        guard let expectedHash, !report.chainContains(hash: expectedHash) else { return }
        let problem = "\(path) does not have the hash \(expectedHash)"
        try repository.remember(damage: problem)
        throw Failure(
            .damaged, problem,
            hint: "it was put back to an older state, or is another repository")
    }

    private func restore(
        _ name: String, _ repository: BackupRepository, _ keys: [CipherKey]?,
        in context: CommandContext
    ) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("strongroom-verify-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let work = CommandProgress(context: context, title: "restoring")
        let backup = try work.run { progress in
            let path = folder.appendingPathComponent("trial.db").path
            guard let keys else {
                return try repository.restore(name, to: path, progress: progress)
            }
            return try repository.restore(name, to: path, keys: keys, progress: progress)
        }
        guard !writesJSON else { return }
        try context.writeDone("backup \(backup.number) was restored on trial")
    }

    private func write(
        _ report: VerificationReport, _ member: BackupRoot.Member?, in context: CommandContext
    ) throws {
        let path = member?.path ?? path
        let output = context.output
        if writesJSON {
            return try output.writeLine(report.json.withRequests.text(of: member))
        }
        for line in ProblemList.lines(report.problems.map(\.message)) {
            try output.writeLine(line)
        }
        if !report.damagedBackups.isEmpty {
            let numbers = report.damagedBackups.sorted().map(String.init)
            try output.writeLine(
                "backups that cannot be restored as they were: " + numbers.joined(separator: ", "))
        }
        guard report.isSound else { return try output.flush() }
        guard context.verbosity != .quiet else { return }
        let count = report.backupCount == 1 ? "1 backup" : "\(report.backupCount) backups"
        let pages = report.pageCount == 1 ? "1 page" : "\(report.pageCount) pages"
        var text = "\(path): \(count), \(pages) verified"
        if report.authenticatedManifestCount > 0 {
            text += ", \(report.authenticatedPageCount) authenticated"
        }
        try output.writeLine(text)
        if !report.otherKeyBackups.isEmpty {
            let numbers = report.otherKeyBackups.sorted().map(String.init)
            try output.writeLine(
                "not authenticated, because they have other keys: \(numbers.count == 1 ? "backup" : "backups") "
                    + numbers.joined(separator: ", "))
        }
        try output.writeLine(report.signatureText)
        if let hash = report.hash { try output.writeLine("hash \(hash)") }
    }
}
