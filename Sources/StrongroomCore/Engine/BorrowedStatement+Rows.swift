internal import CSQLCipher
internal import LibC

/// Rows that go from a statement of one connection to a statement of another, cell for cell.
///
/// The other connection may belong to another file with another key: unlike `INSERT … SELECT` over
/// `ATTACH`, no key has to stand in a statement.
// Safety: both statements are their owners', and no row moves while its cells are looked at.
extension BorrowedStatement {
    /// Moves to the next row.
    ///
    /// - Returns: `false` at the end.
    package func step() throws(DatabaseError) -> Bool {
        switch unsafe sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw lastError
        }
    }

    /// Runs once, with the cells of the row at which `source` stands as its arguments.
    package func insert(rowOf source: BorrowedStatement) throws(DatabaseError) {
        for column in unsafe 0..<sqlite3_data_count(source.pointer) {
            // A value that belongs to a row may be bound: SQLite copies it at once.
            // <https://www.sqlite.org/c3ref/column_blob.html>
            let value = unsafe sqlite3_column_value(source.pointer, column)
            guard unsafe sqlite3_bind_value(pointer, column + 1, value) == SQLITE_OK else {
                throw lastError
            }
        }
        defer { unsafe sqlite3_reset(pointer) }
        guard unsafe sqlite3_step(pointer) == SQLITE_DONE else { throw lastError }
    }

    /// Runs once, with the arguments that were bound to it.
    ///
    /// - Parameter code: What SQLite said to binding them.
    package func insert(boundWith code: CInt) throws(DatabaseError) {
        guard code == SQLITE_OK else { throw lastError }
        defer { unsafe sqlite3_reset(pointer) }
        guard unsafe sqlite3_step(pointer) == SQLITE_DONE else { throw lastError }
    }

    /// About how much room a row takes: the bytes of text and blobs, and 8 for each other cell.
    package var rowByteCount: Int {
        unsafe (0..<sqlite3_data_count(pointer)).reduce(0) { sum, column in
            let type = unsafe sqlite3_column_type(pointer, column)
            let isLong = type == SQLITE_TEXT || type == SQLITE_BLOB
            return unsafe sum + (isLong ? Int(sqlite3_column_bytes(pointer, column)) : 8)
        }
    }

    /// Whether another statement stands at a row whose cells have the same types and content.
    package func isRowEqual(toRowOf other: BorrowedStatement) -> Bool {
        let count = unsafe sqlite3_data_count(pointer)
        guard unsafe count == sqlite3_data_count(other.pointer) else { return false }
        return (0..<count).allSatisfy { isCellEqual(toCellOf: other, $0) }
    }

    private func isCellEqual(toCellOf other: BorrowedStatement, _ column: CInt) -> Bool {
        let type = unsafe sqlite3_column_type(pointer, column)
        guard unsafe type == sqlite3_column_type(other.pointer, column) else { return false }
        switch type {
        case SQLITE_INTEGER:
            return unsafe sqlite3_column_int64(pointer, column)
                == sqlite3_column_int64(other.pointer, column)
        case SQLITE_FLOAT:
            return unsafe sqlite3_column_double(pointer, column).bitPattern
                == sqlite3_column_double(other.pointer, column).bitPattern
        case SQLITE_TEXT:
            return unsafe areBytesEqual(
                UnsafeRawBufferPointer(value(column).textBytes),
                UnsafeRawBufferPointer(other.value(column).textBytes))
        case SQLITE_BLOB:
            return unsafe areBytesEqual(value(column).blobBytes, other.value(column).blobBytes)
        default:
            return true
        }
    }

    private func areBytesEqual(
        _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer
    ) -> Bool {
        guard one.count == other.count else { return false }
        guard let bytes = one.baseAddress, let others = other.baseAddress else { return true }
        return unsafe memcmp(bytes, others, one.count) == 0
    }

    private var lastError: DatabaseError {
        guard let connection = unsafe sqlite3_db_handle(pointer) else {
            return DatabaseError(code: .SQLITE_MISUSE)
        }
        let error = unsafe BorrowedConnection(connection).lastError
        return error.executing(sql, arguments: nil, showsArguments: false)
    }
}
