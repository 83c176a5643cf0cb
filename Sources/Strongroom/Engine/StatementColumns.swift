internal import CSQLCipher

/// The cells of the row at which a statement stands, as SQLite converts them.
///
/// Pointers are good until the next step, reset or conversion.
/// <https://www.sqlite.org/c3ref/column_blob.html>
@usableFromInline
package enum StatementColumns {
    package enum Storage { case null, integer, real, text, blob }

    package static func storage(_ statement: OpaquePointer, _ index: CInt) -> Storage {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    @usableFromInline
    package static func isNull(_ statement: OpaquePointer, _ index: CInt) -> Bool {
        sqlite3_column_type(statement, index) == SQLITE_NULL
    }

    @usableFromInline
    package static func int64(_ statement: OpaquePointer, _ index: CInt) -> Int64 {
        sqlite3_column_int64(statement, index)
    }

    @usableFromInline
    package static func double(_ statement: OpaquePointer, _ index: CInt) -> Double {
        sqlite3_column_double(statement, index)
    }

    /// The text in full, embedded NULs included; invalid UTF-8 is repaired.
    @usableFromInline
    package static func string(_ statement: OpaquePointer, _ index: CInt) -> String {
        stringOrNull(statement, index) ?? ""
    }

    /// nil for NULL, which has no text.
    @usableFromInline
    package static func stringOrNull(_ statement: OpaquePointer, _ index: CInt) -> String? {
        // Each function of a column finds the value, and asks for the connection's mutex, which a
        // connection of one thread does not have. To find it once costs less than half, and makes
        // no difference there. <https://www.sqlite.org/c3ref/value.html>
        guard let value = sqlite3_column_value(statement, index) else { return nil }
        // Asked for as text, a blob would be a text from then on, for later readers too.
        if sqlite3_value_type(value) == SQLITE_BLOB {
            return String(decoding: blobBytes(statement, index), as: UTF8.self)
        }
        guard let text = sqlite3_value_text(value) else { return nil }
        let count = Int(sqlite3_value_bytes(value))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    /// The bytes of a blob, or those of the text that the cell has or converts to.
    package static func utf8Bytes(
        _ statement: OpaquePointer, _ index: CInt
    ) -> UnsafeRawBufferPointer {
        // Asked for as a blob, a text gives the encoding of its database, which may be UTF-16.
        sqlite3_column_type(statement, index) == SQLITE_BLOB
            ? blobBytes(statement, index)
            : UnsafeRawBufferPointer(textBytes(statement, index))
    }

    package static func textBytes(
        _ statement: OpaquePointer, _ index: CInt
    ) -> UnsafeBufferPointer<UInt8> {
        // The text must be asked for before its length, which is that of the converted value.
        guard let text = sqlite3_column_text(statement, index) else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(
            start: text, count: Int(sqlite3_column_bytes(statement, index)))
    }

    package static func blobBytes(
        _ statement: OpaquePointer, _ index: CInt
    ) -> UnsafeRawBufferPointer {
        guard let blob = sqlite3_column_blob(statement, index) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(
            start: blob, count: Int(sqlite3_column_bytes(statement, index)))
    }
}
