internal import CSQLCipher

/// A value where SQLite keeps it: a cell of the row at which a statement stands, or an argument of
/// a custom function.
///
/// It is good until the statement moves, or during the call; pointers into it are good until it is
/// read as another type. <https://www.sqlite.org/c3ref/value_blob.html>
// Safety: the value is SQLite's until the statement moves on or the call ends; who holds a view
// sees to that.
@safe package struct LiveValue {
    package enum Storage { case null, integer, real, text, blob }

    private let pointer: OpaquePointer?

    init(_ pointer: OpaquePointer?) {
        unsafe self.pointer = pointer
    }

    package var storage: Storage {
        switch unsafe sqlite3_value_type(pointer) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    package var int64: Int64 { unsafe sqlite3_value_int64(pointer) }

    package var double: Double { unsafe sqlite3_value_double(pointer) }

    /// The text in full, embedded NULs included; invalid UTF-8 is repaired. nil for NULL.
    package var string: String? {
        // Asked for as text, a blob would be a text from then on, for later readers too.
        if unsafe sqlite3_value_type(pointer) == SQLITE_BLOB {
            return unsafe String(decoding: blobBytes, as: UTF8.self)
        }
        let text = unsafe textBytes
        return unsafe text.baseAddress == nil ? nil : String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a blob, or those of the text that the value is or converts to.
    package var utf8Bytes: UnsafeRawBufferPointer {
        // Asked for as a blob, a text gives the encoding of its database, which may be UTF-16.
        unsafe sqlite3_value_type(pointer) == SQLITE_BLOB
            ? blobBytes : UnsafeRawBufferPointer(textBytes)
    }

    package var textBytes: UnsafeBufferPointer<UInt8> {
        // The text must be asked for before its length, which is that of the converted value.
        guard let text = unsafe sqlite3_value_text(pointer) else {
            return unsafe UnsafeBufferPointer(start: nil, count: 0)
        }
        return unsafe UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(pointer)))
    }

    package var blobBytes: UnsafeRawBufferPointer {
        guard let blob = unsafe sqlite3_value_blob(pointer) else {
            return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return unsafe UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_value_bytes(pointer)))
    }
}
