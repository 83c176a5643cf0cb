public import StrongroomEssentials

/// The state of a repository, determined without reading pages.
public struct RepositoryStatus: Sendable {
    /// The newest backup of one database.
    public struct Database: Sendable {
        /// The name of the file, without its folder.
        public let name: String
        /// The last backup.
        ///
        /// Its size is the space that a restore needs; its ``Backup/keyIdentifier`` and
        /// ``Backup/cipherPragmas`` show what opens it.
        public let last: Backup
        /// How many backups of it are kept.
        public let backupCount: Int
        /// How long ago the last one was created; negative if a clock is wrong.
        public let age: TimeInterval

        /// Whether the last backup is older than this. A date in the future does not prove a recent
        /// backup.
        public func isOverdue(_ maximumAge: TimeInterval) -> Bool {
            age > maximumAge || age < -300
        }
    }

    /// Damage that this host found, and that no later verification has cleared.
    public struct Damage: Sendable, Equatable {
        /// When it was last found.
        public let date: Date
        /// The first of the problems, in a sentence without a full stop.
        public let problem: String
        /// Whether a restored backup is no sound database, so that no verification finds it.
        package var isUnsound = false
    }

    /// The date of this status.
    public let date: Date
    /// The databases, by their names.
    public let databases: [Database]
    /// The packs that kept backups need, but that are missing, truncated or unreadable.
    public let problems: [VerificationReport.Problem]
    /// The damage that this host found; nil if none, or if a verification has succeeded since.
    public let damage: Damage?
    /// When this host last verified everything successfully, with or without a key; nil for never.
    public let verified: Date?
    /// The same, with the keys of all kept backups.
    public let authenticated: Date?
    /// Whether this host has used the repository before, and remembers it.
    public let isRemembered: Bool
    /// Whether another host has changed the repository since this one used it.
    public let hasGoneOn: Bool
    /// The public key that signed it; nil for the first format, and without a backup.
    public let signer: String?
}

extension RepositoryStatus {
    /// The state of a repository for monitoring: the first of these that applies.
    public enum State: String, Sendable, CaseIterable {
        /// Packs that kept backups need are missing, or have the wrong size.
        case packsMissing
        /// This host found damage, and no verification has succeeded since.
        case verificationFailed
        /// It holds no backup.
        case noBackup
        /// A last backup is too old.
        case backupOverdue
        /// The last verification, or the last one with the keys of all backups, is too long ago.
        case verificationOverdue
        /// OK: this host does not remember the repository, and checked only names and sizes.
        case notRemembered
        /// OK: another host has changed the repository since this one used it.
        case goneOn
        /// OK: this host has verified it.
        case verified
        /// OK: this host has not verified it yet.
        case neverVerified

        /// Whether backups are damaged.
        public var isDamage: Bool { self == .packsMissing || self == .verificationFailed }
        /// Whether a backup or a verification is overdue, or there is no backup.
        public var isOverdue: Bool {
            self == .noBackup || self == .backupOverdue || self == .verificationOverdue
        }
    }

    /// The state for monitoring, with limits for the age of backups and verifications.
    ///
    ///     let status = try BackupRepository(path: "/backup/shop").status()
    ///     print(status.state(maximumAge: 26 * 3600))
    ///
    /// - Parameters:
    ///   - maximumAge: How old each last backup may be; if nil, any age is OK.
    ///   - verificationInterval: How long ago the last verification of everything may be, with or
    ///     without the key; if nil, none is required.
    ///   - authenticationInterval: How long ago the last one with the keys of all backups may be; if
    ///     nil, none is required.
    public func state(
        maximumAge: TimeInterval? = nil, verificationInterval: TimeInterval? = nil,
        authenticationInterval: TimeInterval? = nil
    ) -> State {
        if !problems.isEmpty { return .packsMissing }
        if damage != nil { return .verificationFailed }
        if databases.isEmpty { return .noBackup }
        if let maximumAge, databases.contains(where: { $0.isOverdue(maximumAge) }) {
            return .backupOverdue
        }
        if let verificationInterval, isDue(verified, after: verificationInterval) {
            return .verificationOverdue
        }
        if let authenticationInterval, isDue(authenticated, after: authenticationInterval) {
            return .verificationOverdue
        }
        guard isRemembered else { return .notRemembered }
        if hasGoneOn { return .goneOn }
        return verified == nil ? .neverVerified : .verified
    }

    /// Whether the last verification of everything, with or without the key, is longer ago than this.
    public func isVerificationDue(after interval: TimeInterval) -> Bool {
        isDue(verified, after: interval)
    }

    /// Whether the last verification with the keys of all backups is longer ago than this.
    public func isAuthenticationDue(after interval: TimeInterval) -> Bool {
        isDue(authenticated, after: interval)
    }

    private func isDue(_ verification: Date?, after interval: TimeInterval) -> Bool {
        guard let verification else { return true }
        // A date in the future proves no recent one.
        let age = date.timeIntervalSince(verification)
        return age > interval || age < -300
    }
}
