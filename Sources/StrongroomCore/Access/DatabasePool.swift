/// A database with one connection that writes and several that read, all at the same time.
///
/// The database is in WAL mode: readers see the last committed state; reads and writes do not block
/// each other. <https://www.sqlite.org/wal.html>
///
///     var config = Configuration()
///     config.prepareDatabase { db in try db.usePassphrase(loadPassphrase()) }
///     let dbPool = try DatabasePool(path: "/path/to/database.sqlite", configuration: config)
///
/// The key is derived from a passphrase once for all connections: see
/// `Configuration.sharesDerivedKey`.
public final class DatabasePool: DatabaseWriter {
    public let path: String
    public let configuration: Configuration
    let writer: SerializedDatabase
    let readers: ReaderPool
    let connections: PoolConnections

    /// Opens a file, creates it if it is missing, and switches it to WAL mode.
    ///
    /// Connections that read open when they are needed.
    ///
    ///     var configuration = Configuration()
    ///     configuration.prepareDatabase { db in try db.usePassphrase("secret") }
    ///     let pool = try DatabasePool(path: "app.db", configuration: configuration)
    ///
    /// - Throws: `SQLITE_CANTOPEN` if a folder is missing; `SQLITE_NOTADB` if the key is wrong or
    ///   missing, or the file is no database: the message says which; `SQLITE_ERROR` if the
    ///   database cannot have a write-ahead log, for example in memory.
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

    /// Closes all connections after all accesses have ended; closing again does nothing.
    ///
    ///     try dbPool.close()
    ///
    /// - Throws: `SQLITE_BUSY` if statements or backups are unfinished.
    public func close() throws {
        requireNoCurrentRead()
        try writer.close { try readers.barrier { try readers.close() } }
    }

    public func interrupt() {
        writer.interrupt()
        readers.interrupt()
    }

    /// Frees memory that SQLite does not need, and closes the connections that read.
    ///
    /// It waits for all accesses to end. With `Configuration.persistentReadOnlyConnections`, the
    /// connections stay open.
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

    /// Closes the connections that read, immediately or after their current access.
    ///
    /// Later reads open new ones, which run `prepareDatabase` again: call this after changing the
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
    /// - Throws: What `updates` throws, and `DatabaseError`; then nothing is written.
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

    /// Reads the last committed state, and does not see later writes.
    ///
    /// It returns as soon as it holds the state; the closure runs on a separate connection.
    ///
    ///     dbPool.asyncConcurrentRead { result in
    ///         let count = try? result.get().makeStatement(sql: "SELECT 1")
    ///         print(count == nil ? "failed" : "read")
    ///     }
    ///
    /// - Precondition: It is called in a write access, outside any transaction.
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

    /// Creates a snapshot of the database as it is now, on a separate connection.
    ///
    /// In a write access, outside any transaction, this is the last committed state.
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
