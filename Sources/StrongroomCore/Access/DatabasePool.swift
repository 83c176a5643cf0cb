/// A database on one connection that writes and several that read, all at the same time.
///
/// The database is in WAL mode: readers see the last committed state, and neither hold up writes
/// nor are held up by them. <https://www.sqlite.org/wal.html>
///
///     var config = Configuration()
///     config.prepareDatabase { db in try db.usePassphrase(loadPassphrase()) }
///     let dbPool = try DatabasePool(path: "/path/to/database.sqlite", configuration: config)
///
/// A passphrase is turned into a key once for all connections: see
/// `Configuration.sharesDerivedKey`.
public final class DatabasePool: DatabaseWriter {
    public let path: String
    public let configuration: Configuration
    let writer: SerializedDatabase
    let readers: ReaderPool
    let connections: PoolConnections

    /// Opens a file, which is created when it is missing, and turns it to WAL mode.
    ///
    /// Connections that read are opened when they are needed.
    ///
    ///     var configuration = Configuration()
    ///     configuration.prepareDatabase { db in try db.usePassphrase("secret") }
    ///     let pool = try DatabasePool(path: "app.db", configuration: configuration)
    ///
    /// - Throws: `SQLITE_CANTOPEN` when a folder is missing; `SQLITE_NOTADB` when the key is wrong
    ///   or missing, or the file is no database: its message says which; `SQLITE_ERROR` when the
    ///   database cannot have a write-ahead log, as in memory.
    /// - Precondition: `maximumReaderCount` is at least 1.
    public init(path: String, configuration: Configuration = Configuration()) throws {
        trap(
            unless: configuration.maximumReaderCount > 0, "maximumReaderCount must be at least 1")
        self.path = path
        var configuration = configuration
        configuration.requiresEncryption = configuration.requiresEncryption
        configuration.keyInForce = KeyInForce()
        configuration.foundSettings = configuration.findsCipherSettings ? FoundSettings() : nil
        self.configuration = configuration
        let connections = PoolConnections(
            path: path, configuration: configuration,
            label: configuration.label ?? "DatabasePool")
        self.connections = connections
        writer = try connections.openWriter()
        readers = ReaderPool(maximumCount: configuration.maximumReaderCount) { number in
            try connections.openReader(named: "reader.\(number)")
        }
    }

    /// Closes all connections, when all accesses have ended; closing again does nothing.
    ///
    ///     try dbPool.close()
    ///
    /// - Throws: `SQLITE_BUSY` when statements or backups are unfinished.
    public func close() throws {
        requireNoCurrentRead()
        try writer.close { try readers.barrier { try readers.close() } }
    }

    public func interrupt() {
        writer.interrupt()
        readers.interrupt()
    }

    /// Frees memory that SQLite can do without, and closes the connections that read.
    ///
    /// It waits for all accesses to end. With `Configuration.persistentReadOnlyConnections` the connections stay open.
    ///
    ///     dbPool.releaseMemory()
    public func releaseMemory() {
        writer.sync { $0.releaseMemory() }
        guard !configuration.persistentReadOnlyConnections else { return }
        readers.barrier { readers.invalidate() }
    }

    /// Frees memory as `releaseMemory()` does, without waiting for accesses to end.
    public func releaseMemoryEventually() {
        if !configuration.persistentReadOnlyConnections { readers.invalidate() }
        writer.async { $0.releaseMemory() }
    }

    /// Has the connections that read closed, at once or after their current access.
    ///
    /// Later reads open new ones, which run `prepareDatabase` again: call it after a change of the
    /// passphrase.
    ///
    ///     dbPool.invalidateReadOnlyConnections()
    public func invalidateReadOnlyConnections() {
        readers.invalidate()
    }

    /// The connection of a read that is in progress on this thread.
    private var currentReader: SerializedDatabase? {
        AccessFrame.connection { $0.pool == connections.pool && $0 !== writer }
    }

    func requireNoCurrentRead() {
        trap(unless: currentReader == nil, "Database methods are not reentrant.")
    }
}

// MARK: - Reading

extension DatabasePool {
    public func read<T>(_ value: (Database) throws -> T) throws -> T {
        requireNoCurrentRead()
        return try readers.sync { try $0.isolatedRead(value) }
    }

    public func read<T: Sendable>(
        _ value: @Sendable (Database) throws -> T
    ) async throws -> T {
        try await readers.execute { try $0.isolatedRead(value) }
    }

