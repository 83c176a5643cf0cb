extension DatabaseFile {
    /// Runs a function with a connection that has no key, and reads pages in plaintext: they are
    /// authenticated and decrypted by our page codec, several times as fast as by SQLCipher's.
    ///
    /// - Parameters:
    ///   - pages: One state of this file, which does not change meanwhile.
    ///   - key: The key that wrote them.
    /// - Throws: What the function throws; a `DatabaseError` where a page cannot be read or is not
    ///   authentic, whatever the function has made of that.
    private func withConnection<T>(
        toClear pages: PageSource, key: PageKey, _ body: (Database) throws -> T
    ) throws -> T {
        let reader = try ClearPages(pages, key: key)
        let file = SubstitutedFile(byteCount: pages.byteCount, read: reader.read)
        let database = try makeUnchangeableConnection()
        defer { try? database.close() }
        return try file.whileRead(by: database.connection()) {
            var plain = self
            plain.key = nil
            plain.overridesKey = false
            // SQLite reads no log on this connection.
            plain.configuration.trustsCompanions = true
            // SQLite has taken the size of the file that it opened, and looks again with another page size.
            try database.run("PRAGMA page_size = \(pages.pageSize == 512 ? 1024 : 512)")
            try plain.opening(for: .reading).prepare(database)
            // The app's preparation may have given one.
            guard try database.text("PRAGMA cipher_provider") == nil else {
                throw DatabaseError(code: .SQLITE_MISUSE)
            }
            return try body(database)
        }
    }

    /// Runs a function with such a connection; where that fails, again with one of SQLCipher's, which
    /// tells what is wrong.
    ///
    /// - Throws: What the function throws with SQLCipher's.
    func readingClear<T>(
        _ pages: PageSource, key: PageKey, or database: Database, _ operation: LongOperation,
        _ body: (Database) throws -> T
    ) throws -> T {
        do {
            return try withConnection(toClear: pages, key: key, body)
        } catch  where !operation.isStopped {
            return try body(database)
        }
    }

    /// SQLite takes no lock on such a file, and looks for no journal and no log beside it.
    private func makeUnchangeableConnection() throws -> Database {
        if temporary != nil { return try makeBareConnection(.verifying) }
        let name = try fileSystem.resolve(path).immutableURI
        return try opening(of: name, [.readOnly, .uri], for: .reading).begin()
    }
}
