extension DatabaseFile {
    /// What a connection of this layer is for.
    enum Purpose {
        /// Reads a file that others may be using, and leaves no trace.
        case reading
        /// Keeps writers out for a moment, and changes nothing.
        case keepingOut
        /// Takes the file for itself.
        case taking
        /// Fills a new file that nobody else knows of.
        case filling
        /// Reads back a new file that nobody else knows of.
        case verifying
    }

    /// Nothing is written outside the file, and no row is judged by others.
    private static let safeguards = "PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = OFF"

    /// A connection with key and settings that has not read a page yet.
    func makeConnection(_ purpose: Purpose) throws -> Database {
        let database = try makeBareConnection(purpose)
        try prepare(database, for: purpose)
        return database
    }

    /// A connection without a key.
    func makeBareConnection(_ purpose: Purpose) throws -> Database {
        if temporary == nil { try requireHarmlessJournal() }
        let (name, flags) = try opening(for: purpose)
        let handle: ConnectionHandle
        do {
            handle = try ConnectionHandle(path: name, flags: flags)
        } catch {
            try requireInPlace()
            throw error
        }
        let database = Database(
            handle: handle, configuration: configuration, label: "DatabaseFile")
        // The app gives the functions that its database needs.
        database.standing.vouchesForFunctions = true
        if let temporary { try requireOpen(temporary, database) }
        return database
    }

    /// Gives a connection its key and settings.
    func prepare(_ database: Database, for purpose: Purpose) throws {
        try database.run(Self.safeguards)
        try database.withHandle { handle throws(DatabaseError) in
            try handle.setAcceptsDoubleQuotedStringLiterals(true)
            try handle.setBusyTimeout(milliseconds: 5000)
        }
        if overridesKey { database.keying.override = key }
        if let key { try database.useKey(key) }
        for setup in configuration.setups { try setup(database) }
        // Once more: what the caller's preparation did must not undo it.
        try database.run(Self.safeguards)
        try database.run(purpose.pragmas)
        try database.distrustFile(isFilling: purpose == .filling)
    }

    /// A connection that has read the first page: the key is right.
    func connect(_ purpose: Purpose) throws -> Database {
        let database = try makeConnection(purpose)
        do {
            try database.readFirstPage()
        } catch {
            try? database.close()
            throw explain(error)
        }
        return database
    }

    private func opening(
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

extension DatabaseFile.Purpose {
    fileprivate var pragmas: String {
        switch self {
        case .reading:
            "PRAGMA query_only = ON"
        case .keepingOut:
            "PRAGMA wal_autocheckpoint = 0"
        case .taking:
            "PRAGMA locking_mode = EXCLUSIVE"
        case .filling:
            // The file is made durable as a whole, and thrown away if anything fails.
            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; PRAGMA cache_size = -32000"
        case .verifying:
            // Rows that break a CHECK are copied as they are.
            """
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON;
            PRAGMA ignore_check_constraints = ON
            """
        }
    }
}

extension String {
    /// The path as a URI of a file that does not change. <https://www.sqlite.org/uri.html>
    var immutableURI: String { "file:\(escapedInURI)?immutable=1" }
}
