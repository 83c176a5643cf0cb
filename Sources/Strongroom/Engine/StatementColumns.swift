internal import CSQLCipher

/// The cells of the row at which a statement stands, as SQLite converts them.
///
/// A column that takes one question is asked directly. For several, its value is found once: each
/// question to a column finds it again, and enters and leaves the connection's mutex. A connection
/// of one thread has none, so that its values may be asked as well.
/// <https://www.sqlite.org/c3ref/column_blob.html> <https://www.sqlite.org/c3ref/value.html>
@usableFromInline
package enum StatementColumns {
    package static func value(_ statement: OpaquePointer, _ index: CInt) -> LiveValue {
        LiveValue(sqlite3_column_value(statement, index))
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

    /// The text in full, embedded NULs included; invalid UTF-8 is repaired. nil for NULL.
    @usableFromInline
    package static func string(_ statement: OpaquePointer, _ index: CInt) -> String? {
        value(statement, index).string
    }
}
