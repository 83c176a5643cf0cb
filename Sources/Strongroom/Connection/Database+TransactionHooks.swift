/// What is to run when a transaction has ended.
struct TransactionHook {
    let onCommit: @Sendable (Database) -> Void
    let onRollback: @Sendable (Database) -> Void
}

extension Database {
    /// Runs a function when the current transaction, or else the next one, has ended.
    ///
    /// It runs once, on the executor of the connection, outside of the transaction. A write that
    /// commits by itself is a transaction too; what reads only is none.
    ///
    /// - Parameter onCommit: Called after the commit.
    /// - Parameter onRollback: Called after the rollback of the whole transaction. A savepoint that
    ///   is rolled back inside a transaction that commits changes nothing.
    /// - Precondition: Writes are not forbidden: read-only transactions tell nobody of their end.
    public func afterNextTransaction(
        onCommit: @escaping @Sendable (Database) -> Void,
        onRollback: @escaping @Sendable (Database) -> Void = { _ in }
    ) {
        trap(
            unless: !configuration.readonly && readOnlyDepth == 0,
            "Read-only transactions are not notified")
        transactionHooks.append(TransactionHook(onCommit: onCommit, onRollback: onRollback))
    }

    func runTransactionHooks(after statement: Statement) {
        guard !isInsideTransaction, readOnlyDepth == 0 else { return }
        switch statement.kind {
        case .rollback: runTransactionHooks { $0.onRollback(self) }
        case .commit, .release: runTransactionHooks { $0.onCommit(self) }
        default:
            if !statement.isReadonly { runTransactionHooks { $0.onCommit(self) } }
        }
    }

    func runTransactionHooks(afterFailureOf statement: Statement) {
        guard !isInsideTransaction, readOnlyDepth == 0 else { return }
        let wasImplicit = !transactionState.wasOpen && !statement.isReadonly
        if transactionState.wasOpen || (wasImplicit && statement.kind != .begin) {
            runTransactionHooks { $0.onRollback(self) }
        }
    }

    /// Each runs once: one that a hook adds waits for the next transaction.
    private func runTransactionHooks(_ run: (TransactionHook) -> Void) {
        let hooks = transactionHooks
        transactionHooks = []
        hooks.forEach(run)
    }
}
