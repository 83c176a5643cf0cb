internal import StrongroomEssentials

extension Database {
    /// How a transaction takes its locks. <https://www.sqlite.org/lang_transaction.html>
    public enum TransactionKind: String, Sendable {
        /// Acquires locks when statements need them.
        case deferred = "DEFERRED"
        /// Acquires the write lock immediately.
        case immediate = "IMMEDIATE"
        /// Acquires the write lock immediately, and outside WAL also blocks readers.
        case exclusive = "EXCLUSIVE"
    }

    /// How a transaction ends.
    public enum TransactionCompletion: Sendable {
        /// Its changes stay.
        case commit
        /// Its changes are undone.
        case rollback
    }

    /// Whether a transaction is open.
    public var isInsideTransaction: Bool {
        openConnection.map { !$0.isAutocommit } ?? false
    }

    /// Begins a transaction.
    ///
    /// - Parameter kind: If nil, `.immediate`, or `.deferred` if writes are forbidden.
    /// - Throws: `SQLITE_BUSY`; `SQLITE_ERROR` inside another transaction.
    public func beginTransaction(_ kind: TransactionKind? = nil) throws {
        let isReadOnly = configuration.readonly || access.readOnlyDepth > 0
        let kind = kind ?? (isReadOnly ? .deferred : .immediate)
        try keptStatements.control.execute(.begin(kind), on: self)
    }

    /// Commits the transaction. If this throws, roll back.
    ///
    /// - Throws: `SQLITE_BUSY`, `SQLITE_FULL` or another `DatabaseError`, such as
    ///   `SQLITE_CONSTRAINT_FOREIGNKEY` for a deferred foreign key; what an observer throws in
    ///   `databaseWillCommit()`.
    public func commit() throws {
        try keptStatements.control.execute(.commit, on: self)
    }

    /// Rolls the transaction back; outside a transaction, it does nothing.
    ///
    /// - Throws: `DatabaseError`; the transaction may still be open.
    public func rollback() throws {
        guard isInsideTransaction else { return }
        try withstandInterruptions { try keptStatements.control.execute(.rollback, on: self) }
    }

    /// Undoing is what an interruption asks for: one that comes during it must not end it.
    ///
    /// SQLite interrupts all that starts until no statement runs any more that was interrupted.
    /// Those that stand on a row end here. One that is calling the function in which this is done
    /// can't be ended, so that trying again would never do.
    ///
    /// - Parameter limit: How often to try. Someone may interrupt so often that nothing is prepared.
    private func withstandInterruptions(_ limit: Int = .max, _ body: () throws -> Void) throws {
        var tries = 0
        while true {
            do {
                return try body()
            } catch {
                guard Self.isInterruption(error), tries < limit else { throw error }
                runningStatements.endInterrupted()
                if try connection().hasBusyStatement { throw error }
                tries += 1
            }
        }
    }

    private static func isInterruption(_ error: any Error) -> Bool {
        error is CancellationError
            || (error as? DatabaseError)?.resultCode == .SQLITE_INTERRUPT
    }

    /// Wraps statements in a transaction.
    ///
    /// If the transaction ends inside the closure, every further statement throws `SQLITE_ABORT`
    /// until the closure ends. SQLite ends a transaction when the disk is full, for example.
    ///
    /// - Throws: What `operations` throws, and `DatabaseError`; the transaction is then rolled
    ///   back. `SQLITE_ABORT` if it ended early, unless it was rolled back and `operations`
    ///   returned `.rollback`.
    public func inTransaction(
        _ kind: TransactionKind? = nil, _ operations: () throws -> TransactionCompletion
    ) throws {
        try beginTransaction(kind)
        try complete(operations) {
            transactionState.reliance = .none
            try commit()
        } rollback: {
            transactionState.reliance = .none
            try rollback()
        }
    }

    /// Wraps statements in a transaction that commits unless they throw.
    func transaction<T>(_ kind: TransactionKind? = nil, _ body: () throws -> T) throws -> T {
        var result: T?
        try inTransaction(kind) {
            result = try body()
            return .commit
        }
        guard let result else { throw Self.abortedTransactionError }
        return result
    }

    /// Reads one state of the database, without writing.
    func isolatedRead<T>(_ value: (Database) throws -> T) throws -> T {
        try readOnly {
            defer { transactionState.mark = nil }
            learnOfLog()
            return try transaction(.deferred) {
                noteMark()
                return try value(self)
            }
        }
    }

    /// Notes the latest commit, before the transaction that has begun reads anything.
    private func noteMark() {
        guard !LogSnapshot.isAvailable, standing.hasLog == true else { return }
        transactionState.mark = openHandleMark
    }

    /// Finds out whether the database has a log. Of one without, asking for the mark would make the
    /// index of a log, and keep it.
    private func learnOfLog() {
        guard !LogSnapshot.isAvailable, standing.hasLog == nil else { return }
        // It is no statement of the app's.
        let wasHidden = hooks.hidesStatements
        hooks.hidesStatements = true
        defer { hooks.hidesStatements = wasHidden }
        let mode = try? withHandle { handle throws(DatabaseError) in
            try handle.firstText("PRAGMA journal_mode")
        }
        standing.hasLog = mode == "wal"
    }

    /// Makes the transaction that was begun see the state of this moment: SQLite itself waits for
    /// its first read.
    func acquireSnapshot() throws {
        _ = try Int.fetchOne(self, sql: "SELECT 1 FROM sqlite_master LIMIT 1")
    }

