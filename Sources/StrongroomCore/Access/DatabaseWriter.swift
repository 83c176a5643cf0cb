/// A type that reads and writes a database: queues and pools.
///
/// The writes of one object run one after the other.
public protocol DatabaseWriter: DatabaseReader {
    /// Runs statements in one write access, each in a separate transaction.
    ///
    ///     try dbPool.writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
    func writeWithoutTransaction<T>(_ updates: (Database) throws -> T) rethrows -> T

    /// The same for a task: see `DatabaseReader` for its cancellation.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; `DatabaseError`, and what the
    ///   closure throws.
    func writeWithoutTransaction<T: Sendable>(
        _ updates: @Sendable (Database) throws -> T
    ) async throws -> T

    /// The same asynchronously: returns immediately.
    ///
    ///     dbPool.asyncWriteWithoutTransaction { db in try? db.execute(sql: "PRAGMA optimize") }
    func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void)

    /// Runs statements without a transaction while no other access runs; later ones wait.
    ///
    /// Snapshots continue, because they have separate connections.
    ///
    ///     try dbPool.barrierWriteWithoutTransaction { db in try db.changePassphrase("secret") }
    ///
    /// - Throws: What `updates` throws.
    func barrierWriteWithoutTransaction<T>(_ updates: (Database) throws -> T) throws -> T

    /// The same for a task: see `DatabaseReader` for its cancellation.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; `DatabaseError`, and what the
    ///   closure throws.
    func barrierWriteWithoutTransaction<T: Sendable>(
        _ updates: @Sendable (Database) throws -> T
    ) async throws -> T

    /// The same asynchronously: returns immediately.
    ///
    /// - Parameter updates: Gets a failure if there is no connection.
    func asyncBarrierWriteWithoutTransaction(
        _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void)

    /// Runs statements without a transaction, also inside another write.
    ///
    ///     try dbPool.unsafeReentrantWrite { db in try db.execute(sql: "DELETE FROM player") }
    func unsafeReentrantWrite<T>(_ updates: (Database) throws -> T) rethrows -> T

    /// Reads the last committed state: in a pool, during later writes; in a queue, immediately.
    ///
    ///     try dbPool.writeWithoutTransaction { db in
    ///         try db.execute(sql: "DELETE FROM player")
    ///         dbPool.spawnConcurrentRead { result in
    ///             print((try? Player.fetchCount(result.get())) ?? 0)
    ///         }
    ///     }
    ///
    /// - Parameter value: Gets a failure if no transaction can begin.
    /// - Precondition: It is called in a write access, outside of any transaction.
    func spawnConcurrentRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)
}

extension DatabaseWriter {
    /// Runs statements in one transaction.
    ///
    ///     try dbPool.write { db in try player.insert(db) }
    ///
    /// - Returns: What `updates` returns.
    /// - Throws: What `updates` throws, and `DatabaseError`; nothing is then written.
    public func write<T>(_ updates: (Database) throws -> T) throws -> T {
        try writeWithoutTransaction { db in
            try db.transaction { try updates(db) }
        }
    }

    /// Runs statements in one transaction, for a task: see `DatabaseReader` for its cancellation.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; `DatabaseError`, and what the
    ///   closure throws.
    public func write<T: Sendable>(
        _ updates: @Sendable (Database) throws -> T
    ) async throws -> T {
        try await writeWithoutTransaction { db in
            try db.transaction { try updates(db) }
        }
    }

    /// Runs statements in one transaction, asynchronously: returns immediately.
    ///
    /// - Parameters:
    ///   - updates: The work to do in the transaction.
    ///   - completion: Called after the transaction, with the result of `updates`, or with the
    ///     reason why nothing was written.
    public func asyncWrite<T>(
        _ updates: @escaping @Sendable (Database) throws -> T,
        completion: @escaping @Sendable (Database, Result<T, any Error>) -> Void
    ) {
        asyncWriteWithoutTransaction { db in
            completion(db, Result { try db.transaction { try updates(db) } })
        }
    }
}
