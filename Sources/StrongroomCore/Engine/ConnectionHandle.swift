internal import CSQLCipher

/// The owner of one `sqlite3` connection: it closes when the owner goes.
///
/// SQLite is used in its multi-thread mode: one thread at a time may use a connection, which the
/// layers above see to. <https://www.sqlite.org/threadsafe.html>
// Safety: the pointer is this handle's own until `deinit`, and leaves it only as a view.
@safe package struct ConnectionHandle: ~Copyable {
    private let pointer: OpaquePointer

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
        let system = unsafe isGuarded ? GuardedFileSystem.name : nil
        guard unsafe !isGuarded || system != nil else {
            throw DatabaseError(code: .SQLITE_ERROR, message: "SQLite has no file system to guard")
        }
        var pointer: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            path.systemPath, &pointer, flags.rawValue | SQLITE_OPEN_NOMUTEX, system)
        guard code == SQLITE_OK, let pointer = unsafe pointer else {
            // SQLite hands out a connection even when it fails, only to hold the message.
            let message = unsafe pointer.map { unsafe String(cString: sqlite3_errmsg($0)) }
            let extended = unsafe pointer.map { unsafe sqlite3_extended_errcode($0) } ?? code
            unsafe sqlite3_close(pointer)
            throw DatabaseError(code: ResultCode(rawValue: extended), message: message)
        }
        unsafe sqlite3_extended_result_codes(pointer, 1)
        guard
            unsafe sqlite3_exec(pointer, Self.temporaryStorageInMemory, nil, nil, nil) == SQLITE_OK
        else {
            let error = unsafe BorrowedConnection(pointer).lastError
            unsafe sqlite3_close(pointer)
            throw error
        }
        unsafe self.pointer = pointer
    }

    deinit {
        // Statements still alive turn the connection into a zombie that closes with the last one.
        // <https://www.sqlite.org/c3ref/close.html>
        ProcessEnd.use {
            unsafe Self.forgetInterruption(pointer)
            _ = unsafe sqlite3_close_v2(pointer)
        }
    }

    /// Forgets an interruption that came when nothing ran any more: it would end the checkpoint of the closing, without an
    /// error, and leave the log. SQLite forgets it when the first of all statements starts.
    private static func forgetInterruption(_ pointer: OpaquePointer) {
        guard unsafe sqlite3_is_interrupted(pointer) != 0 else { return }
        _ = unsafe sqlite3_exec(pointer, "SELECT 1", nil, nil, nil)
    }

    /// The path of a database contains a NUL.
    package static var nulError: DatabaseError {
        DatabaseError(
            code: .SQLITE_CANTOPEN, message: "the path of the file contains a NUL character")
    }

    /// Closes the connection in `handle`, or leaves it there, open, and throws.
    package static func close(_ handle: inout ConnectionHandle?) throws(DatabaseError) {
        guard let pointer = unsafe handle?.pointer else { return }
        let code = ProcessEnd.use {
            unsafe forgetInterruption(pointer)
            return unsafe sqlite3_close(pointer)
        }
        guard code == SQLITE_OK else {
            throw unsafe DatabaseError(
                code: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(pointer)))
        }
        handle.take()?.forget()
    }

    private consuming func forget() {
        discard self
    }

    /// The name of the file system through which SQLite opens the files of others in this process.
    package static var defaultFileSystem: String? {
        unsafe sqlite3_vfs_find(nil)?.pointee.zName.map { unsafe String(cString: $0) }
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

extension ConnectionHandle {
    /// The connection, for those who use it while this handle is there.
    package var borrowed: BorrowedConnection { unsafe BorrowedConnection(pointer) }
}
