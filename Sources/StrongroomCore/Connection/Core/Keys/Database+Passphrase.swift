public import StrongroomEssentials

extension Database {
    /// Sets the passphrase of an encrypted database, or of a new one.
    ///
    /// Call it in `Configuration.prepareDatabase`, before anything else touches the file. With a
    /// wrong passphrase, opening throws `SQLITE_NOTADB` when it first reads the file. The string's
    /// own memory cannot be wiped: if that matters, pass `Data`.
    ///
    ///     config.prepareDatabase { db in try db.usePassphrase(loadPassphrase()) }
    ///
    /// - Throws: `SQLITE_MISUSE` if the passphrase is empty, `SQLITE_ERROR` if this process runs
    ///   plain SQLite instead of SQLCipher.
    public func usePassphrase(_ passphrase: String) throws {
        var passphrase = passphrase
        try passphrase.withUTF8 { try useKey(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Sets the passphrase of an encrypted database, as bytes.
    ///
    /// - Throws: As the other `usePassphrase(_:)`.
    public func usePassphrase(_ passphrase: Data) throws {
        try passphrase.withUnsafeBytes { try useKey(bytes: $0) }
    }

    /// Gives SQLCipher a passphrase, or a raw key written `x'…'`, as `sqlite3_key_v2` takes it.
    ///
    /// After a rotation, the new key is used in place of what is given.
    package func useKey(bytes: UnsafeRawBufferPointer) throws(DatabaseError) {
        keying.note?.note(bytes)
        if let override = keying.override {
            try override.withSQLCipherBytes { bytes throws(DatabaseError) in
                try useGivenKey(bytes)
            }
        } else {
            try useGivenKey(bytes)
        }
        // What the app's preparation says of settings comes after, and counts.
        guard let settings = configuration.foundSettings?.pragmas, !settings.isEmpty else { return }
        try withHandle { handle throws(DatabaseError) in try handle.execute(settings) }
    }

    private func useGivenKey(_ bytes: UnsafeRawBufferPointer) throws(DatabaseError) {
        if let opening = keying.opening, !RawKeyText.isTakenAsRawKey(bytes) {
            return try useSharedKey(passphrase: bytes, in: opening)
        }
        try withHandle { handle throws(DatabaseError) in try handle.setKey(bytes) }
    }
}
