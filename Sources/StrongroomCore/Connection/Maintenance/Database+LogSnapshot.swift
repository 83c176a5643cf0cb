extension Database {
    /// Calls a function with the state that this connection reads, and holds it meanwhile.
    func withLogSnapshot(_ body: (LogSnapshot) throws -> Void) throws {
        guard !isInsideTransaction else { return try body(LogSnapshot(readBy: connection())) }
        try isolatedRead { _ in try body(LogSnapshot(readBy: connection())) }
    }

    /// Has this connection read a state, unless it does so already.
    func hold(_ snapshot: LogSnapshot) throws {
        // What is expected stays so until somebody ends the transaction.
        guard !isInsideTransaction || transactionState.reliance != .open else { return }
        transactionState.reliance = .none
        try rollback()
        try beginTransaction(.deferred)
        do {
            try snapshot.open(on: connection())
        } catch {
            try? rollback()
            throw error
        }
        transactionState.reliance = .open
    }

    /// Whether there is no snapshot of the log because nothing was committed to it yet.
    ///
    /// - Throws: `SQLITE_ERROR` when the database has no log at all.
    func isLogWithoutCommit() throws -> Bool {
        guard !isInsideTransaction else { return false }
        guard try String.fetchOne(self, sql: "PRAGMA journal_mode") == "wal" else {
            throw DatabaseError(
                code: .SQLITE_ERROR, message: "the database is not in WAL mode: it has no snapshots"
            )
        }
        do {
            try withLogSnapshot { _ in }
            return false
        } catch DatabaseError.SQLITE_ERROR {
            return true
        }
    }

    /// Commits something that changes nothing to a log without a commit, if this connection may.
    func ensureLogHasCommit() throws {
        guard !configuration.readonly, access.readOnlyDepth == 0, try isLogWithoutCommit() else {
            return
        }
        try inTransaction(.immediate) {
            let version = try Int.fetchOne(self, sql: "PRAGMA user_version") ?? 0
            try execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }

    /// - Throws: `SQLITE_CANTOPEN` when the database is in memory, or temporary.
    func requireFilePath() throws(DatabaseError) -> String {
        guard let path = try connection().fileName(schema: "main"), !path.isEmpty
        else {
            throw DatabaseError(
                code: .SQLITE_CANTOPEN, message: "the database is in no file: it has no snapshots")
        }
        return path
    }
}
