internal import CSQLCipher

/// A state of a database in its write-ahead log, to which connections can go back as long as one of
/// them holds it. <https://www.sqlite.org/c3ref/snapshot.html>
///
/// SQLCipher has the functions only when it was built for them, which Debian's was not.
// Safety: SQLite never changes a snapshot after it has made it, and the pointer is freed once.
@safe package final class LogSnapshot: @unchecked Sendable {
    private let pointer: UnsafeMutableRawPointer
    private let functions: Functions

    @safe private struct Functions: Sendable {
        typealias Get =
            @convention(c) (
                OpaquePointer, UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeMutableRawPointer?>
            ) -> CInt
        typealias Open =
            @convention(c) (
                OpaquePointer, UnsafePointer<CChar>, UnsafeMutableRawPointer
            ) -> CInt
        typealias Free = @convention(c) (UnsafeMutableRawPointer) -> Void

        let get: Get
        let open: Open
        let free: Free
    }

    private static let known: Functions? = {
        guard let get = unsafe loadedFunction("sqlite3_snapshot_get", as: Functions.Get.self),
            let open = unsafe loadedFunction("sqlite3_snapshot_open", as: Functions.Open.self),
            let free = unsafe loadedFunction("sqlite3_snapshot_free", as: Functions.Free.self)
        else { return nil }
        return unsafe Functions(get: get, open: open, free: free)
    }()

    /// Whether the SQLCipher of this process has snapshots.
    package static var isAvailable: Bool { known != nil }

    /// - Throws: `SQLITE_ERROR` when the SQLCipher of this process has no snapshots.
    package static func requireAvailable() throws(DatabaseError) {
        _ = try available()
    }

    private static func available() throws(DatabaseError) -> Functions {
        guard let known else {
            throw DatabaseError(
                code: .SQLITE_ERROR,
                message: """
                    the SQLCipher of this process was built without SQLITE_ENABLE_SNAPSHOT: use \
                    DatabasePool.makeSnapshot(), or a SQLCipher that was built with it
                    """)
        }
        return known
    }

    /// The state that a connection reads, or would read now.
    ///
    /// - Throws: `SQLITE_ERROR` when the transaction writes, or none is open, or there is no log
    ///   with a commit in it.
    package init(readBy connection: BorrowedConnection) throws(DatabaseError) {
        functions = try Self.available()
        var pointer: UnsafeMutableRawPointer?
        let code = unsafe functions.get(connection.pointer, "main", &pointer)
        guard code == SQLITE_OK, let pointer = unsafe pointer else {
            throw DatabaseError(
                code: ResultCode(rawValue: code == SQLITE_OK ? SQLITE_ERROR : code),
                message: """
                    no snapshot can be taken: the database must be in WAL mode, with a commit in its \
                    log, and the transaction must not write
                    """)
        }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe functions.free(pointer)
    }

    /// Makes the transaction that a connection has begun see this state.
    ///
    /// - Throws: `SQLITE_ERROR_SNAPSHOT` when the log has forgotten it; `SQLITE_BUSY` during a
    ///   checkpoint that does not end within the time that the connection waits.
    package func open(on connection: BorrowedConnection) throws(DatabaseError) {
        let code = unsafe functions.open(connection.pointer, "main", pointer)
        guard code == SQLITE_OK else { throw DatabaseError(code: ResultCode(rawValue: code)) }
    }
}
