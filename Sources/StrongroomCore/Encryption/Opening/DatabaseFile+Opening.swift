extension DatabaseFile {
    /// Opens the file, which must exist: this never creates a file.
    ///
    ///     let key = try CipherKey(contentsOfFile: "app.key")
    ///     let queue = try DatabaseFile(path: "app.db", key: key).open()
    ///
    /// - Parameter configuration: How connections behave; by default the file's own
    ///   ``configuration``. The connection gets the key before its `prepareDatabase` functions run.
    /// - Throws: ``DatabaseFileError`` with the reason why the file does not open, and what to do.
    public func open(_ configuration: Configuration? = nil) throws -> DatabaseQueue {
        var configuration = configuration ?? self.configuration
        do {
            try requireDatabase()
            let key = configuration.distrustsFile ? try keyAfterLook() : key
            if let key {
                configuration.setups.insert({ database in try database.useKey(key) }, at: 0)
            }
            // SQLite takes `file:…` for a URI.
            let name = path.hasPrefix("file:") ? "./" + path : path
            return try DatabaseQueue(path: name, configuration: configuration)
        } catch {
            throw explain(error)
        }
    }

    /// The key, derived, after a look at what SQLite is going to read first.
    private func keyAfterLook() throws -> CipherKey? {
        let database = try makeBareConnection(.reading)
        defer { try? database.close() }
        return try prepare(database, for: .reading)
    }

    /// Refuses what cannot be a database, by what the directory says of it.
    @discardableResult
    func requireDatabase() throws -> FileStatus {
        let status = try requireFile()
        guard status.byteCount >= FileVerdict.smallestPageSize else {
            throw DatabaseFileError.tooSmall(path, byteCount: status.byteCount)
        }
        try requireHarmlessJournal()
        return status
    }

    /// Whether the key opens the file.
    package func opens() -> Bool {
        guard (try? requireDatabase()) != nil, let database = try? makeConnection(.reading) else {
            return false
        }
        defer { try? database.close() }
        return (try? database.readFirstPage()) != nil
    }
}
