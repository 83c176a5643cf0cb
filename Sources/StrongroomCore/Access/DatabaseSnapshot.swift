/// One state of a database, on one connection whose accesses run one after the other.
///
///     let snapshot = try dbPool.makeSnapshot()
///     let count = try snapshot.read { db in try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM …") }
///
/// In WAL mode, it neither blocks writes nor sees them, and the log cannot shrink as long as it
/// exists. In other journal modes, no connection can write as long as it exists.
/// <https://www.sqlite.org/isolation.html>
public final class DatabaseSnapshot: DatabaseSnapshotReader {
    public let path: String
    public let configuration: Configuration
    let reader: SerializedDatabase

    init(
        path: String, configuration: Configuration, label: String, sharedKey: SharedKey?
    ) throws {
        self.path = path
        self.configuration = configuration
        reader = try SerializedDatabase(
            path: path, configuration: configuration, label: label, sharedKey: sharedKey)
        try reader.sync { db in
            try db.beginLastingRead()
        }
    }

    public func close() throws {
        try reader.close()
    }

    public func interrupt() {
        reader.interrupt()
    }
}

// The transaction that holds the state is open already: reading begins none.

extension DatabaseSnapshot {
    public func read<T>(_ value: (Database) throws -> T) rethrows -> T {
        try reader.sync(value)
    }

    public func read<T: Sendable>(
        _ value: @Sendable (Database) throws -> T
    ) async throws -> T {
        try await reader.execute(value)
    }

    public func asyncRead(
        _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
    ) {
        reader.async { db in value(Result { try db.requireOpen() }) }
    }

    public func unsafeRead<T>(_ value: (Database) throws -> T) rethrows -> T {
        try reader.sync(value)
    }

    public func unsafeRead<T: Sendable>(
        _ value: @Sendable (Database) throws -> T
    ) async throws -> T {
        try await reader.execute(value)
    }

    public func asyncUnsafeRead(
        _ value: @escaping @Sendable (Result<Database, any Error>) -> Void
    ) {
        asyncRead(value)
    }

    public func unsafeReentrantRead<T>(_ value: (Database) throws -> T) rethrows -> T {
        try reader.reentrantSync(value)
    }
}
