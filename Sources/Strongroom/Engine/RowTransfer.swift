internal import CSQLCipher
internal import Foundation

/// Rows that go from a statement of one connection to a statement of another, cell for cell.
///
/// The other connection may belong to another file with another key: unlike `INSERT … SELECT` over
/// `ATTACH`, no key has to stand in a statement.
package enum RowTransfer {
    /// Moves a statement to its next row.
    ///
    /// - Returns: `false` at the end.
    package static func step(_ statement: OpaquePointer) throws(DatabaseError) -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw error(of: statement)
        }
    }

    /// Runs `insert` once, with the cells of the row at which `source` stands as its arguments.
    package static func insert(
        _ insert: OpaquePointer, rowOf source: OpaquePointer
    ) throws(DatabaseError) {
        for column in 0..<sqlite3_data_count(source) {
            // A value that belongs to a row may be bound: SQLite copies it at once.
            // <https://www.sqlite.org/c3ref/column_blob.html>
            let value = sqlite3_column_value(source, column)
            guard sqlite3_bind_value(insert, column + 1, value) == SQLITE_OK else {
                throw error(of: insert)
            }
        }
        defer { sqlite3_reset(insert) }
        guard sqlite3_step(insert) == SQLITE_DONE else { throw error(of: insert) }
    }

    /// Runs `insert` once, with the arguments that were bound to it.
    ///
    /// - Parameter code: What SQLite said to binding them.
    package static func insert(
        _ insert: OpaquePointer, boundWith code: CInt
    ) throws(DatabaseError) {
        guard code == SQLITE_OK else { throw error(of: insert) }
        defer { sqlite3_reset(insert) }
        guard sqlite3_step(insert) == SQLITE_DONE else { throw error(of: insert) }
    }

    /// About how much room a row takes: the bytes of text and blobs, and 8 for each other cell.
    package static func byteCount(ofRow statement: OpaquePointer) -> Int {
        (0..<sqlite3_data_count(statement)).reduce(0) { sum, column in
            let type = sqlite3_column_type(statement, column)
            let isLong = type == SQLITE_TEXT || type == SQLITE_BLOB
            return sum + (isLong ? Int(sqlite3_column_bytes(statement, column)) : 8)
        }
    }

    /// Whether two statements stand at rows whose cells have the same types and the same content.
    package static func areRowsEqual(_ one: OpaquePointer, _ other: OpaquePointer) -> Bool {
        let count = sqlite3_data_count(one)
        guard count == sqlite3_data_count(other) else { return false }
        return (0..<count).allSatisfy { areCellsEqual(one, other, $0) }
    }

    private static func areCellsEqual(
        _ one: OpaquePointer, _ other: OpaquePointer, _ column: CInt
    ) -> Bool {
        let type = sqlite3_column_type(one, column)
        guard type == sqlite3_column_type(other, column) else { return false }
        switch type {
        case SQLITE_INTEGER:
            return sqlite3_column_int64(one, column) == sqlite3_column_int64(other, column)
        case SQLITE_FLOAT:
            return sqlite3_column_double(one, column).bitPattern
                == sqlite3_column_double(other, column).bitPattern
        case SQLITE_TEXT:
            return areBytesEqual(
                UnsafeRawBufferPointer(StatementColumns.value(one, column).textBytes),
                UnsafeRawBufferPointer(StatementColumns.value(other, column).textBytes))
        case SQLITE_BLOB:
            return areBytesEqual(
                StatementColumns.value(one, column).blobBytes,
                StatementColumns.value(other, column).blobBytes)
        default:
            return true
        }
    }

    private static func areBytesEqual(
        _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer
    ) -> Bool {
        guard one.count == other.count else { return false }
        guard let bytes = one.baseAddress, let others = other.baseAddress else { return true }
        return memcmp(bytes, others, one.count) == 0
    }

    private static func error(of statement: OpaquePointer) -> DatabaseError {
        guard let connection = sqlite3_db_handle(statement) else {
            return DatabaseError(code: .SQLITE_MISUSE)
        }
        let error = ConnectionState.lastError(connection)
        return error.executing(
            TracedStatement.sql(statement), arguments: nil, showsArguments: false)
    }
}
