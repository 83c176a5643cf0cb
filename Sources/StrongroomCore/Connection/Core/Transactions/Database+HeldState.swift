// States that several connections hold without SQLite's functions for snapshots: each has begun to read
// while no commit came between.

extension Database {
    /// The latest commit of the log; nil when there is no index of it to share.
    var openHandleMark: LogMark? {
        (try? withHandle { handle in handle.logMark() }) ?? nil
    }

    /// - Throws: `SQLITE_ERROR` when the database has no log.
    func requireLog() throws {
        guard try String.fetchOne(self, sql: "PRAGMA journal_mode") == "wal" else {
            throw DatabaseError(
                code: .SQLITE_ERROR, message: "the database is not in WAL mode: it has no snapshots"
            )
        }
    }

    /// Ends the transaction in which a state is read.
    func endLastingRead() throws {
        transactionState.reliance = .none
        transactionState.mark = nil
        try rollback()
    }

    /// Has this connection read a state again that somebody has ended the transaction of.
    ///
    /// - Throws: `SQLITE_ERROR_SNAPSHOT` when there was a commit since.
    func holdAgain(_ mark: LogMark) throws {
        guard !isInsideTransaction || transactionState.reliance != .open else { return }
        try endLastingRead()
        try beginLastingRead()
        guard openHandleMark != mark else { return }
        try endLastingRead()
        throw Self.lostStateError
    }

    static var lostStateError: DatabaseError {
        DatabaseError(
            code: .SQLITE_ERROR_SNAPSHOT,
            message: "a connection of the snapshot has lost its state: its transaction was ended")
    }

    /// The mark of the state that this connection reads; nil when it reads none.
    ///
    /// - Throws: `SQLITE_ERROR` in a transaction that has written; `SQLITE_BUSY_SNAPSHOT` in one of
    ///   which it is not known which state it reads.
    func markOfCurrentRead() throws -> LogMark? {
        guard isInsideTransaction else { return nil }
        guard !transactionState.hasUncommittedChanges else {
            throw DatabaseError(
                code: .SQLITE_ERROR,
                message: "no snapshot can be taken: the transaction must not write")
        }
        if let mark = transactionState.mark { return mark }
        // Nobody can commit while this connection may.
        if try connection().isWriting { return nil }
        throw Self.passedStateError
    }

    static var passedStateError: DatabaseError {
        DatabaseError(
            code: .SQLITE_BUSY_SNAPSHOT,
            message: """
                no snapshot can be taken of what this transaction reads: there may have been a commit \
                since it began
                """)
    }
}
