internal import CSQLCipher

/// Where a custom function leaves its result, or its failure; what is set last counts.
///
/// <https://www.sqlite.org/c3ref/result_blob.html>
// Safety: the context is SQLite's during the call, and this value cannot be copied out of it; bytes
// are copied.
@safe package struct FunctionResult: ~Copyable {
    private let context: OpaquePointer

    init(context: OpaquePointer) {
        unsafe self.context = context
    }

    package func setNull() { unsafe sqlite3_result_null(context) }

    package func set(_ value: Int64) { unsafe sqlite3_result_int64(context, value) }

    package func set(_ value: Double) { unsafe sqlite3_result_double(context, value) }

    /// Sets a copy of the text, embedded NULs included.
    package func set(_ value: String) {
        var value = value
        value.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                // An empty buffer may have no address, and a text without one is NULL.
                guard let start = characters.baseAddress else {
                    return unsafe sqlite3_result_text(context, "", 0, sqliteTransient)
                }
                unsafe sqlite3_result_text64(
                    context, start, UInt64(bytes.count), sqliteTransient, UInt8(SQLITE_UTF8))
            }
        }
    }

    /// Sets a copy of the bytes; no bytes are an empty blob, not NULL.
    package func set(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else {
            return unsafe sqlite3_result_zeroblob(context, 0)
        }
        unsafe sqlite3_result_blob64(context, start, UInt64(bytes.count), sqliteTransient)
    }

    /// Makes the statement fail with a message and a code.
    package func fail(_ message: String, code: ResultCode) {
        var message = message
        message.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe sqlite3_result_error(
                    context, characters.baseAddress, CInt(clamping: bytes.count))
            }
        }
        // The code comes after the message, which resets it. What is no failure would make the
        // statement's step look like one that gave a row or came to its end.
        switch code {
        case .SQLITE_OK, .SQLITE_ROW, .SQLITE_DONE: break
        default: unsafe sqlite3_result_error_code(context, code.rawValue)
        }
    }
}
