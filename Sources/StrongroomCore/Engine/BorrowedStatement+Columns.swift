internal import CSQLCipher

/// The cells of the row at which a statement stands, as SQLite converts them.
///
/// A column that takes one question is asked directly. For several, its value is found once: each
/// question to a column finds it again, and enters and leaves the connection's mutex. A connection
/// of one thread has none, so that its values may be asked as well.
/// <https://www.sqlite.org/c3ref/column_blob.html> <https://www.sqlite.org/c3ref/value.html>
// Safety: the statement is its owner's (``BorrowedStatement``).
extension BorrowedStatement {
    package func value(_ index: CInt) -> LiveValue {
        unsafe LiveValue(sqlite3_column_value(pointer, index))
    }

    @usableFromInline
    package func isNull(_ index: CInt) -> Bool {
        unsafe sqlite3_column_type(pointer, index) == SQLITE_NULL
    }

    /// SQLite's number of the storage class: 1 integer, 2 real, 3 text, 4 blob, 5 NULL.
    package func storageClass(_ index: CInt) -> CInt {
        unsafe sqlite3_column_type(pointer, index)
    }

    @usableFromInline
    package func int64(_ index: CInt) -> Int64 {
        unsafe sqlite3_column_int64(pointer, index)
    }

    @usableFromInline
    package func double(_ index: CInt) -> Double {
        unsafe sqlite3_column_double(pointer, index)
    }

    /// A cell as an integer, with the number of its storage class.
    package func integerCell(_ index: CInt) -> (value: Int64, storageClass: CInt) {
        let value = unsafe sqlite3_column_value(pointer, index)
        return unsafe (sqlite3_value_int64(value), sqlite3_value_type(value))
    }

    /// A cell as a real number, with the number of its storage class.
    package func realCell(_ index: CInt) -> (value: Double, storageClass: CInt) {
        let value = unsafe sqlite3_column_value(pointer, index)
        return unsafe (sqlite3_value_double(value), sqlite3_value_type(value))
    }

    /// A cell that is a text, with the number of its storage class; nil for any other.
    package func textCell(_ index: CInt) -> (value: String?, storageClass: CInt) {
        let value = unsafe sqlite3_column_value(pointer, index)
        let storageClass = unsafe sqlite3_value_type(value)
        guard storageClass == SQLITE_TEXT, let text = unsafe sqlite3_value_text(value) else {
            return (nil, storageClass)
        }
        let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
        return unsafe (String(decoding: bytes, as: UTF8.self), storageClass)
    }

    /// The text in full, embedded NULs included; invalid UTF-8 is repaired. nil for NULL.
    @usableFromInline
    package func string(_ index: CInt) -> String? {
        value(index).string
    }
}
