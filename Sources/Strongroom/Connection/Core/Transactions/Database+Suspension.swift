public import Foundation

// A suspended connection takes no lock: a process that is frozen while it holds one stops all others.

extension Database {
    /// Suspends the databases opened with `Configuration.observesSuspensionNotifications`.
    ///
    /// They take no new lock until `resumeNotification`: statements that need one throw
    /// `SQLITE_ABORT`, those that run throw `SQLITE_INTERRUPT`, and an open write transaction is
    /// rolled back. Reads of a write-ahead log go on, those in other journal modes do not.
    /// Suspension is experimental: it may change without notice.
    public static let suspendNotification = Notification.Name("Strongroom.Database.suspend")

    /// Resumes suspended databases.
    public static let resumeNotification = Notification.Name("Strongroom.Database.resume")

    /// To be called when the journal mode may have changed.
    func noteLocking() throws(DatabaseError) {
        access.readsTakeNoLock = try withHandle { handle throws(DatabaseError) in
            try handle.firstText("PRAGMA journal_mode") == "wal"
        }
    }

    /// - Throws: `SQLITE_ABORT` unless the statement takes no lock that stops others.
    func requireNoLock(_ statement: Statement) throws(DatabaseError) {
        rollbackWhileSuspended()
        switch statement.kind {
        case .commit, .release, .rollbackToSavepoint: return
        case .begin where statement.isReadonly: return
        default: break
        }
        guard statement.isReadonly, access.readsTakeNoLock else {
            throw DatabaseError(
                code: .SQLITE_ABORT, message: "Database is suspended", sql: statement.sql)
        }
    }

    /// Lets the write lock go, and with it what was not committed.
    func rollbackWhileSuspended() {
        guard let connection = openConnection, connection.isWriting else {
            return
        }
        try? rollback()
    }
}
