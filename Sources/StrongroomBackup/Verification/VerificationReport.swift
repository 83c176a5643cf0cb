import StrongroomCore

/// What a verification of a repository has found.
public struct VerificationReport: Sendable {
    /// One thing that is not as it should be.
    public struct Problem: Sendable, Equatable {
        /// The file of the repository.
        public let path: String
        /// What is wrong with it.
        public let message: String
    }

    /// What was found; empty if the repository is sound.
    public internal(set) var problems: [Problem] = []
    /// The numbers of the backups that cannot be restored as they were.
    public internal(set) var damagedBackups: Set<Int> = []
    /// The numbers of the backups of other keys than the one given: not authenticated.
    public internal(set) var otherKeyBackups: Set<Int> = []
    /// How many backups are kept.
    public internal(set) var backupCount = 0
    /// How many pages were read and hashed.
    public internal(set) var pageCount = 0
    /// How many of these were authenticated with the key.
    public internal(set) var authenticatedPageCount = 0
    /// How many manifests, of kept and pruned backups, have the seal of the key.
    public internal(set) var authenticatedManifestCount = 0
    /// The hash that vouches for all backups: of the last manifest. Note it elsewhere.
    ///
    /// A repository that was put back as a whole to an older state of itself verifies; its hash is
    /// another.
    public internal(set) var hash: String?

    /// The public key that has signed the repository; nil for the first format, and without a backup.
    public internal(set) var signer: String?
    /// Whether those whom the caller trusts have signed it; nil if none were named.
    ///
    /// These are the key given, if it is a database key, or the public key given.
    public internal(set) var isSignerTrusted: Bool?
    /// What there was to notice, in sentences.
    public internal(set) var notices: [String] = []

    /// The hashes of the manifests that were read, from the one that the head names down the chain.
    var chain: Set<String> = []
    /// The identifiers of the keys that authenticated, and of those of all kept backups.
    var keys: Set<String> = []
    var keptKeys: Set<String> = []
    private var seen: Set<String> = []

    /// Whether the chain of manifests that was verified from the head on has this hash.
    ///
    /// If it does, the backup that was noted with it is still part of the repository.
    ///
    ///     let report = try BackupRepository(path: "/backup/shop").verify()
    ///     print(report.chainContains(hash: "0f63cb5e"))
    public func chainContains(hash: String) -> Bool { chain.contains(hash) }

    /// Whether nothing was found.
    public var isSound: Bool { problems.isEmpty }

    mutating func add(_ error: any Error, _ path: String) throws {
        switch error {
        case let error as BackupError where [.damaged, .failed].contains(error.code):
            add(error.path, error.message)
        case is LongOperation.Stopped: throw error
        default: add(path, "\(error)")
        }
    }

    mutating func add(_ path: String, _ message: String) {
        guard seen.insert(path + "\n" + message).inserted else { return }
        problems.append(Problem(path: path, message: message))
    }
}
