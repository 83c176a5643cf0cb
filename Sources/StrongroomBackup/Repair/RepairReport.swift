/// What a repair of a repository has done, and what is left to do.
public struct RepairReport: Sendable {
    /// What was found before.
    public internal(set) var before: VerificationReport
    /// What is left; with a dry run, what was found before.
    public internal(set) var after: VerificationReport
    /// The files that have the bytes that they should have again, or would get them.
    public internal(set) var repairedFiles: [String] = []
    /// How many pages and nodes were brought back in files that were there.
    public internal(set) var repairedEntryCount = 0
    /// The backup of the database that was made at the end; nil if none was given, and for a dry run.
    public internal(set) var newBackup: Backup?
    /// What there was to notice, in sentences.
    public internal(set) var notices: [String] = []

    init(_ report: VerificationReport) {
        before = report
        after = report
    }

    /// Whether each kept backup can be restored as it was.
    public var isSound: Bool { after.isSound }

    /// The numbers of the backups that could not be restored before, and can be now.
    public var healedBackups: Set<Int> { before.damagedBackups.subtracting(after.damagedBackups) }
}
