internal import CSQLCipher

/// A view of a connection that somebody else owns: a pointer, and what may be asked of it.
///
/// 1. It is good only while its owner, a ``ConnectionHandle``, is: whoever stores it lets it go first.
/// 2. One thread at a time uses it, but for ``interrupt()``.
/// 3. Only `Engine` looks at `pointer`. GRDB's `Database.sqliteConnection` is the one way out.
// Safety: the pointer is that of the owner's connection, which lives while this view is used.
@safe package struct BorrowedConnection {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    package var lastError: DatabaseError {
        DatabaseError(code: lastErrorCode, message: lastErrorMessage)
    }

    package var lastErrorCode: ResultCode {
        unsafe ResultCode(rawValue: sqlite3_extended_errcode(pointer))
    }

    package var lastErrorMessage: String {
        unsafe String(cString: sqlite3_errmsg(pointer))
    }

    /// The byte of the statement at which the last error stands, when SQLite knows.
    package var lastErrorOffset: Int? {
        let offset = unsafe sqlite3_error_offset(pointer)
        return offset < 0 ? nil : Int(offset)
    }

    package var isAutocommit: Bool {
        unsafe sqlite3_get_autocommit(pointer) != 0
    }

    /// Whether a statement of the connection has been started, and has not ended.
    package var hasBusyStatement: Bool {
        var statement = unsafe sqlite3_next_stmt(pointer, nil)
        while let busy = unsafe statement, unsafe sqlite3_stmt_busy(busy) == 0 {
            unsafe statement = sqlite3_next_stmt(pointer, busy)
        }
        return unsafe statement != nil
    }

    /// The SQL of the statements that are not finalized.
    package var unfinalizedSQL: [String] {
        var texts: [String] = []
        var statement = unsafe sqlite3_next_stmt(pointer, nil)
        while let next = unsafe statement {
            if let sql = unsafe sqlite3_sql(next) { texts.append(unsafe String(cString: sql)) }
            unsafe statement = sqlite3_next_stmt(pointer, next)
        }
        return texts
    }

    /// Whether the database holds locks on behalf of this connection, commit pending or not.
    package var hasTransaction: Bool {
        unsafe sqlite3_txn_state(pointer, nil) != SQLITE_TXN_NONE
    }

    /// Whether the connection holds the lock under which alone one writes.
    package var isWriting: Bool {
        unsafe sqlite3_txn_state(pointer, nil) == SQLITE_TXN_WRITE
    }

    /// Whether the file of the main database is no longer the one that its path leads to: it was
    /// replaced, renamed or deleted.
    ///
    /// SQLite itself looks for that where it opens a rollback journal, and nowhere else.
    package var hasFileMoved: Bool {
        var hasMoved: CInt = 0
        unsafe sqlite3_file_control(pointer, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return hasMoved != 0
    }

    package var changes: Int {
        unsafe Int(sqlite3_changes64(pointer))
    }

    package var totalChanges: Int {
        unsafe Int(sqlite3_total_changes64(pointer))
    }

    package var lastInsertedRowID: Int64 {
        unsafe sqlite3_last_insert_rowid(pointer)
    }

    package var isReadOnly: Bool {
        unsafe sqlite3_db_readonly(pointer, "main") == 1
    }

    package var variableLimit: Int {
        unsafe Int(sqlite3_limit(pointer, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
    }

    /// Ends, from any thread, what runs on the connection.
    package func interrupt() {
        unsafe sqlite3_interrupt(pointer)
    }

    package func releaseMemory() {
        unsafe sqlite3_db_release_memory(pointer)
    }

    /// The path of a database of the connection, empty for memory and temporary ones.
    package func fileName(schema: String) -> String? {
        unsafe sqlite3_db_filename(pointer, schema).map { unsafe PathText.text(of: $0) }
    }

    /// Whether something that statements read is a table: not a view, nor a function of rows.
    ///
    /// <https://www.sqlite.org/c3ref/table_column_metadata.html>
    package func isTable(schema: String?, name: String) -> Bool {
        unsafe sqlite3_table_column_metadata(pointer, schema, name, nil, nil, nil, nil, nil, nil)
            == SQLITE_OK
    }

    /// Moves the content of a write-ahead log into its database.
    ///
    /// - Parameter mode: A `SQLITE_CHECKPOINT_` number, 0 to 3.
    /// - Returns: Frames in the log and frames moved; both -1 when there is no log.
    package func checkpoint(
        schema: String?, mode: CInt
    ) throws(DatabaseError) -> (walFrameCount: Int, checkpointedFrameCount: Int) {
        guard schema?.utf8.contains(0) != true else {
            throw DatabaseError(code: .SQLITE_ERROR, message: "unknown database: \(schema ?? "")")
        }
        var total: CInt = 0
        var moved: CInt = 0
        let code = unsafe sqlite3_wal_checkpoint_v2(pointer, schema, mode, &total, &moved)
        guard code == SQLITE_OK else { throw lastError }
        return (Int(total), Int(moved))
    }
}