    /// Begins to read the state of this moment. Once that transaction has ended, for example by an
    /// input/output error, nothing is read any more: it would be another state.
    func beginLastingRead() throws {
        learnOfLog()
        try beginTransaction(.deferred)
        noteMark()
        try acquireSnapshot()
        transactionState.reliance = .open
    }

    /// Wraps statements in a savepoint, or in a transaction if none is open.
    ///
    ///     try db.inSavepoint {
    ///         try player.insert(db)
    ///         return player.score > 0 ? .commit : .rollback
    ///     }
    ///
    /// - Throws: What `operations` throws, and `DatabaseError`; the changes made inside are undone.
    ///   `SQLITE_ABORT` as for `inTransaction(_:_:)`.
    public func inSavepoint(_ operations: () throws -> TransactionCompletion) throws {
        guard isInsideTransaction else { return try inTransaction(nil, operations) }
        // One name for all, the one that traces of GRDB show: SQLite takes the innermost.
        try execute(sql: "SAVEPOINT grdb")
        try complete(operations) {
            try execute(sql: "RELEASE SAVEPOINT grdb")
        } rollback: {
            guard isInsideTransaction else { return }
            do {
                try withstandInterruptions(100) {
                    try execute(sql: "ROLLBACK TRANSACTION TO SAVEPOINT grdb")
                }
                try withstandInterruptions(100) { try execute(sql: "RELEASE SAVEPOINT grdb") }
            } catch {
                // What could not be undone alone must not be committed with the rest.
                try? self.rollback()
                throw error
            }
        }
    }

    /// Runs the body of a transaction or savepoint that is open, and ends it.
    private func complete(
        _ operations: () throws -> TransactionCompletion,
        commit: () throws -> Void, rollback: () throws -> Void
    ) throws {
        let outer = transactionState.reliance
        transactionState.reliance = .open
        // A transaction that is lost is lost for the wrappers around as well.
        defer { if outer == .none { transactionState.reliance = .none } }
        let completion: TransactionCompletion
        do {
            completion = try operations()
        } catch {
            // The reason that the caller wants is the first one.
            try? rollback()
            throw error
        }
        noteLossOfTransaction()
        guard transactionState.reliance == .open else {
            // A transaction that was begun after the end of ours is not ours to keep.
            try? self.rollback()
            if completion == .rollback, transactionState.reliance == .rolledBack { return }
            throw Self.abortedTransactionError
        }
        switch completion {
        case .rollback:
            try rollback()
        case .commit:
            do {
                try commit()
            } catch {
                try? rollback()
                throw error
            }
        }
    }

    /// Takes note that the transaction of the wrappers is over, if it is.
    func noteLossOfTransaction(as loss: TransactionState.Reliance = .rolledBack) {
        guard transactionState.reliance == .open, !isInsideTransaction else { return }
        transactionState.reliance = loss
    }

    /// - Throws: `SQLITE_ABORT` in a closure whose transaction ended before its time.
    func requireNoLostTransaction(
        for sql: @autoclosure () -> String? = nil
    ) throws(DatabaseError) {
        noteLossOfTransaction()
        switch transactionState.reliance {
        case .none, .open: return
        case .rolledBack, .committed: throw Self.abortedTransaction(sql: sql())
        }
    }

    /// Runs a closure that has transactions of its own, outside of those of the wrappers.
    func withoutReliance<T>(_ body: () throws -> T) rethrows -> T {
        let reliance = transactionState.reliance
        transactionState.reliance = .none
        defer { transactionState.reliance = reliance }
        return try body()
    }

    /// Runs a closure on behalf of those who observe: the cancellation of the task whose access this is
    /// does not stop it, nor does it run in the transactions of the wrappers.
    func forObservers<T>(_ body: () throws -> T) rethrows -> T {
        let isForOthers = signals.isForOthers
        signals.isForOthers = true
        defer { signals.isForOthers = isForOthers }
        return try withoutReliance(body)
    }

    /// Forbids writes during a closure: they throw `SQLITE_READONLY`.
    ///
    /// Writes by a custom function itself, or through the C API, are not detected before the first
    /// statement that can write.
    ///
    ///     let count = try db.readOnly { try Player.fetchCount(db) }
    ///
    /// - Throws: `DatabaseError`, and what the closure throws.
    public func readOnly<T>(_ value: () throws -> T) throws -> T {
        access.readOnlyDepth += 1
        let result = Result { try value() }
        access.readOnlyDepth -= 1
        if access.readOnlyDepth == 0, access.isQueryOnly, !configuration.isQueryOnly {
            try setQueryOnly(false)
        }
        return try result.get()
    }

    /// Lets SQLite itself refuse writes, from the first statement that may write.
    ///
    /// Not before: `PRAGMA query_only` makes SQLite prepare every statement of the connection
    /// again, which is twenty times the cost of a small read.
    func guardAgainstWrites() throws(DatabaseError) {
        if !access.isQueryOnly { try setQueryOnly(true) }
    }

    func setQueryOnly(_ isOn: Bool) throws(DatabaseError) {
        try withHandle { handle throws(DatabaseError) in
            try handle.execute(isOn ? "PRAGMA query_only = 1" : "PRAGMA query_only = 0")
        }
        access.isQueryOnly = isOn
    }

    static var abortedTransactionError: DatabaseError { abortedTransaction(sql: nil) }

    private static func abortedTransaction(sql: String?) -> DatabaseError {
        DatabaseError(code: .SQLITE_ABORT, message: "Transaction was aborted", sql: sql)
    }
}
