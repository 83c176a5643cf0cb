public import StrongroomEssentials

/// The state of a repository, as far as it is known without reading pages.
public struct RepositoryStatus: Sendable {
    /// The newest backup of one database.
    public struct Database: Sendable {
        /// The name of the file, without its folder.
        public let name: String
        /// The last backup.
        ///
        /// Its size is the room that it takes to restore it, and its ``Backup/keyIdentifier`` and
        /// ``Backup/cipherPragmas`` tell what opens it.
        public let last: Backup
        /// How many backups of it are kept.
        public let backupCount: Int
        /// How long ago the last one was made; negative if a clock is wrong.
        public let age: TimeInterval

        /// Whether the last backup is older than that. A date that lies ahead proves no recent backup.
        public func isOverdue(_ maximumAge: TimeInterval) -> Bool {
            age > maximumAge || age < -300
        }
    }

    /// Damage that this host found, and that no verification since has found to be gone.
    public struct Damage: Sendable, Equatable {
        /// When it was found last.
        public let date: Date
        /// The first of the problems, in a sentence without a full stop.
        public let problem: String
    }

    /// When it was looked.
    public let date: Date
    /// The databases, by their names.
    public let databases: [Database]
    /// The packs that kept backups need, and that are missing, cut, or cannot be read.
    public let problems: [VerificationReport.Problem]
    /// The damage that this host has found; nil if there is none, or a verification has succeeded since.
    public let damage: Damage?
    /// When this host last found the whole to be sound, with or without a key; nil for never.
    public let verified: Date?
    /// The same, with the key.
    public let authenticated: Date?
    /// Whether this host has used the repository before, and remembers it.
    public let isRemembered: Bool
    /// Whether the repository was changed by another host since this one used it.
    public let hasGoneOn: Bool
    /// The public key that has signed it; nil for the first format, and without a backup.
    public let signer: String?
}

extension RepositoryStatus {
    /// What a monitor is to make of a repository: the first of these that applies.
    public enum State: String, Sendable, CaseIterable {
        /// Packs that kept backups need are missing, or have another size than they should have.
        case packsMissing
        /// This host found damage, and no verification has succeeded since.
        case verificationFailed
        /// A last backup is too old, or there is none.
        case backupOverdue
        /// The last verification, or the last one with the key, is too long ago.
        case verificationOverdue
        /// All is well: this host has no memory of the repository, and looked at names and sizes alone.
        case notRemembered
        /// All is well: another host has changed the repository since this one used it.
        case goneOn
        /// All is well: this host has verified it.
        case verified
        /// All is well: this host has not verified it yet.
        case neverVerified

        /// Whether backups are damaged.
        public var isDamage: Bool { self == .packsMissing || self == .verificationFailed }
        /// Whether something is late.
        public var isOverdue: Bool { self == .backupOverdue || self == .verificationOverdue }
    }

    /// The state, for a monitor that asks for backups and verifications of some age.
    ///
    ///     let status = try BackupRepository(path: "/backup/shop").status()
    ///     print(status.state(maximumAge: 26 * 3600))
    ///
    /// - Parameters:
    ///   - maximumAge: How old each last backup may be; without it any age is right.
    ///   - verificationInterval: How long ago the last verifications may be, without the key and with it;
    ///     without it none is asked for.
    public func state(
        maximumAge: TimeInterval? = nil, verificationInterval: TimeInterval? = nil
    ) -> State {
        if !problems.isEmpty { return .packsMissing }
        if damage != nil { return .verificationFailed }
        if let maximumAge,
            databases.isEmpty || databases.contains(where: { $0.isOverdue(maximumAge) })
        {
            return .backupOverdue
        }
        if let verificationInterval, isVerificationDue(after: verificationInterval) {
            return .verificationOverdue
        }
        guard isRemembered else { return .notRemembered }
        if hasGoneOn { return .goneOn }
        return verified == nil ? .neverVerified : .verified
    }

    /// Whether a verification, or one with the key, is longer ago than that.
    public func isVerificationDue(after interval: TimeInterval) -> Bool {
        [verified, authenticated].contains { isDue($0, after: interval) }
    }

    package func isDue(_ verification: Date?, after interval: TimeInterval) -> Bool {
        verification.map { date.timeIntervalSince($0) > interval } ?? true
    }
}
