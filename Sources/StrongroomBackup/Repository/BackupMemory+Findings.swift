extension BackupMemory {
    /// The outcome of a look at all that is stored.
    ///
    /// 1. Damage stays until a verification succeeds that would find it again: one that reads all, with
    ///    each key under which damage was looked for, as long as a backup of that key is kept, and with a
    ///    trusted signer if there was none.
    /// 2. A part that is found to be sound proves nothing of the rest. A part that is damaged is damage.
    /// 3. That the caller does not trust the signer is damage, unless this host knows the signer: then it
    ///    was the caller who named a wrong key.
    /// 4. Who gives a key authenticates the backups of that key: all are authenticated once each kept backup
    ///    is.
    struct Finding: Sendable {
        /// When the work ended.
        var date: String
        /// The first of the problems, as a sentence; nil if there is none.
        var problem: String?
        /// The same, but that the signer is none that the caller trusts.
        var problemBesidesDistrust: String?
        /// Whether all was read, and not a sample.
        var isWhole: Bool
        /// Whether a key was given.
        var isAuthenticated = false
        /// The identifiers of the keys that authenticated.
        var keys: Set<String> = []
        /// The identifiers of the keys of all kept backups.
        var keptKeys: Set<String> = []
        /// Whether those have signed that the caller trusts; nil if none were named.
        var isSignerTrusted: Bool?
    }
}

extension BackupMemory.Entry {
    /// What a verification found that did not succeed.
    struct Damage: Codable, Equatable, Sendable {
        var date: String
        var problem: String
        /// The identifiers of the keys with which it was looked for.
        var keys: [String]
        /// Whether those had not signed that the caller trusts.
        var lacksSigner: Bool
    }

    /// A backup that was restored with its key, and is what was backed up, but no sound database.
    ///
    /// No verification sees that, so none makes up for it: only that it, or a later backup of the database,
    /// is restored and sound, or that it and all later ones are removed.
    struct Unsound: Codable, Equatable, Sendable {
        var date: String
        var backup: UInt32
        /// Where it stands among the others: a backup that is encrypted again keeps its place.
        var position: UInt32?
        var database: String
    }

    mutating func noteUnsound(_ backup: Backup, at date: String) {
        let found = Unsound(
            date: date, backup: backup.manifest.sequence, position: UInt32(backup.position),
            database: backup.databaseName)
        let others = (unsound ?? []).filter { $0.database != found.database }
        unsound = (others + [found]).suffix(Self.databaseLimit)
    }

    mutating func noteSound(_ backup: Backup) {
        unsound?.removeAll {
            $0.database == backup.databaseName && ($0.position ?? $0.backup) <= backup.position
        }
        if unsound?.isEmpty == true { unsound = nil }
    }

    /// What is remembered of a repository stays small.
    private static let databaseLimit = 100

    /// The databases of both, the new ones last.
    static func merging(_ known: [String]?, _ new: [String]?) -> [String]? {
        guard let known, let new else { return known ?? new }
        return Array((known.filter { !new.contains($0) } + new).suffix(databaseLimit))
    }

    mutating func note(_ finding: BackupMemory.Finding) {
        var finding = finding
        if finding.problem != nil, finding.isSignerTrusted == false, knowsSigner == true {
            guard let other = finding.problemBesidesDistrust else { return }
            finding.problem = other
            finding.isSignerTrusted = nil
        }
        if finding.isSignerTrusted == true { knowsSigner = true }
        guard let problem = finding.problem else { return noteSoundness(finding) }
        damage = Damage(
            date: finding.date, problem: problem,
            keys: finding.keys.union(damage?.keys ?? []).sorted(),
            lacksSigner: finding.isSignerTrusted == false || damage?.lacksSigner == true)
    }

    private mutating func noteSoundness(_ finding: BackupMemory.Finding) {
        guard finding.isWhole else { return }
        verified = finding.date
        if finding.isAuthenticated, finding.keptKeys.isSubset(of: finding.keys) {
            authenticated = finding.date
        }
        guard let known = damage else { return }
        let missing = finding.keptKeys.intersection(known.keys).subtracting(finding.keys)
        if missing.isEmpty, finding.isSignerTrusted == true || !known.lacksSigner { damage = nil }
    }
}