    public func asyncRead(
        _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
    ) {
        readers.async { Database.isolate($0, value) }
    }

    public func unsafeRead<T>(_ value: (Database) throws -> T) throws -> T {
        requireNoCurrentRead()
        return try readers.sync(value)
    }

    public func unsafeRead<T: Sendable>(
        _ value: @Sendable (Database) throws -> T
    ) async throws -> T {
        try await readers.execute(value)
    }

    public func asyncUnsafeRead(
        _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
    ) {
        readers.async(value)
    }

    public func unsafeReentrantRead<T>(_ value: (Database) throws -> T) throws -> T {
        let current = AccessFrame.connection { $0.pool == connections.pool }
        if let current { return try current.inCurrentAccess(value) }
        return try readers.sync(value)
    }
}

// MARK: - Writing

extension DatabasePool {
    public func writeWithoutTransaction<T>(_ updates: (Database) throws -> T) rethrows -> T {
        try writer.sync(updates)
    }

    public func writeWithoutTransaction<T: Sendable>(
        _ updates: @Sendable (Database) throws -> T
    ) async throws -> T {
        try await writer.execute(updates)
    }

    public func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void) {
        writer.async(updates)
    }

    public func unsafeReentrantWrite<T>(_ updates: (Database) throws -> T) rethrows -> T {
        try writer.reentrantSync(updates)
    }

    public func barrierWriteWithoutTransaction<T>(
        _ updates: (Database) throws -> T
    ) throws -> T {
        requireNoCurrentRead()
        return try writer.sync { db in
            try readers.barrier { try updates(db) }
        }
    }

    public func barrierWriteWithoutTransaction<T: Sendable>(
        _ updates: @Sendable (Database) throws -> T
    ) async throws -> T {
        try await writer.execute(updates) { [readers] access, start in
            readers.beginBarrier(for: access, then: start)
        }
    }

    public func asyncBarrierWriteWithoutTransaction(
        _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
    ) {
        writer.async { [readers] db in
            updates(Result { try db.requireOpen() })
            readers.endBarrier()
        } after: { [readers] start in
            readers.beginBarrier(then: start)
        }
    }

    /// Runs statements in a transaction that the closure commits or rolls back.
    ///
    ///     try dbPool.writeInTransaction(.immediate) { db in
    ///         try db.execute(sql: "DELETE FROM player")
    ///         return .commit
    ///     }
    ///
    /// - Throws: What `updates` throws, and `DatabaseError`; nothing is then written.
    public func writeInTransaction(
        _ kind: Database.TransactionKind? = nil,
        _ updates: (Database) throws -> Database.TransactionCompletion
    ) throws {
        try writer.sync { db in
            try db.inTransaction(kind) { try updates(db) }
        }
    }
}

// MARK: - Reading the last commit

extension DatabasePool {
    public func spawnConcurrentRead(
        _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
    ) {
        asyncConcurrentRead(value)
    }

    /// Reads the last committed state, while later writes go on unseen.
    ///
    /// Returns as soon as the state is held; the closure runs on a connection of its own.
    ///
    ///     dbPool.asyncConcurrentRead { result in
    ///         let count = try? result.get().makeStatement(sql: "SELECT 1")
    ///         print(count == nil ? "failed" : "read")
    ///     }
    ///
    /// - Precondition: It is called in a write access, outside of any transaction.
    public func asyncConcurrentRead(
        _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
    ) {
        writer.inCurrentAccess { db in
            db.requireNoTransaction("asyncConcurrentRead(_:)")
        }
        readers.start { db, go in
            Database.isolate(db, value, whenIsolated: go)
        }
    }

    /// Makes a snapshot of the database as it is now, on a connection of its own.
    ///
    /// In a write access, outside of any transaction, that is the last committed state.
    ///
    ///     let snapshot = try dbPool.makeSnapshot()
    ///     let count = try snapshot.read { db in try Player.fetchCount(db) }
    ///
    /// - Throws: `DatabaseError`, as opening does.
    /// - Precondition: It is not called inside a write transaction.
    public func makeSnapshot() throws -> DatabaseSnapshot {
        if AccessFrame.isUsing(writer) {
            writer.inCurrentAccess { db in
                db.requireNoTransaction("makeSnapshot()")
            }
        }
        return try connections.openSnapshot()
    }
}
