/// One state of a database, on several connections that read at the same time.
///
///     let snapshot = try dbPool.makeSnapshotPool()
///     let count = try snapshot.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM …") }
///
/// It needs WAL mode. It neither blocks writes nor sees them, and the log cannot shrink as long as
/// it exists.
///
/// If SQLCipher was built with `SQLITE_ENABLE_SNAPSHOT`, connections open when they are needed.
/// During a checkpoint by another connection, opening one waits up to 10 s, unless the
/// configuration sets another limit. With other builds, as on Debian and Ubuntu, all connections
/// (`maximumReaderCount`) open immediately, derive the key once, and begin to read between two
/// commits. If commits never pause, writers wait for a moment.
/// <https://www.sqlite.org/c3ref/snapshot.html>
public final class DatabaseSnapshotPool: DatabaseSnapshotReader {
    public let path: String
    public let configuration: Configuration
    private let connections: SnapshotConnections
    private let state: State
    private let readers: ReaderPool

    /// What holds the state.
    private enum State: Sendable {
        /// A connection that never lets it go, though it serves no read.
        case held(by: SerializedDatabase, LogSnapshot)
        /// The connections that serve the reads.
        case together(HeldTogether)

        func hold(_ db: Database) throws {
            switch self {
            case .held(_, let snapshot): try db.hold(snapshot)
            case .together(let held): try db.holdAgain(held.mark)
            }
        }
    }

    /// Creates a snapshot of the state that a connection reads.
    ///
    ///     let snapshot = try DatabaseSnapshotPool(path: "app.db", configuration: config)
    ///
    /// - Parameters:
    ///   - db: A connection that is reading a state of a WAL database.
    ///   - configuration: If nil, that of the connection.
    /// - Throws: `SQLITE_ERROR` inside a transaction that has written, or if the database is not in
    ///   WAL mode; `SQLITE_CANTOPEN` if the database has no file; `DatabaseError` as opening does.
    ///   If SQLCipher has no snapshot functions, `SQLITE_BUSY_SNAPSHOT` if there was a commit since
    ///   the read access of `db` began, or if `db` is in a transaction that the app itself began.
    public convenience init(_ db: Database, configuration: Configuration? = nil) throws {
        let path = try db.requireFilePath()
        let connections = SnapshotConnections(
            path: path, configuration: configuration ?? db.configuration,
            sharedKey: db.keying.shared, file: db.fileIdentity)
        guard LogSnapshot.isAvailable else {
            let mark = try db.markOfCurrentRead()
            let held = try connections.openTogether(at: mark, lock: connections.withLock)
            self.init(connections: connections, .together(held))
            return
        }
        var parts: (holder: SerializedDatabase, snapshot: LogSnapshot)?
        try db.ensureLogHasCommit()
        try db.withLogSnapshot { snapshot in
            // Opened while `db` holds the state, which nobody else does yet.
            parts = (try connections.openReader(named: "holder", of: snapshot), snapshot)
        }
        guard let parts else { throw Database.abortedTransactionError }
        self.init(connections: connections, .held(by: parts.holder, parts.snapshot))
    }

    /// Creates a snapshot of a file as it is now.
    ///
    /// - Throws: `SQLITE_ERROR` if the database is not in WAL mode; `DatabaseError` as opening
    ///   does. With SQLite's snapshot functions, `SQLITE_ERROR` if the log has no commit and the
    ///   configuration is `readonly`; without them, `SQLITE_BUSY_SNAPSHOT` if it is `readonly` and
    ///   commits never pause.
    public convenience init(
        path: String, configuration: Configuration = Configuration()
    ) throws {
        let connections = SnapshotConnections(
            path: path, configuration: configuration,
            sharedKey: configuration.sharesDerivedKey ? SharedKey() : nil, file: nil)
        guard LogSnapshot.isAvailable else {
            let held = try connections.openTogether(lock: connections.withLock)
            self.init(connections: connections, .together(held))
            return
        }
        let source = try connections.openSource()
        self.init(connections: connections, .held(by: source.holder, source.snapshot))
    }

    fileprivate convenience init(connections: SnapshotConnections, together held: HeldTogether) {
        self.init(connections: connections, .together(held))
    }

    private init(connections: SnapshotConnections, _ state: State) {
        path = connections.path
        configuration = connections.configuration
        self.connections = connections
        self.state = state
        readers = ReaderPool(maximumCount: configuration.maximumReaderCount) { number in
            switch state {
            case .held(_, let snapshot):
                return try connections.openReader(named: "reader.\(number)", of: snapshot)
            case .together(let held):
                // Another one would read another state.
                guard number <= held.readers.count else { throw Database.lostStateError }
                return held.readers[number - 1]
            }
        }
    }

    public func close() throws {
        requireNoCurrentRead()
        try readers.barrier { try readers.close() }
        switch state {
        case .held(by: let holder, _): try holder.close()
        case .together(let held): for reader in held.readers { try reader.close() }
        }
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
            try state.hold(db)
            return try value(db)
        }
    }

    public func read<T: Sendable>(
        _ value: @Sendable (Database) throws -> T
    ) async throws -> T {
        try await readers.execute { [state] db in
            try state.hold(db)
            return try value(db)
        }
    }

    public func asyncRead(
        _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
    ) {
        readers.async { [state] db in
            value(
                Result {
                    let db = try db.get()
                    try state.hold(db)
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
    /// Creates a snapshot of the database as it is now, for several reads at the same time.
    ///
    /// In an access of this pool, this is the state that the access sees.
    ///
    ///     let snapshot = try dbPool.makeSnapshotPool()
    ///     let count = try snapshot.read { db in try Player.fetchCount(db) }
    ///
    /// - Throws: `SQLITE_ERROR` inside a transaction that has written; `DatabaseError` as opening does, and
    ///   as `DatabaseSnapshotPool.init(_:configuration:)` does, in an access.
    public func makeSnapshotPool() throws -> DatabaseSnapshotPool {
        let isInAccess = AccessFrame.connection { $0.pool == writer.pool } != nil
        guard LogSnapshot.isAvailable || isInAccess else { return try makePoolOfReaders() }
        if !isInAccess, !configuration.readonly {
            // A log without a commit has no snapshots; only the writer can give it one.
            let isEmpty = try unsafeRead { try $0.isLogWithoutCommit() }
            if isEmpty { try writer.sync { try $0.ensureLogHasCommit() } }
        }
        return try unsafeReentrantRead {
            try DatabaseSnapshotPool($0, configuration: configuration)
        }
    }

    /// A snapshot of now. If commits come all the time, the pool's writer makes them wait.
    private func makePoolOfReaders() throws -> DatabaseSnapshotPool {
        let (path, sharedKey, file) = try unsafeRead { db in
            (try db.requireFilePath(), db.keying.shared, db.fileIdentity)
        }
        let connections = SnapshotConnections(
            path: path, configuration: configuration, sharedKey: sharedKey, file: file)
        let held = try connections.openTogether { begin in
            guard !configuration.readonly else { throw Database.passedStateError }
            try writer.sync { db in
                try db.inTransaction(.immediate) {
                    try begin()
                    return .rollback
                }
            }
        }
        return DatabaseSnapshotPool(connections: connections, together: held)
    }
}
