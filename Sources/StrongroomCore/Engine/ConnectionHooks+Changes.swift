internal import CSQLCipher

// Safety: the names are SQLite's during the call; the context is this object (``ConnectionHooks``).
extension ConnectionHooks {
    /// A row that a statement has just changed. The names are good during the call only.
    ///
    /// <https://www.sqlite.org/c3ref/update_hook.html>
    package struct RowChange {
        package enum Operation {
            case insert
            case delete
            case update
        }

        package let operation: Operation
        package let schema: BorrowedName
        package let table: BorrowedName
        package let rowID: Int64
    }

    /// Tells each row that changes, or stops telling.
    package func setUpdateHook(_ connection: BorrowedConnection, _ handler: ((RowChange) -> Void)?)
    {
        updateHandler = handler
        guard handler != nil else {
            unsafe sqlite3_update_hook(connection.pointer, nil, nil)
            return
        }
        unsafe sqlite3_update_hook(
            connection.pointer,
            { context, operation, schema, table, rowID in
                guard let context = unsafe context, let schema = unsafe schema,
                    let table = unsafe table
                else { return }
                let hooks = unsafe Unmanaged<ConnectionHooks>.fromOpaque(context)
                    .takeUnretainedValue()
                let change = unsafe RowChange(
                    operation: RowChange.Operation(operation), schema: BorrowedName(schema),
                    table: BorrowedName(table), rowID: rowID)
                hooks.updateHandler?(change)
            }, unsafe Unmanaged.passUnretained(self).toOpaque())
    }

    /// Asks before each commit whether it may be; a refusal rolls the transaction back.
    ///
    /// <https://www.sqlite.org/c3ref/commit_hook.html>
    package func setCommitHook(_ connection: BorrowedConnection, _ handler: (() -> Bool)?) {
        commitHandler = handler
        guard handler != nil else {
            unsafe sqlite3_commit_hook(connection.pointer, nil, nil)
            return
        }
        unsafe sqlite3_commit_hook(
            connection.pointer,
            { context in
                guard let context = unsafe context else { return 0 }
                let hooks = unsafe Unmanaged<ConnectionHooks>.fromOpaque(context)
                    .takeUnretainedValue()
                return hooks.commitHandler?() == false ? 1 : 0
            }, unsafe Unmanaged.passUnretained(self).toOpaque())
    }
}

extension ConnectionHooks.RowChange.Operation {
    init(_ code: CInt) {
        switch code {
        case SQLITE_INSERT: self = .insert
        case SQLITE_DELETE: self = .delete
        default: self = .update
        }
    }
}
