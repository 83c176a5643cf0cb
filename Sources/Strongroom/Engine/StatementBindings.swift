internal import CSQLCipher

/// The parameters of a statement, numbered from 1. Each function gives SQLite's result code.
///
/// <https://www.sqlite.org/c3ref/bind_blob.html>
package enum StatementBindings {
    package static func null(_ statement: OpaquePointer, _ index: CInt) -> CInt {
        sqlite3_bind_null(statement, index)
    }

    package static func int64(
        _ statement: OpaquePointer, _ index: CInt, _ value: Int64
    ) -> CInt {
        sqlite3_bind_int64(statement, index, value)
    }

    package static func double(
        _ statement: OpaquePointer, _ index: CInt, _ value: Double
    ) -> CInt {
        sqlite3_bind_double(statement, index, value)
    }

    /// Binds a copy of the text, embedded NULs included.
    package static func string(
        _ statement: OpaquePointer, _ index: CInt, _ value: String
    ) -> CInt {
        // Only a text that is no Swift one inside has to be copied for this.
        let code = value.utf8.withContiguousStorageIfAvailable { utf8(statement, index, $0) }
        if let code { return code }
        var copy = value
        return copy.withUTF8 { utf8(statement, index, $0) }
    }

    private static func utf8(
        _ statement: OpaquePointer, _ index: CInt, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> CInt {
        bytes.withMemoryRebound(to: CChar.self) { characters in
            // An empty buffer may have no address, and a text without one is NULL.
            guard let start = characters.baseAddress else {
                return sqlite3_bind_text(statement, index, "", 0, transient)
            }
            return sqlite3_bind_text64(
                statement, index, start, UInt64(bytes.count), transient, UInt8(SQLITE_UTF8))
        }
    }

    /// Binds a copy of a text as a database stores it; the encoding is the number that the header
    /// of the database has for it: 1 for UTF-8, 2 and 3 for UTF-16.
    package static func storedText(
        _ statement: OpaquePointer, _ index: CInt, _ bytes: [UInt8], encoding: Int
    ) -> CInt {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.bindMemory(to: CChar.self).baseAddress, !bytes.isEmpty else {
                return sqlite3_bind_text(statement, index, "", 0, transient)
            }
            return sqlite3_bind_text64(
                statement, index, start, UInt64(bytes.count), transient, UInt8(encoding))
        }
    }

    /// Binds a copy of the bytes; no bytes are an empty blob, not NULL.
    package static func blob(
        _ statement: OpaquePointer, _ index: CInt, _ bytes: UnsafeRawBufferPointer
    ) -> CInt {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return sqlite3_bind_zeroblob(statement, index, 0)
        }
        return sqlite3_bind_blob64(statement, index, start, UInt64(bytes.count), transient)
    }

    /// `SQLITE_TRANSIENT`, a macro that Swift cannot see: SQLite copies before it returns.
    private static var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }
}
