/// Who runs a function when a transaction has ended.
private final class TransactionHook: TransactionObserver {
    private let onCommit: @Sendable (Database) -> Void
    private let onRollback: @Sendable (Database) -> Void

    init(
        onCommit: @escaping @Sendable (Database) -> Void,
        onRollback: @escaping @Sendable (Database) -> Void
    ) {
        self.onCommit = onCommit
        self.onRollback = onRollback
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseDidCommit(_ db: Database) { onCommit(db) }

    func databaseDidRollback(_ db: Database) { onRollback(db) }
}

extension Database {
    /// Runs a function after the current transaction, or else the next one, has ended.
    ///
    /// It runs once, on the connection's executor, outside the transaction, in the order in which
    /// you added functions and transaction observers. A write without an explicit transaction
    /// counts as a transaction; a read does not.
    ///
    ///     db.afterNextTransaction { _ in print("committed") }
    ///
    /// - Parameter onCommit: Called after the commit.
    /// - Parameter onRollback: Called after the rollback of the whole transaction, not after the
    ///   rollback of a savepoint in a transaction that commits.
    /// - Precondition: Writes are not forbidden: read-only transactions do not report their end.
    public func afterNextTransaction(
        onCommit: @escaping @Sendable (Database) -> Void,
        onRollback: @escaping @Sendable (Database) -> Void = { _ in }
    ) {
        trap(
            unless: !configuration.readonly && access.readOnlyDepth == 0,
            "Read-only transactions are not notified")
        add(
            transactionObserver: TransactionHook(onCommit: onCommit, onRollback: onRollback),
            extent: .nextTransaction)
    }

    /// Tells how a statement ended a transaction, if it did.
    func noteEndOfTransaction(after statement: Statement) throws {
        if isInsideTransaction {
            switch statement.kind {
            case .savepoint, .release, .rollbackToSavepoint:
                changes.note(savepointStatement: statement)
            default: break
            }
            return
        }
        if hasUnfinishedWrite { return }
        switch statement.kind {
        case .rollback:
            noteRollback()
        case .commit, .release:
            try noteCommit(mayHaveChanged: transactionState.hasUncommittedChanges)
        default:
            if !statement.isReadonly { try noteCommit(mayHaveChanged: true) }
        }
    }

    /// Tells that a failure ended the transaction, if it did.
    func noteEndOfTransaction(afterFailureOf statement: Statement) {
        guard !isInsideTransaction, !hasUnfinishedWrite else { return }
        let wasImplicit = !transactionState.wasOpen && !statement.isReadonly
        if transactionState.wasOpen {
            noteRollback()
        } else if wasImplicit, statement.kind != .begin {
            // Of a statement alone that fails nobody is told, unless he was told what it does.
            if changes.hasTold { noteRollback() } else { changes.forgetTransaction() }
        }
    }

    private func noteCommit(mayHaveChanged: Bool) throws {
        transactionState.hasUncommittedChanges = false
        if mayHaveChanged { observation.commits.increment(written: transactionState.written) }
        guard access.readOnlyDepth == 0, !configuration.readonly else {
            return changes.forgetSavepoints()
        }
        guard changes.isObserved || changes.hasOpenSavepoints else { return }
        try forObservers { try changes.didCommit() }
    }

    private func noteRollback() {
        if !runningStatements.isEmpty { runningStatements.endRolledBack() }
        transactionState.hasUncommittedChanges = false
        guard access.readOnlyDepth == 0, !configuration.readonly else {
            return changes.forgetSavepoints()
        }
        if changes.isObserved || changes.hasOpenSavepoints {
            forObservers { changes.didRollback() }
        }
    }
}
