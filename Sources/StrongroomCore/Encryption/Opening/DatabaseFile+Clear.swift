/// A connection that has no key, and reads pages in plaintext: they are authenticated and decrypted by our
/// page codec, several times as fast as by SQLCipher's. It serves once.
struct ClearConnection {
    private let file: DatabaseFile
    private let pageSize: Int
    private let source: SubstitutedFile
    private let database: Database

    /// - Parameters:
    ///   - pages: One state of the file, which does not change meanwhile.
    ///   - key: The key that wrote them.
    init(to pages: PageSource, of file: DatabaseFile, key: PageKey) throws {
        self.file = file
        pageSize = pages.pageSize
        let reader = try ClearPages(pages, key: key)
        source = SubstitutedFile(byteCount: pages.byteCount, read: reader.read)
        database = try file.makeUnchangeableConnection()
    }

    /// Runs a function, and closes the connection.
    ///
    /// - Throws: What the function throws; a `DatabaseError` where a page cannot be read or is not
    ///   authentic, whatever the function has made of that.
    func run<T>(_ body: (Database) throws -> T) throws -> T {
        defer { try? database.close() }
        return try source.whileRead(by: database.connection()) {
            var plain = file
            plain.key = nil
            plain.overridesKey = false
            // SQLite reads no log on this connection.
            plain.configuration.trustsCompanions = true
            // SQLite has taken the size of the file that it opened, and looks again with another page size.
            try database.run("PRAGMA page_size = \(pageSize == 512 ? 1024 : 512)")
            try plain.opening(for: .reading).prepare(database)
            // The app's preparation may have given one.
            guard try database.text("PRAGMA cipher_provider") == nil else {
                throw DatabaseError(code: .SQLITE_MISUSE)
            }
            return try body(database)
        }
    }
}

extension DatabaseFile {
    /// Runs a function with such a connection; where that fails, again with one of SQLCipher's, which
    /// tells what is wrong.
    ///
    /// - Throws: What the function throws with SQLCipher's.
    func readingClear<T>(
        _ pages: PageSource, key: PageKey, or database: Database, _ operation: LongOperation,
        _ body: (Database) throws -> T
    ) throws -> T {
        do {
            return try ClearConnection(to: pages, of: self, key: key).run(body)
        } catch  where !operation.isStopped {
            return try body(database)
        }
    }

    /// SQLite takes no lock on such a file, and looks for no journal and no log beside it.
    fileprivate func makeUnchangeableConnection() throws -> Database {
        if temporary != nil { return try makeBareConnection(.verifying) }
        let name = try fileSystem.resolve(path).immutableURI
        return try opening(of: name, [.readOnly, .uri], for: .reading).begin()
    }
}
