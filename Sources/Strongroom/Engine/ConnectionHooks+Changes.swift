internal import CSQLCipher

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
        package let schema: UnsafePointer<CChar>
        package let table: UnsafePointer<CChar>
        package let rowID: Int64
    }

    /// Tells each row that changes, or stops telling.
    package func setUpdateHook(_ connection: BorrowedConnection, _ handler: ((RowChange) -> Void)?)
    {
        updateHandler = handler
        guard handler != nil else {
            sqlite3_update_hook(connection.pointer, nil, nil)
            return
        }
        sqlite3_update_hook(
            connection.pointer,
            { context, operation, schema, table, rowID in
                guard let context, let schema, let table else { return }
                let hooks = Unmanaged<ConnectionHooks>.fromOpaque(context).takeUnretainedValue()
                let change = RowChange(
                    operation: RowChange.Operation(operation), schema: schema, table: table,
                    rowID: rowID)
                hooks.updateHandler?(change)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Asks before each commit whether it may be; a refusal rolls the transaction back.
    ///
    /// <https://www.sqlite.org/c3ref/commit_hook.html>
    package func setCommitHook(_ connection: BorrowedConnection, _ handler: (() -> Bool)?) {
        commitHandler = handler
        guard handler != nil else {
            sqlite3_commit_hook(connection.pointer, nil, nil)
            return
        }
        sqlite3_commit_hook(
            connection.pointer,
            { context in
                guard let context else { return 0 }
                let hooks = Unmanaged<ConnectionHooks>.fromOpaque(context).takeUnretainedValue()
                return hooks.commitHandler?() == false ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
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
