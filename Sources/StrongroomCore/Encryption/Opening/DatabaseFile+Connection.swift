extension DatabaseFile {
    /// A connection with key and settings that has not read a page yet.
    func makeConnection(_ purpose: Purpose) throws -> Database {
        let database = try makeBareConnection(purpose)
        try prepare(database, for: purpose)
        if purpose == .verifying, key?.form == .passphrase {
            try letSQLCipherDerive(database)
        }
        return database
    }

    /// A connection without a key.
    func makeBareConnection(_ purpose: Purpose) throws -> Database {
        if temporary == nil { try requireHarmlessJournal() }
        let opening = try opening(for: purpose)
        let database: Database
        do {
            database = try opening.begin()
        } catch {
            try requireInPlace()
            throw error
        }
        if let temporary { try requireOpen(temporary, database) }
        return database
    }

    /// Gives a connection its key and settings, and looks at what SQLite is going to read first.
    ///
    /// - Returns: The key, derived from its passphrase if it is one.
    @discardableResult
    func prepare(_ database: Database, for purpose: Purpose) throws -> CipherKey? {
        var opening = try opening(for: purpose)
        guard let key else {
            try opening.prepare(database)
            return nil
        }
        // So that a passphrase is derived once, for SQLCipher and for the look, where a caller can stop
        // it. That a new file opens with its passphrase, SQLCipher proves by itself.
        let derived = SharedKey()
        if key.form == .passphrase, purpose != .verifying { opening.sharedKey = derived }
        defer { database.keying.end() }
        try opening.prepare(database)
        // A temporary file is our own, and not yet filled.
        guard temporary == nil else { return key }
        let known = key.form == .passphrase ? derived.cipherKey : key
        if let known { try requireOwnPageSize(database, known) }
        return known ?? key
    }

    /// Reads a page on a separate thread: SQLCipher derives the key then, and cannot be
    /// interrupted.
    ///
    /// Who stops the work does not wait for it. The thread closes the connection at last, on a file
    /// that may have been removed by then.
    private func letSQLCipherDerive(_ database: Database) throws {
        guard let work = LongOperation.current else { return }
        // Safety: this thread does not go on with the connection before the other has ended.
        nonisolated(unsafe) let database = database
        let reading = BackgroundThread {
            // What is wrong with the page, others find out.
            try? ProcessEnd.use { () throws in try database.readFirstPage() }
            if work.isStopped { try? database.close() }
        }
        do {
            try reading.wait(work.check)
            // It may have closed the connection just now.
            try work.check()
        } catch is ThreadShortage {
            // It is derived by whoever reads first.
        }
    }

    private func requireOwnPageSize(_ database: Database, _ key: CipherKey) throws {
        guard let settings = try? database.cipherSettings() else { return }
        let page = try database.withHandle { $0.rawBytes(count: settings.pageSize) }
        let salt = try database.saltOfFile(settings)
        guard let pageKey = try? PageKey(key, fileSalt: salt, settings: settings) else { return }
        var pages = try FirstPages(of: self, key: pageKey)
        if let page { try pages.require(page) }
        try pages.requireBeside()
    }

    /// A connection that has read the first page: the key is right.
    func connect(_ purpose: Purpose) throws -> Database {
        do {
            let database = try makeConnection(purpose)
            do {
                try database.readFirstPage()
            } catch {
                try? database.close()
                throw error
            }
            return database
        } catch {
            throw explain(error)
        }
    }

    func opening(for purpose: Purpose) throws -> ConnectionOpening {
        let (name, flags) = try access(for: purpose)
        return opening(of: name, flags, for: purpose)
    }

    private func access(
        for purpose: Purpose
    ) throws -> (name: String, flags: ConnectionHandle.OpenFlags) {
        if temporary != nil { return temporaryOpening(for: purpose) }
        let resolved = try fileSystem.resolve(path)
        guard purpose == .reading else { return (resolved, .readWrite) }
        if isUnchangeable(resolved) { return (resolved.immutableURI, [.readOnly, .uri]) }
        return (resolved, mayCloseProperly(resolved) ? .readWrite : .readOnly)
    }

    /// Whether the file alone is the database, and stays as it is: SQLite then takes no lock, and
    /// needs no index of a log. Elsewhere it would overlook a log, and what others write; where the
    /// index of a log is missing and cannot be made, it refuses.
    private func isUnchangeable(_ resolved: String) -> Bool {
        fileSystem.isReadOnlyForAll(resolved)
            && ["-wal", "-journal"].allSatisfy { isMissingOrEmpty(resolved + $0) }
    }

    private func isMissingOrEmpty(_ path: String) -> Bool {
        do {
            return try fileSystem.statusIfPresent(path).map { $0.byteCount == 0 } ?? true
        } catch {
            return false
        }
    }

    /// A read-only connection to a WAL database creates `-wal` and `-shm` and cannot remove them;
    /// one that may write, but does not, removes them. With frames in the log it would also move
    /// them into the file, and that is not for a reader to do.
    private func mayCloseProperly(_ resolved: String) -> Bool {
        let log = try? fileSystem.statusIfPresent(resolved + "-wal")
        return (log?.byteCount ?? 0) == 0
            && fileSystem.mayAccess(resolved, .writing)
            && fileSystem.mayAccess(resolved.splitAtLastSlash.directory, .writing)
    }
}

extension String {
    /// The path as a URI of a file that does not change. <https://www.sqlite.org/uri.html>
    var immutableURI: String { "file:\(escapedInURI)?immutable=1" }
}
