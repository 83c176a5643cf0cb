extension Database {
    /// Which file the main database is; nil for one in memory.
    var fileIdentity: FileStatus.Identity? {
        guard let connection = openConnection,
            let path = connection.fileName(schema: "main"), !path.isEmpty
        else { return nil }
        return try? FileSystem.system.status(path).identity
    }

    /// Sets the key of an encrypted database, or of a new one.
    ///
    /// Call it in `Configuration.prepareDatabase`, before anything else touches the file. A wrong
    /// key shows when opening first reads the file.
    ///
    ///     let key = try CipherKey(contentsOfFile: "app.key")
    ///     config.prepareDatabase { db in try db.useKey(key) }
    ///
    /// - Throws: `SQLITE_ERROR` if this process runs plain SQLite instead of SQLCipher.
    public func useKey(_ key: CipherKey) throws {
        try key.withSQLCipherBytes { try useKey(bytes: $0) }
    }

    /// The cipher settings with which the connection reads and writes.
    ///
    /// - Throws: `CipherSettingsError` for any that this library does not know.
    func cipherSettings() throws -> CipherSettings {
        let listing = try withHandle { handle throws(DatabaseError) in try handle.cipherListing() }
        return try CipherSettings(listing: listing)
    }
}
