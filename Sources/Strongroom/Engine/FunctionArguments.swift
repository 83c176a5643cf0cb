internal import CSQLCipher

/// The arguments of one call of a custom function, where SQLite keeps them.
///
/// Pointers are good during the call only, and until the same argument is converted.
/// <https://www.sqlite.org/c3ref/value_blob.html>
package struct FunctionArguments {
    private let values: UnsafeBufferPointer<OpaquePointer?>

    init(count: CInt, values: UnsafeMutablePointer<OpaquePointer?>?) {
        self.values = UnsafeBufferPointer(start: values, count: Int(count))
    }

    package var count: Int { values.count }

    package func storage(_ index: Int) -> StatementColumns.Storage {
        switch sqlite3_value_type(values[index]) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    package func int64(_ index: Int) -> Int64 { sqlite3_value_int64(values[index]) }

    package func double(_ index: Int) -> Double { sqlite3_value_double(values[index]) }

    /// The text in full, embedded NULs included; invalid UTF-8 is repaired.
    package func string(_ index: Int) -> String {
        String(decoding: textBytes(index), as: UTF8.self)
    }

    package func textBytes(_ index: Int) -> UnsafeBufferPointer<UInt8> {
        // The text must be asked for before its length, which is that of the converted value.
        guard let text = sqlite3_value_text(values[index]) else {
            return UnsafeBufferPointer(start: nil, count: 0)
        }
        return UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(values[index])))
    }

    package func blobBytes(_ index: Int) -> UnsafeRawBufferPointer {
        guard let blob = sqlite3_value_blob(values[index]) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_value_bytes(values[index])))
    }
}
