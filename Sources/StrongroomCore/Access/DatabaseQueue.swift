/// A database with one connection, whose accesses run one after the other.
///
///     var config = Configuration()
///     config.prepareDatabase { db in try db.usePassphrase(loadPassphrase()) }
///     let dbQueue = try DatabaseQueue(path: "/path/to/database.sqlite", configuration: config)
///     try dbQueue.write { db in try db.execute(sql: "CREATE TABLE …") }
///     let names = try dbQueue.read { db in try String.fetchAll(db, sql: "SELECT name FROM …") }
public final class DatabaseQueue: DatabaseWriter {
    public let path: String
    public let configuration: Configuration
    let writer: SerializedDatabase

    /// Opens a file, and creates it if it is missing.
    ///
    ///     let queue = try DatabaseQueue()  // in memory
    ///     try queue.write { db in try db.execute(sql: "CREATE TABLE team (name TEXT)") }
    ///
    /// - Throws: `SQLITE_CANTOPEN` if a folder is missing; `SQLITE_NOTADB` if the key is wrong or
    ///   missing, or the file is no database: the message says which.
    public init(path: String, configuration: Configuration = Configuration()) throws {
        self.path = path
        var configuration = configuration
        configuration.requiresEncryption = configuration.requiresEncryption
        configuration.keyInForce = KeyInForce()
        configuration.foundSettings = configuration.findsCipherSettings ? FoundSettings() : nil
        self.configuration = configuration
        writer = try SerializedDatabase(
            path: path, configuration: configuration,
            label: configuration.label ?? "DatabaseQueue")
    }

    /// Opens an in-memory database, which is private unless it has a name.
    ///
    /// - Parameters:
    ///   - name: Queues of the same name share their content.
    ///   - configuration: How the connection is set up.
    /// - Throws: `DatabaseError` if it cannot be opened; what `prepareDatabase` throws.
    public convenience init(
        named name: String? = nil, configuration: Configuration = Configuration()
    ) throws {
        // What follows two slashes would be a host.
        let path = name.map {
            let name = $0.escapedInURI.replacing("/", with: "%2f")
            return "file:\(name)?mode=memory&cache=shared"
        }
        try self.init(path: path ?? ":memory:", configuration: configuration)
    }

    public func close() throws {
        try writer.close()
    }

    public func interrupt() {
        writer.interrupt()
    }

    /// Frees memory that SQLite does not need.
    ///
    ///     dbQueue.releaseMemory()
    public func releaseMemory() {
        writer.sync { $0.releaseMemory() }
    }
}

// MARK: - Reading

extension DatabaseQueue {
    public func read<T>(_ value: (Database) throws -> T) throws -> T {
        try writer.sync { try $0.isolatedRead(value) }
    }

    public func read<T: Sendable>(
        _ value: @Sendable (Database) throws -> T
    ) async throws -> T {
        try await writer.execute { try $0.isolatedRead(value) }
    }

    public func asyncRead(
        _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
    ) {
        writer.async { db in Database.isolate(Result { try db.requireOpen() }, value) }
    }

    public func unsafeRead<T>(_ value: (Database) throws -> T) rethrows -> T {
        try writer.sync(value)
    }

    public func unsafeRead<T: Sendable>(
        _ value: @Sendable (Database) throws -> T
    ) async throws -> T {
        try await writer.execute(value)
    }

    public func asyncUnsafeRead(
        _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
    ) {
        writer.async { db in value(Result { try db.requireOpen() }) }
    }

    public func unsafeReentrantRead<T>(_ value: (Database) throws -> T) rethrows -> T {
        try writer.reentrantSync(value)
    }
}

// MARK: - Writing

extension DatabaseQueue {
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

    public func barrierWriteWithoutTransaction<T>(
        _ updates: (Database) throws -> T
    ) throws -> T {
        try writer.sync(updates)
    }

    public func barrierWriteWithoutTransaction<T: Sendable>(
        _ updates: @Sendable (Database) throws -> T
    ) async throws -> T {
        try await writer.execute(updates)
    }

    public func asyncBarrierWriteWithoutTransaction(
        _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void
    ) {
        asyncUnsafeRead(updates)
    }

    public func unsafeReentrantWrite<T>(_ updates: (Database) throws -> T) rethrows -> T {
        try writer.reentrantSync(updates)
    }

    public func spawnConcurrentRead(
        _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
    ) {
        writer.inCurrentAccess { db in
            db.requireNoTransaction("spawnConcurrentRead(_:)")
            Database.isolate(.success(db), value)
        }
    }

    /// Runs statements one after the other: the same as `writeWithoutTransaction`.
    ///
    ///     try dbQueue.inDatabase { db in try db.execute(sql: "PRAGMA optimize") }
    public func inDatabase<T>(_ updates: (Database) throws -> T) rethrows -> T {
        try writer.sync(updates)
    }

    /// Runs statements in a transaction that the closure commits or rolls back.
    ///
    ///     try dbQueue.inTransaction { db in
    ///         try db.execute(sql: "DELETE FROM player")
    ///         return .commit
    ///     }
    ///
    /// - Throws: What `updates` throws, and `DatabaseError`; nothing is then written.
    public func inTransaction(
        _ kind: Database.TransactionKind? = nil,
        _ updates: (Database) throws -> Database.TransactionCompletion
    ) throws {
        try writer.sync { db in
            try db.inTransaction(kind) { try updates(db) }
        }
    }
}
