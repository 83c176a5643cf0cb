/// What reads and writes a database: queues and pools.
///
/// The writes of one object run one after the other.
public protocol DatabaseWriter: DatabaseReader {
    /// Runs statements one write at a time, each in a transaction of its own.
    ///
    ///     try dbPool.writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
    func writeWithoutTransaction<T>(_ updates: (Database) throws -> T) rethrows -> T

    /// The same for a task: see `DatabaseReader` for its cancellation.
    ///
    /// - Throws: `CancellationError` when the task was cancelled; `DatabaseError`, and what the
    ///   closure throws.
    func writeWithoutTransaction<T: Sendable>(
        _ updates: @Sendable (Database) throws -> T
    ) async throws -> T

    /// The same, later: returns at once.
    ///
    ///     dbPool.asyncWriteWithoutTransaction { db in try? db.execute(sql: "PRAGMA optimize") }
    func asyncWriteWithoutTransaction(_ updates: @escaping @Sendable (Database) -> Void)

    /// Runs statements without a transaction while no other access runs; later ones wait.
    ///
    /// Snapshots go on: they have connections of their own.
    ///
    ///     try dbPool.barrierWriteWithoutTransaction { db in try db.changePassphrase("secret") }
    ///
    /// - Throws: What `updates` throws.
    func barrierWriteWithoutTransaction<T>(_ updates: (Database) throws -> T) throws -> T

    /// The same for a task: see `DatabaseReader` for its cancellation.
    ///
    /// - Throws: `CancellationError` when the task was cancelled; `DatabaseError`, and what the
    ///   closure throws.
    func barrierWriteWithoutTransaction<T: Sendable>(
        _ updates: @Sendable (Database) throws -> T
    ) async throws -> T

    /// The same, later: returns at once.
    ///
    /// - Parameter updates: Given a failure when there is no connection.
    func asyncBarrierWriteWithoutTransaction(
        _ updates: @escaping @Sendable (Result<Database, any Error>) -> Void)

    /// Runs statements without a transaction, also inside another write.
    ///
    ///     try dbPool.unsafeReentrantWrite { db in try db.execute(sql: "DELETE FROM player") }
    func unsafeReentrantWrite<T>(_ updates: (Database) throws -> T) rethrows -> T

    /// Reads the last committed state: a pool meanwhile goes on with writes, a queue does it at once.
    ///
    ///     try dbPool.writeWithoutTransaction { db in
    ///         try db.execute(sql: "DELETE FROM player")
    ///         dbPool.spawnConcurrentRead { result in
    ///             print((try? Player.fetchCount(result.get())) ?? 0)
    ///         }
    ///     }
    ///
    /// - Parameter value: Given a failure when no transaction could be begun.
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
    /// - Throws: `CancellationError` when the task was cancelled; `DatabaseError`, and what the
    ///   closure throws.
    public func write<T: Sendable>(
        _ updates: @Sendable (Database) throws -> T
    ) async throws -> T {
        try await writeWithoutTransaction { db in
            try db.transaction { try updates(db) }
        }
    }

    /// Runs statements in one transaction, later: returns at once.
    ///
    /// - Parameters:
    ///   - updates: The work to do in the transaction.
    ///   - completion: Called after the transaction, with what `updates` returned, or with the
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
