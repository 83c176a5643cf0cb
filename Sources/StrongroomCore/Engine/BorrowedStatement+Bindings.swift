internal import CSQLCipher

/// The parameters of a statement, numbered from 1. Each function gives SQLite's result code.
///
/// <https://www.sqlite.org/c3ref/bind_blob.html>
// Safety: the statement is its owner's (``BorrowedStatement``); SQLite copies the bytes before it
// returns.
extension BorrowedStatement {
    package func bindNull(_ index: CInt) -> CInt {
        unsafe sqlite3_bind_null(pointer, index)
    }

    package func bindInt64(_ index: CInt, _ value: Int64) -> CInt {
        unsafe sqlite3_bind_int64(pointer, index, value)
    }

    package func bindDouble(_ index: CInt, _ value: Double) -> CInt {
        unsafe sqlite3_bind_double(pointer, index, value)
    }

    /// Binds a copy of the text, embedded NULs included.
    package func bindString(_ index: CInt, _ value: String) -> CInt {
        // Only a text that is no Swift one inside has to be copied for this.
        let code = unsafe value.utf8.withContiguousStorageIfAvailable { unsafe bindUTF8(index, $0) }
        if let code { return code }
        var copy = value
        return copy.withUTF8 { unsafe bindUTF8(index, $0) }
    }

    private func bindUTF8(_ index: CInt, _ bytes: UnsafeBufferPointer<UInt8>) -> CInt {
        unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
            // An empty buffer may have no address, and a text without one is NULL.
            guard let start = characters.baseAddress else {
                return unsafe sqlite3_bind_text(pointer, index, "", 0, sqliteTransient)
            }
            return unsafe sqlite3_bind_text64(
                pointer, index, start, UInt64(bytes.count), sqliteTransient, UInt8(SQLITE_UTF8))
        }
    }

    /// Binds a copy of a text as a database stores it; the encoding is the number that the header
    /// of the database has for it: 1 for UTF-8, 2 and 3 for UTF-16.
    package func bindStoredText(_ index: CInt, _ bytes: [UInt8], encoding: Int) -> CInt {
        unsafe bytes.withUnsafeBytes { bytes in
            guard let start = unsafe bytes.bindMemory(to: CChar.self).baseAddress,
                unsafe !bytes.isEmpty
            else {
                return unsafe sqlite3_bind_text(pointer, index, "", 0, sqliteTransient)
            }
            return unsafe sqlite3_bind_text64(
                pointer, index, start, UInt64(bytes.count), sqliteTransient, UInt8(encoding))
        }
    }

    /// Binds a copy of the bytes; no bytes are an empty blob, not NULL.
    package func bindBlob(_ index: CInt, _ bytes: UnsafeRawBufferPointer) -> CInt {
        guard let start = bytes.baseAddress, unsafe !bytes.isEmpty else {
            return unsafe sqlite3_bind_zeroblob(pointer, index, 0)
        }
        return unsafe sqlite3_bind_blob64(
            pointer, index, start, UInt64(bytes.count), sqliteTransient)
    }
}

/// `SQLITE_TRANSIENT`, a macro that Swift cannot see: SQLite copies before it returns.
// Safety: SQLite compares this address, and calls no function there.
var sqliteTransient: sqlite3_destructor_type {
    unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
