// What statements ask of their connection, and tell it.

extension Database {
    /// Called before a statement's first step.
    ///
    /// - Throws: Why it must not run now.
    func willExecute(_ statement: Statement) throws {
        if let refusal = standing.refusal { throw refusal.error }
        if signals.isAnyRaised { try heedSignals(before: statement) }
        if !statement.isReadonly {
            if access.readOnlyDepth > 0 { try guardAgainstWrites() }
            if standing.needsKeyToWrite { try requireKeyToWrite() }
        }
        observation.recorder?.note(statement)
        let isAutocommit =
            try connection().isAutocommit && !hasUnfinishedWrite
        if transactionState.reliance != .none {
            if standing.holdsState { try requireNoEnd(by: statement) }
            if statement.kind != .rollback { try requireNoLostTransaction(for: statement.sql) }
        }
        transactionState.wasOpen = !isAutocommit
        if isAutocommit {
            transactionState.hasUncommittedChanges = false
            transactionState.date = nil
            // A query writes nothing, and may run while a write goes on that began before it: the
            // look at the schema for what that write does, to begin with.
            if !statement.isReadonly || statement.kind != .query {
                transactionState.written = observation.commits.isRecorded ? [] : nil
            }
        } else if !statement.isReadonly {
            transactionState.hasUncommittedChanges = true
        }
        if mayCommit(statement, isAutocommit) { try requireFileInPlace() }
        guard !statement.isReadonly else { return }
        if transactionState.written != nil { noteWrites(of: statement) }
        if changes.isObserved { changes.willRun(statement) }
    }

    /// Whether a statement has written, and has not ended: SQLite commits what others write when it
    /// ends, unless a transaction is open.
    var hasUnfinishedWrite: Bool {
        guard !runningStatements.isEmpty, let connection = openConnection else { return false }
        return connection.isWriting
    }

    /// - Throws: `SQLITE_MISUSE` for a statement that would let go of the state of a snapshot.
    private func requireNoEnd(by statement: Statement) throws(DatabaseError) {
        guard [.commit, .rollback].contains(statement.kind) else { return }
        throw DatabaseError(
            code: .SQLITE_MISUSE,
            message:
                "the transaction of a snapshot is not ended: its state could not be read again",
            sql: statement.sql)
    }

    private func mayCommit(_ statement: Statement, _ isAutocommit: Bool) -> Bool {
        switch statement.kind {
        case .commit, .release: transactionState.hasUncommittedChanges
        case .begin, .rollback, .savepoint, .rollbackToSavepoint: false
        case .query, .schemaChange, .other: isAutocommit && !statement.isReadonly
        }
    }

    /// What is committed to a file that nobody else can find is lost.
    ///
    /// - Throws: `SQLITE_READONLY_DBMOVED`.
    private func requireFileInPlace() throws(DatabaseError) {
        if try connection().hasFileMoved { throw Self.movedError }
    }

    static var movedError: DatabaseError {
        DatabaseError(
            code: .SQLITE_READONLY_DBMOVED,
            message: """
                the file of the database was replaced, renamed or deleted since it was opened: \
                close the database, and open it again
                """)
    }

    private func noteWrites(of statement: Statement) {
        switch statement.kind {
        case .query:
            // To find them, other statements run: nothing of the state may be in change meanwhile.
            let kinds = statement.effects.kinds
            transactionState.written?.formUnion(kinds)
        // BEGIN IMMEDIATE is no reader, but changes nothing.
        case .begin, .commit, .rollback, .savepoint, .release, .rollbackToSavepoint: break
        // What a change of the schema does to rows, its statement does not tell.
        case .schemaChange, .other: transactionState.written = nil
        }
    }

    /// Called after a statement's last step.
    ///
    /// - Throws: What an observer throws to refuse the commit of a transaction that changed nothing.
    func didExecute(_ statement: Statement) throws {
        schemaCache.note(statement.kind)
        if statement.kind == .schemaChange, configuration.requiresEncryption {
            try requireKeysOfAttachedFiles(after: statement)
        }
        if statement.kind == .other, configuration.observesSuspensionNotifications,
            statement.sql.lowercased().contains("journal_mode")
        {
            try noteLocking()
        }
        switch statement.kind {
        case .commit, .release: noteLossOfTransaction(as: .committed)
        case .rollback: noteLossOfTransaction(as: .rolledBack)
        default: break
        }
        if !statement.isReadonly || statement.kind != .query {
            try noteEndOfTransaction(after: statement)
        }
    }

    /// Called when a statement that writes is given up between two rows that it returns: all that
    /// it does was done before the first, and is committed now unless a transaction is open.
    func didEndEarly(_ statement: Statement) {
        // Nobody is there to hear of a commit that was refused, but the observers.
        if changes.refusal != nil { return noteEndOfTransaction(afterFailureOf: statement) }
        try? didExecute(statement)
    }

    /// Called when a statement has failed; gives what to throw.
    func failure(of statement: Statement, _ error: DatabaseError) -> any Error {
        schemaCache.note(statement.kind)
        let error = firstError(insteadOf: error)
        let refusal = changes.refusal
        noteLossOfTransaction()
        noteEndOfTransaction(afterFailureOf: statement)
        if let refusal {
            // A refused RELEASE leaves behind a transaction in which nothing is.
            try? rollback()
            return refusal
        }
        guard statement.kind != .rollback else { return error }
        if signals.isSuspended { rollbackWhileSuspended() }
        return cancellation(insteadOf: error)
    }

    /// What to throw for an error, which may be the interruption of what a cancelled task does.
    func cancellation(insteadOf error: DatabaseError) -> any Error {
        signals.isCancelled && error.resultCode == .SQLITE_INTERRUPT ? CancellationError() : error
    }

    /// Does once more what the cancellation of another's task has interrupted: it came just before, and
    /// does not come again.
    package func withstandingCancellation<T>(
        _ body: () -> Result<T, any Error>
    ) -> Result<T, any Error> {
        let result = body()
        guard case .failure(let error as DatabaseError) = result,
            error.resultCode == .SQLITE_INTERRUPT, signals.hasCancellationForOthers
        else { return result }
        return body()
    }

    /// What other threads have asked for stops every statement but ROLLBACK.
    private func heedSignals(before statement: Statement) throws {
        signals.noteHeeded()
        guard statement.kind != .rollback else { return }
        if signals.isCancelled { throw CancellationError() }
        if signals.isSuspended { try requireNoLock(statement) }
    }
}
