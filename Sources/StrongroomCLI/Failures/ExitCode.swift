/// How a run ended, as the shell sees it. Scripts rely on these numbers: they never change.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    case failed = 1
    case usage = 2
    case notFound = 10
    case inUse = 11
    case wrongKey = 12
    case damaged = 13
    case notADatabase = 14
    case otherSettings = 15
    case twoKeys = 16
    case foreignLog = 17
    case keyNeeded = 18
    case overdue = 19
    case foreignKeyring = 20
    case outdatedFile = 21
    case syncFinding = 22
    case notMember = 23
    case hungUp = 129
    case interrupted = 130
    case terminated = 143

    /// What the code means, for the help text and the documentation.
    package var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed"
        case .usage: "the command line was not understood"
        case .notFound: "the database, repository or backup is not there"
        case .inUse: "the database is in use by another program"
        case .wrongKey: "the key does not open the database"
        case .damaged: "the database is damaged"
        case .notADatabase: "not a database, or not encrypted where it should be"
        case .otherSettings: "doctor: the right key, and other cipher settings"
        case .twoKeys: "doctor: the pages have two keys"
        case .foreignLog: "the log is of another database, or damaged"
        case .keyNeeded: "a key is needed, and none was given"
        case .overdue: "backup status: a backup or a verification is overdue"
        case .foreignKeyring: "the keyring is another database's, or forged"
        case .outdatedFile: "the file is older than the last change of its key"
        case .syncFinding: "sync: devices or hub disagree; verify found a problem"
        case .notMember: "sync: this device is no member of the space"
        case .hungUp: "the terminal went away"
        case .interrupted: "interrupted (Ctrl-C)"
        case .terminated: "terminated"
        }
    }

    /// The name of the code in errors that are written as JSON.
    package var name: String {
        switch self {
        case .done: "done"
        case .failed: "failed"
        case .usage: "usage"
        case .notFound: "notFound"
        case .inUse: "inUse"
        case .wrongKey: "wrongKey"
        case .damaged: "damaged"
        case .notADatabase: "notADatabase"
        case .otherSettings: "otherSettings"
        case .twoKeys: "twoKeys"
        case .foreignLog: "foreignLog"
        case .keyNeeded: "keyNeeded"
        case .overdue: "overdue"
        case .foreignKeyring: "foreignKeyring"
        case .outdatedFile: "outdatedFile"
        case .syncFinding: "syncFinding"
        case .notMember: "notMember"
        case .hungUp: "hungUp"
        case .interrupted: "interrupted"
        case .terminated: "terminated"
        }
    }
}
