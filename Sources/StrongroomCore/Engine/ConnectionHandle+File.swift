internal import CSQLCipher

// Safety: SQLite keeps its structure of the file as long as the connection is open.
extension ConnectionHandle {
    /// The first bytes of the main database's file, as they are on disk.
    ///
    /// They are read through SQLite's own file: closing another descriptor of the same file would
    /// drop every lock that this process holds on it.
    /// <https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_>
    ///
    /// - Returns: As many bytes as there are, up to `count`; nil when there is no file.
    package func rawBytes(count: Int, at offset: Int64 = 0) -> [UInt8]? {
        unsafe withRawFile { file, methods in
            var size: sqlite3_int64 = 0
            guard unsafe methods.pointee.xFileSize?(file, &size) == SQLITE_OK else { return nil }
            let available = Int(max(0, min(Int64(count), size - offset)))
            return unsafe [UInt8](unsafeUninitializedCapacity: available) { buffer, used in
                let code = unsafe methods.pointee.xRead?(
                    file, buffer.baseAddress, CInt(available), offset)
                used = code == SQLITE_OK ? available : 0
            }
        }
    }

    /// The size in bytes of the main database's file.
    package func rawFileSize() -> Int64? {
        unsafe withRawFile { file, methods in
            var size: sqlite3_int64 = 0
            return unsafe methods.pointee.xFileSize?(file, &size) == SQLITE_OK ? size : nil
        }
    }

    /// Whether another connection, of this process or another, is writing a transaction to the main
    /// database: a journal is then that connection's, and SQLite leaves it alone.
    package func isReserved() -> Bool {
        unsafe withRawFile { file, methods in
            var isReserved: CInt = 0
            let code = unsafe methods.pointee.xCheckReservedLock?(file, &isReserved)
            return code == SQLITE_OK && isReserved != 0
        } ?? false
    }

    /// The main database's file, to be read from several threads while the connection is open.
    package func rawFile() -> RawFile? {
        unsafe withRawFile { file, methods in unsafe RawFile(file, methods) }
    }

    func withRawFile<T>(
        _ body: (UnsafeMutablePointer<sqlite3_file>, UnsafePointer<sqlite3_io_methods>) -> T?
    ) -> T? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = unsafe sqlite3_file_control(
            borrowed.pointer, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard code == SQLITE_OK, let file = unsafe file, let methods = unsafe file.pointee.pMethods
        else { return nil }
        return unsafe body(file, methods)
    }
}

// MARK: - A file that another one replaces

extension ConnectionHandle {
    /// Takes SQLite's exclusive lock on the main database's file, whatever its content or its key;
    /// it ends with the connection.
    ///
    /// - Throws: SQLITE_BUSY while any connection, of this process or another, has a lock.
    package func lockExclusively() throws(DatabaseError) {
        let code = unsafe withRawFile { file, methods -> CInt in
            let code = unsafe methods.pointee.xLock?(file, SQLITE_LOCK_SHARED) ?? SQLITE_IOERR
            guard code == SQLITE_OK else { return code }
            return unsafe methods.pointee.xLock?(file, SQLITE_LOCK_EXCLUSIVE) ?? SQLITE_IOERR
        }
        guard code == SQLITE_OK else {
            throw DatabaseError(code: ResultCode(rawValue: code ?? SQLITE_IOERR))
        }
    }
}
