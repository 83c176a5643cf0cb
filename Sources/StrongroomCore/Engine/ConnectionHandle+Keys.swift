internal import CSQLCipher

// SQLCipher's key functions answer OK for nearly everything (`Documentation/SQLCipher.md`, "Keys",
// "Changing keys"): what they say proves nothing. What proves a key is a page read with it; what
// proves a new key is a second connection that reads with it.

// Safety: SQLCipher reads as many bytes of the key as it is told, and copies them.
extension ConnectionHandle {
    /// Gives the key before the first page is read. Whether it is the right one shows at that read.
    package func setKey(
        _ key: UnsafeRawBufferPointer, schema: String = "main"
    ) throws(DatabaseError) {
        try unsafe requireKey(key)
        try SQLCipherLibrary.requireSQLCipher(behind: self)
        let code = unsafe sqlite3_key_v2(borrowed.pointer, schema, key.baseAddress, CInt(key.count))
        guard code == SQLITE_OK else {
            throw DatabaseError(
                code: ResultCode(rawValue: code), message: "SQLCipher did not accept the key")
        }
        SQLCipherLibrary.silenceStandardErrorOnce(self)
    }

    /// Asks SQLCipher to write every page again under another key. `OK` does not mean it did.
    package func rekey(_ key: UnsafeRawBufferPointer) throws(DatabaseError) {
        try unsafe requireKey(key)
        let code = unsafe sqlite3_rekey_v2(
            borrowed.pointer, "main", key.baseAddress, CInt(key.count))
        guard code == SQLITE_OK else {
            throw DatabaseError(
                code: ResultCode(rawValue: code),
                message: "the key was not changed: \(ResultCode(rawValue: code).text)")
        }
    }

    /// Whether the main database has been given a key.
    package func isKeyed() throws(DatabaseError) -> Bool {
        // Without a key this pragma gives no row, in all versions ("Settings").
        try firstText("PRAGMA cipher_provider") != nil
    }

    /// Whether a database of the connection, such as an attached one, has been given a key.
    package func isKeyed(schema: String) throws(DatabaseError) -> Bool {
        let name = schema.replacing("\"", with: "\"\"")
        return try firstText("PRAGMA \"\(name)\".cipher_provider") != nil
    }

    private func requireKey(_ key: UnsafeRawBufferPointer) throws(DatabaseError) {
        guard unsafe !key.isEmpty else {
            throw DatabaseError(
                code: .SQLITE_MISUSE, message: "the key is empty; an empty key encrypts nothing")
        }
        guard key.count <= CInt.max else {
            throw DatabaseError(code: .SQLITE_TOOBIG, message: "the key is too long")
        }
    }
}

extension ConnectionHandle {
    /// The settings of the connection, as statements that set them.
    ///
    /// `PRAGMA cipher_settings` leaves out the order of bytes in the HMAC's page numbers ("Settings").
    package func cipherListing() throws(DatabaseError) -> [String] {
        let listing = try texts("PRAGMA cipher_settings")
        guard try firstText("PRAGMA cipher_hmac_pgno") == "be" else { return listing }
        return listing + ["PRAGMA cipher_hmac_pgno = be;"]
    }

    /// The settings that another connection needs besides the key, as pragmas to run after it.
    package func cipherSettings() throws(DatabaseError) -> [String] {
        let settings = try cipherListing()
        guard let header = try firstText("PRAGMA cipher_plaintext_header_size"), header != "0",
            let salt = try firstText("PRAGMA cipher_salt")
        else { return settings }
        // With a plaintext header the salt is not in the file ("Settings").
        return settings + ["PRAGMA cipher_salt = \"x'\(salt)'\""]
    }
}
