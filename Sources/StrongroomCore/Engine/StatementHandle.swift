internal import CSQLCipher

/// The owner of one prepared statement: it is finalized when the owner goes.
// Safety: the pointer is this handle's own until `deinit`, and leaves it only as a view.
@safe package struct StatementHandle: ~Copyable {
    private let pointer: OpaquePointer

    private init(pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe sqlite3_finalize(pointer)
    }

    /// Compiles the first statement of `sql`, from `start` on.
    ///
    /// - Parameter tail: On return, where the next statement begins.
    /// - Returns: nil when there is nothing left but white space and comments.
    package static func prepare(
        _ connection: BorrowedConnection,
        sql: UnsafeBufferPointer<CChar>,
        isPersistent: Bool,
        tail: inout Int
    ) throws(DatabaseError) -> StatementHandle? {
        var pointer: OpaquePointer?
        var end: UnsafePointer<CChar>?
        let start = unsafe sql.baseAddress.map { unsafe $0 + tail }
        let flags = isPersistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        var code = SQLITE_OK
        let compile = {
            code = unsafe sqlite3_prepare_v3(
                connection.pointer, start, CInt(clamping: sql.count - tail), flags, &pointer, &end)
        }
        StackSpace.run(withRoomFor: stackSize(forBytes: sql.count - tail), compile)
        guard code == SQLITE_OK else {
            let failed = unsafe start.map { unsafe String(cString: $0) }
            throw unsafe DatabaseError(
                code: ResultCode(rawValue: sqlite3_extended_errcode(connection.pointer)),
                message: connection.lastErrorMessage,
                sql: failed, sqlOffset: connection.lastErrorOffset)
        }
        if let end = unsafe end, let base = sql.baseAddress { tail = unsafe end - base }
        return unsafe pointer.map(StatementHandle.init(pointer:))
    }

    /// What SQLite may need of the stack to compile so many bytes of SQL.
    ///
    /// It was measured to need up to 86 KB for any statement, and up to 0.87 KB for an expression
    /// inside another, which takes 3 bytes of SQL or more, and of which it compiles 1,000.
    private static func stackSize(forBytes count: Int) -> Int {
        (128 + min(count / 3, 1000)) << 10
    }

    /// Moves to the next row. `SQLITE_ROW`, `SQLITE_DONE` or an error.
    package func step() -> CInt { unsafe sqlite3_step(pointer) }

    /// Goes back to the start. Its result repeats the last step's and tells nothing new.
    package func reset() { unsafe sqlite3_reset(pointer) }

    package func clearBindings() { unsafe sqlite3_clear_bindings(pointer) }

    /// How often SQLite has prepared the statement again, as it does when the schema has changed.
    package var preparationCount: Int {
        unsafe Int(sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_REPREPARE, 0))
    }

    /// The bytes that the statement takes. <https://www.sqlite.org/c3ref/c_stmtstatus_counter.html>
    package var byteCount: Int {
        unsafe Int(sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_MEMUSED, 0))
    }

    package var columnCount: Int { unsafe Int(sqlite3_column_count(pointer)) }

    package func columnName(_ index: Int) -> String {
        unsafe sqlite3_column_name(pointer, CInt(index)).map { unsafe String(cString: $0) } ?? ""
    }

    package var parameterCount: Int { unsafe Int(sqlite3_bind_parameter_count(pointer)) }

    /// The name of a parameter, from 1 on, without its prefix: `1` is that of `?1`; nil for `?`.
    package func parameterName(_ index: Int) -> String? {
        unsafe sqlite3_bind_parameter_name(pointer, CInt(index)).map {
            unsafe String(cString: $0 + 1)
        }
    }

    package var sql: String { unsafe sqlite3_sql(pointer).map { unsafe String(cString: $0) } ?? "" }

    /// Whether the statement changes nothing in the file itself. True of `BEGIN` and `PRAGMA`s.
    package var isReadOnly: Bool { unsafe sqlite3_stmt_readonly(pointer) != 0 }

    /// Whether a step has been made that no reset has followed.
    package var isBusy: Bool { unsafe sqlite3_stmt_busy(pointer) != 0 }

    /// Whether it stands on a row. If not, and it is busy, then a step is going on: it is calling a
    /// function, in which it must not be reset.
    package var isOnRow: Bool { unsafe sqlite3_data_count(pointer) != 0 }
}

extension StatementHandle {
    /// The statement, for those who use it while this handle is there.
    package var borrowed: BorrowedStatement { unsafe BorrowedStatement(pointer) }

    package static let ok: CInt = SQLITE_OK
    package static let row: CInt = SQLITE_ROW
    package static let done: CInt = SQLITE_DONE
}
