/// What a repair of a repository did, and which damage is left.
public struct RepairReport: Sendable {
    /// The damage before the repair.
    public internal(set) var before: VerificationReport
    /// The damage after the repair; with a dry run, the damage before.
    public internal(set) var after: VerificationReport
    /// The files that were repaired, or would be.
    public internal(set) var repairedFiles: [String] = []
    /// How many pages and nodes were repaired in existing files.
    public internal(set) var repairedEntryCount = 0
    /// The backup of the database that was created at the end; nil without a database, and for a
    /// dry run.
    public internal(set) var newBackup: Backup?
    /// Notices for the user, one sentence each.
    public internal(set) var notices: [String] = []

    init(_ report: VerificationReport) {
        before = report
        after = report
    }

    /// Whether every kept backup can be restored.
    public var isSound: Bool { after.isSound }

    /// The numbers of the backups that could not be restored before, and can be now.
    public var healedBackups: Set<Int> { before.damagedBackups.subtracting(after.damagedBackups) }
}
