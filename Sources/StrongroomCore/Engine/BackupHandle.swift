internal import CSQLCipher

/// The owner of one running online backup. <https://www.sqlite.org/c3ref/backup_finish.html>
// Safety: the pointer is this handle's own until `deinit`, and leaves it only as a view.
@safe package struct BackupHandle: ~Copyable {
    private let pointer: OpaquePointer

    /// Starts a copy of the main database of one connection over that of another.
    package init(
        from source: BorrowedConnection, to destination: BorrowedConnection
    ) throws(DatabaseError) {
        guard
            let pointer = unsafe sqlite3_backup_init(
                destination.pointer, "main", source.pointer, "main")
        else {
            throw destination.lastError
        }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe sqlite3_backup_finish(pointer)
    }

    package enum Step: Sendable {
        /// Pages were copied; more remain.
        case copied
        /// Source or destination is locked by another connection; nothing was copied.
        case busy
        /// The copy is whole.
        case finished
    }

    /// Copies up to `pageCount` pages, all that remain if it is negative.
    package func step(pageCount: CInt) throws(DatabaseError) -> Step {
        let code = unsafe sqlite3_backup_step(pointer, pageCount)
        switch code {
        case SQLITE_OK: return .copied
        case SQLITE_DONE: return .finished
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy
        default: throw DatabaseError(code: ResultCode(rawValue: code))
        }
    }

    package var remainingPageCount: Int { unsafe Int(sqlite3_backup_remaining(pointer)) }

    package var totalPageCount: Int { unsafe Int(sqlite3_backup_pagecount(pointer)) }
}
