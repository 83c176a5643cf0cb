/// A database as it was at a moment, on several connections that read at the same time.
///
///     let snapshot = try dbPool.makeSnapshotPool()
///     let count = try snapshot.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM …") }
///
/// It needs WAL mode and a SQLCipher built with `SQLITE_ENABLE_SNAPSHOT`, which is looked for when
/// it runs; `DatabaseSnapshot` does without. It neither holds up writes nor sees them, and keeps
/// the log from shrinking. While another connection moves content from the log into the database,
/// opening one of its own waits: up to 10 s, unless the configuration says otherwise.
/// <https://www.sqlite.org/c3ref/snapshot.html>
public final class DatabaseSnapshotPool: DatabaseSnapshotReader {
    public let path: String
    public let configuration: Configuration
    private let connections: SnapshotConnections
    /// The connection that never lets the state go, though it serves no read.
    private let holder: SerializedDatabase
    private let snapshot: LogSnapshot
    private let readers: ReaderPool

    /// Makes a snapshot of what a connection reads.
    ///
    ///     let snapshot = try DatabaseSnapshotPool(path: "app.db", configuration: config)
    ///
    /// - Parameters:
    ///   - db: A connection that is reading a state of a WAL database.
    ///   - configuration: If nil, that of the connection.
    /// - Throws: `SQLITE_ERROR` where SQLCipher has no snapshots, and inside a transaction that has
    ///   written; `SQLITE_CANTOPEN` when the database is in no file; `DatabaseError` as opening
    ///   does.
    public convenience init(_ db: Database, configuration: Configuration? = nil) throws {
        try LogSnapshot.requireAvailable()
        let path = try db.requireFilePath()
        let connections = SnapshotConnections(
            path: path, configuration: configuration ?? db.configuration,
            sharedKey: db.keying.shared, file: db.fileIdentity)
        var parts: (holder: SerializedDatabase, snapshot: LogSnapshot)?
        try db.ensureLogHasCommit()
        try db.withLogSnapshot { snapshot in
            // Opened while `db` holds the state, which nobody else does yet.
            parts = (try connections.openReader(named: "holder", of: snapshot), snapshot)
        }
        guard let parts else { throw Database.abortedTransactionError }
        self.init(connections: connections, holder: parts.holder, snapshot: parts.snapshot)
    }

    /// Makes a snapshot of a file as it is now.
    ///
    /// - Throws: `SQLITE_ERROR` where SQLCipher has no snapshots, and when the database is not in
    ///   WAL mode, or has a log without a commit and a configuration that is `readonly`;
    ///   `DatabaseError` as opening does.
    public convenience init(
        path: String, configuration: Configuration = Configuration()
    ) throws {
        try LogSnapshot.requireAvailable()
        let connections = SnapshotConnections(
            path: path, configuration: configuration,
            sharedKey: configuration.sharesDerivedKey ? SharedKey() : nil, file: nil)
        let source = try connections.openSource()
        self.init(
            connections: connections, holder: source.holder, snapshot: source.snapshot)
    }

    private init(
        connections: SnapshotConnections, holder: SerializedDatabase, snapshot: LogSnapshot
    ) {
        path = connections.path
        configuration = connections.configuration
        self.connections = connections
        self.holder = holder
        self.snapshot = snapshot
        readers = ReaderPool(maximumCount: configuration.maximumReaderCount) { number in
            try connections.openReader(named: "reader.\(number)", of: snapshot)
        }
    }

    public func close() throws {
        requireNoCurrentRead()
        try readers.barrier { try readers.close() }
        try holder.close()
    }

    public func interrupt() {
        readers.interrupt()
    }

    private var currentReader: SerializedDatabase? {
        AccessFrame.connection { $0.pool == connections.pool }
    }

    private func requireNoCurrentRead() {
        trap(unless: currentReader == nil, "Database methods are not reentrant.")
    }
}

extension DatabaseSnapshotPool {
    public func read<T>(_ value: (Database) throws -> T) throws -> T {
        requireNoCurrentRead()
        return try readers.sync { db in
            try db.hold(snapshot)
            return try value(db)
        }
    }

    public func read<T: Sendable>(
        _ value: @Sendable (Database) throws -> T
    ) async throws -> T {
        try await readers.execute { [snapshot] db in
            try db.hold(snapshot)
            return try value(db)
        }
    }

    public func asyncRead(
        _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
    ) {
        readers.async { [snapshot] db in
            value(
                Result {
                    let db = try db.get()
                    try db.hold(snapshot)
                    return db
                })
        }
    }

    // The transaction that holds the state is open already: there is no reading without one.

    public func unsafeRead<T>(_ value: (Database) throws -> T) throws -> T {
        try read(value)
    }

    public func unsafeRead<T: Sendable>(
        _ value: @Sendable (Database) throws -> T
    ) async throws -> T {
        try await read(value)
    }

    public func asyncUnsafeRead(
        _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
    ) {
        asyncRead(value)
    }

    public func unsafeReentrantRead<T>(_ value: (Database) throws -> T) throws -> T {
        if let currentReader { return try currentReader.inCurrentAccess(value) }
        return try read(value)
    }
}

extension DatabasePool {
    /// Makes a snapshot of the database as it is now, for several reads at the same time.
    ///
    /// In an access of this pool, it is the state that the access sees.
    ///
    ///     let snapshot = try dbPool.makeSnapshotPool()
    ///     let count = try snapshot.read { db in try Player.fetchCount(db) }
    ///
    /// - Throws: `SQLITE_ERROR` where the SQLCipher of this process has no snapshots, and inside a
    ///   transaction that has written; `DatabaseError` as opening does.
    public func makeSnapshotPool() throws -> DatabaseSnapshotPool {
        try LogSnapshot.requireAvailable()
        let isInAccess = AccessFrame.connection { $0.pool == writer.pool } != nil
        if !isInAccess, !configuration.readonly {
            // A log without a commit has no snapshots; only the writer can give it one.
            let isEmpty = try unsafeRead { try $0.isLogWithoutCommit() }
            if isEmpty { try writer.sync { try $0.ensureLogHasCommit() } }
        }
        return try unsafeReentrantRead {
            try DatabaseSnapshotPool($0, configuration: configuration)
        }
    }
}
