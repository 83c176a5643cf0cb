internal import CSQLCipher

/// The owner of one `sqlite3` connection: it closes when the owner goes.
///
/// SQLite is used in its multi-thread mode: one thread at a time may use a connection, which the
/// layers above see to. <https://www.sqlite.org/threadsafe.html>
package struct ConnectionHandle: ~Copyable {
    package let pointer: OpaquePointer

    /// Opens a file, without touching it yet: neither key nor content is looked at.
    ///
    /// - Parameter isGuarded: Whether its checkpoints lose nothing; false is for tests of that.
    package init(
        path: String, flags: OpenFlags, isGuarded: Bool = true
    ) throws(DatabaseError) {
        // The log comes first: SQLite takes one only before its first use.
        ErrorLog.install()
        try SQLCipherLibrary.requireUsable()
        // C would read the path up to the NUL.
        guard !path.utf8.contains(0) else { throw Self.nulError }
        let system = isGuarded ? GuardedFileSystem.name : nil
        guard !isGuarded || system != nil else {
            throw DatabaseError(code: .SQLITE_ERROR, message: "SQLite has no file system to guard")
        }
        var pointer: OpaquePointer?
        let code = sqlite3_open_v2(path, &pointer, flags.rawValue | SQLITE_OPEN_NOMUTEX, system)
        guard code == SQLITE_OK, let pointer else {
            // SQLite hands out a connection even when it fails, only to hold the message.
            let message = pointer.map { String(cString: sqlite3_errmsg($0)) }
            let extended = pointer.map { sqlite3_extended_errcode($0) } ?? code
            sqlite3_close(pointer)
            throw DatabaseError(code: ResultCode(rawValue: extended), message: message)
        }
        sqlite3_extended_result_codes(pointer, 1)
        guard sqlite3_exec(pointer, Self.temporaryStorageInMemory, nil, nil, nil) == SQLITE_OK
        else {
            let error = ConnectionState.lastError(pointer)
            sqlite3_close(pointer)
            throw error
        }
        self.pointer = pointer
    }

    deinit {
        // Statements still alive turn the connection into a zombie that closes with the last one.
        // <https://www.sqlite.org/c3ref/close.html>
        sqlite3_close_v2(pointer)
    }

    /// The path of a database contains a NUL.
    package static var nulError: DatabaseError {
        DatabaseError(
            code: .SQLITE_CANTOPEN, message: "the path of the file contains a NUL character")
    }

    /// Closes the connection in `handle`, or leaves it there, open, and throws.
    package static func close(_ handle: inout ConnectionHandle?) throws(DatabaseError) {
        guard let pointer = handle?.pointer else { return }
        let code = sqlite3_close(pointer)
        guard code == SQLITE_OK else {
            throw DatabaseError(
                code: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(pointer)))
        }
        handle.take()?.forget()
    }

    private consuming func forget() {
        discard self
    }

    /// The name of the file system through which SQLite opens the files of others in this process.
    package static var defaultFileSystem: String? {
        sqlite3_vfs_find(nil)?.pointee.zName.map { String(cString: $0) }
    }

    /// How a file is opened. <https://www.sqlite.org/c3ref/open.html>
    package struct OpenFlags: OptionSet, Sendable {
        package let rawValue: CInt

        package init(rawValue: CInt) {
            self.rawValue = rawValue
        }

        package static let readOnly = OpenFlags(rawValue: SQLITE_OPEN_READONLY)
        package static let readWrite = OpenFlags(rawValue: SQLITE_OPEN_READWRITE)
        package static let create = OpenFlags(rawValue: SQLITE_OPEN_CREATE)
        /// No part of the path may be a link.
        package static let noFollow = OpenFlags(rawValue: SQLITE_OPEN_NOFOLLOW)
        package static let uri = OpenFlags(rawValue: SQLITE_OPEN_URI)
    }
}

/// What a connection says about itself, for those who hold only its pointer.
package enum ConnectionState {
    package static func lastError(_ connection: OpaquePointer) -> DatabaseError {
        DatabaseError(code: lastErrorCode(connection), message: lastErrorMessage(connection))
    }

    package static func lastErrorCode(_ connection: OpaquePointer) -> ResultCode {
        ResultCode(rawValue: sqlite3_extended_errcode(connection))
    }

    package static func lastErrorMessage(_ connection: OpaquePointer) -> String {
        String(cString: sqlite3_errmsg(connection))
    }

    /// The byte of the statement at which the last error stands, when SQLite knows.
    package static func lastErrorOffset(_ connection: OpaquePointer) -> Int? {
        let offset = sqlite3_error_offset(connection)
        return offset < 0 ? nil : Int(offset)
    }

    package static func isAutocommit(_ connection: OpaquePointer) -> Bool {
        sqlite3_get_autocommit(connection) != 0
    }

    /// Whether a statement of the connection has been started, and has not ended.
    package static func hasBusyStatement(_ connection: OpaquePointer) -> Bool {
        var statement = sqlite3_next_stmt(connection, nil)
        while let busy = statement, sqlite3_stmt_busy(busy) == 0 {
            statement = sqlite3_next_stmt(connection, busy)
        }
        return statement != nil
    }

    /// Whether the database holds locks on behalf of this connection, commit pending or not.
    package static func hasTransaction(_ connection: OpaquePointer) -> Bool {
        sqlite3_txn_state(connection, nil) != SQLITE_TXN_NONE
    }

    /// Whether the connection holds the lock under which alone one writes.
    package static func isWriting(_ connection: OpaquePointer) -> Bool {
        sqlite3_txn_state(connection, nil) == SQLITE_TXN_WRITE
    }

    /// Whether the file of the main database is no longer the one that its path leads to: it was
    /// replaced, renamed or deleted.
    ///
    /// SQLite itself looks for that where it opens a rollback journal, and nowhere else.
    package static func hasFileMoved(_ connection: OpaquePointer) -> Bool {
        var hasMoved: CInt = 0
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return hasMoved != 0
    }

    package static func changes(_ connection: OpaquePointer) -> Int {
        Int(sqlite3_changes64(connection))
    }

    package static func totalChanges(_ connection: OpaquePointer) -> Int {
        Int(sqlite3_total_changes64(connection))
    }

    package static func lastInsertedRowID(_ connection: OpaquePointer) -> Int64 {
        sqlite3_last_insert_rowid(connection)
    }

    package static func isReadOnly(_ connection: OpaquePointer) -> Bool {
        sqlite3_db_readonly(connection, "main") == 1
    }

    package static func variableLimit(_ connection: OpaquePointer) -> Int {
        Int(sqlite3_limit(connection, SQLITE_LIMIT_VARIABLE_NUMBER, -1))
    }

    /// Ends, from any thread, what runs on the connection.
    package static func interrupt(_ connection: OpaquePointer) {
        sqlite3_interrupt(connection)
    }

    package static func releaseMemory(_ connection: OpaquePointer) {
        sqlite3_db_release_memory(connection)
    }

    /// The path of a database of the connection, empty for memory and temporary ones.
    package static func fileName(_ connection: OpaquePointer, schema: String) -> String? {
        sqlite3_db_filename(connection, schema).map { String(cString: $0) }
    }
}
