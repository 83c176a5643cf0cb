// A suspended connection takes no lock: a process that is frozen while it holds one stops all others.

extension Database {
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
