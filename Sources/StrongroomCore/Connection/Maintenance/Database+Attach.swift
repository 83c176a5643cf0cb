public import StrongroomEssentials

extension Database {
    /// Attaches another database file to the connection, with its own name.
    ///
    ///     try dbQueue.inDatabase { db in
    ///         try db.attach("archive.db", as: "archive", passphrase: secret)
    ///         try db.execute(sql: "INSERT INTO archive.player SELECT * FROM player")
    ///         try db.detach("archive")
    ///     }
    ///
    /// The passphrase is bound, so no SQL text, trace or error contains it. If the file does not
    /// exist, it is created with that passphrase. Other connections of a pool do not have the
    /// database: to attach it to all of them, use `Configuration.prepareDatabase`.
    /// <https://www.sqlite.org/lang_attach.html>
    ///
    /// - Parameters:
    ///   - path: The path of the file to attach.
    ///   - name: The name that the attached database gets in SQL.
    ///   - passphrase: The passphrase of the file; nil if it is not encrypted.
    /// - Throws: `SQLITE_NOTADB` if the passphrase is wrong, `SQLITE_CANTOPEN`, `SQLITE_ERROR`
    ///   inside a transaction, or if the name is taken; `SQLITE_MISUSE` if the passphrase is empty.
    ///   Then nothing is attached.
    public func attach(_ path: String, as name: String, passphrase: String?) throws {
        guard let passphrase else { return try attach(path, as: name, key: "".databaseValue) }
        try attach(path, as: name, passphrase: Data(passphrase.utf8))
    }

    /// Attaches another database file to the connection, with the bytes of its passphrase.
    ///
    /// - Throws: As `attach(_:as:passphrase:)` with a string.
    public func attach(_ path: String, as name: String, passphrase: Data) throws {
        // For SQLCipher it would stand for no encryption.
        guard !passphrase.isEmpty else {
            throw DatabaseError(code: .SQLITE_MISUSE, message: "the passphrase is empty")
        }
        try attach(path, as: name, key: passphrase.databaseValue)
    }

    /// Detaches an attached database.
    ///
    ///     try db.detach("archive")
    ///
    /// - Throws: `SQLITE_ERROR` if there is none with this name, or inside a transaction.
    public func detach(_ name: String) throws {
        try execute(sql: "DETACH \(name.quotedDatabaseIdentifier)")
    }

    private func attach(_ path: String, as name: String, key: DatabaseValue) throws {
        let schema = name.quotedDatabaseIdentifier
        guard !path.utf8.contains(0) else { throw ConnectionHandle.nulError }
        // What looks like a URI could name another key.
        let plainPath = path.hasPrefix("file:") ? "./\(path)" : path
        // SQLite takes the bytes of a blob for the name, which need not be UTF-8.
        let file =
            PathText.hasEscapes(plainPath)
            ? Data(PathText.bytes(of: plainPath)).databaseValue : plainPath.databaseValue
        try execute(sql: "ATTACH ? AS \(schema) KEY ?", arguments: [file, key])
        do {
            // The key is not looked at before the first page is.
            _ = try Int.fetchOne(self, sql: "SELECT COUNT(*) FROM \(schema).sqlite_master")
        } catch {
            try? detach(name)
            throw error
        }
    }
}
