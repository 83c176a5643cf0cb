import StrongroomCore

/// The result of verifying a repository.
public struct VerificationReport: Sendable {
    /// One problem.
    public struct Problem: Sendable, Equatable {
        /// The file of the repository.
        public let path: String
        /// What is wrong with it.
        public let message: String
    }

    /// What was found; empty if the repository is sound.
    public internal(set) var problems: [Problem] = []
    /// The numbers of the backups that cannot be restored.
    public internal(set) var damagedBackups: Set<Int> = []
    /// The kept backups of which only their key could show that they are what was made.
    package internal(set) var unvouchedBackups: Set<Int> = []
    /// The numbers of the backups with other keys than the given one, which were not authenticated.
    public internal(set) var otherKeyBackups: Set<Int> = []
    /// How many backups are kept.
    public internal(set) var backupCount = 0
    /// How many pages were read and hashed.
    public internal(set) var pageCount = 0
    /// How many of these were authenticated with the key.
    public internal(set) var authenticatedPageCount = 0
    /// How many manifests, of kept and pruned backups, have the seal of the key.
    public internal(set) var authenticatedManifestCount = 0
    /// The hash of the last manifest, which covers all backups. Note it elsewhere.
    ///
    /// If the whole repository was put back to an older state, it still verifies, but its hash
    /// differs.
    public internal(set) var hash: String?

    /// The public key that signed the repository; nil for the first format, and without a backup.
    public internal(set) var signer: String?
    /// Whether a trusted key signed it; nil if you passed none.
    ///
    /// Trusted keys are the given database key and the given public key.
    public internal(set) var isSignerTrusted: Bool?
    /// Notices for the user, one sentence each.
    public internal(set) var notices: [String] = []

    /// The hashes of the manifests that were read, from the one that the head names down the chain.
    var chain: Set<String> = []
    /// The identifiers of the keys that authenticated, and of those of all kept backups.
    var keys: Set<String> = []
    var keptKeys: Set<String> = []
    /// That the signer is none that the caller trusts: the caller may have named the wrong one.
    private var distrust: Problem?
    /// What else was found.
    var problemsBesidesDistrust: [Problem] { problems.filter { $0 != distrust } }
    private var seen: Set<String> = []

    /// Whether the verified chain of manifests contains this hash.
    ///
    /// If so, the backup that you noted with it is still part of the repository.
    ///
    ///     let report = try BackupRepository(path: "/backup/shop").verify()
    ///     print(report.chainContains(hash: "0f63cb5e"))
    public func chainContains(hash: String) -> Bool { chain.contains(hash) }

    /// Adds a notice.
    package mutating func note(_ notice: String) { notices.append(notice) }

    /// Whether no problem was found.
    public var isSound: Bool { problems.isEmpty }

    mutating func add(_ error: any Error, _ path: String) throws {
        switch error {
        case let error as BackupError where [.damaged, .failed].contains(error.code):
            add(error.path, error.message)
        case is LongOperation.Stopped: throw error
        default: add(path, "\(error)")
        }
    }

    mutating func addDistrust(_ path: String, _ message: String) {
        distrust = Problem(path: path, message: message)
        add(path, message)
    }

    mutating func add(_ path: String, _ message: String) {
        guard seen.insert(path + "\n" + message).inserted else { return }
        problems.append(Problem(path: path, message: message))
    }
}
