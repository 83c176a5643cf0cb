/// What reads a database: queues, pools and snapshots.
///
/// Apps use its conformers and write functions over the protocol; they add no conformance.
///
/// Functions that are `async` suspend their task, and block no thread, until it is their turn. When
/// the task is cancelled they throw `CancellationError`, at once if they still wait; what runs is
/// interrupted, and what was written is rolled back.
public protocol DatabaseReader: AnyObject, Sendable {
    /// The path of the file; `:memory:` for a database in memory.
    var path: String { get }

    /// The configuration that the database was opened with.
    var configuration: Configuration { get }

    /// Closes the connections; closing again does nothing.
    ///
    /// Every later access throws `SQLITE_MISUSE`.
    ///
    ///     try dbPool.close()
    ///
    /// - Throws: `SQLITE_BUSY` when statements or backups are unfinished.
    func close() throws

    /// Ends what runs, from any thread: it throws `SQLITE_INTERRUPT`.
    ///
    ///     dbPool.interrupt()
    func interrupt()

    /// Reads in a transaction: one state of the database, in which writes throw `SQLITE_READONLY`.
    ///
    ///     let count = try dbPool.read { db in
    ///         try Player.fetchCount(db)
    ///     }
    ///
    /// The calling thread waits until `value` returns.
    ///
    /// - Parameter value: A function that reads. It must not keep the connection that it gets.
    /// - Returns: The result of `value`.
    /// - Throws: What `value` throws, and `DatabaseError`.
    func read<T>(_ value: (Database) throws -> T) throws -> T

    /// Reads in a transaction, for a task: see `DatabaseReader` for its cancellation.
    ///
    /// - Throws: `CancellationError` when the task was cancelled; `DatabaseError`, and what the
    ///   closure throws.
    func read<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T

    /// Reads in a transaction, later: returns at once.
    ///
    ///     dbPool.asyncRead { result in
    ///         let count = try? Player.fetchCount(result.get())
    ///         print(count ?? 0)
    ///     }
    ///
    /// - Parameter value: Given a failure when no transaction could be begun.
    func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)

    /// Reads without a transaction: two statements may see two states.
    ///
    /// - Throws: `CancellationError` when the task was cancelled; `DatabaseError`, and what the
    ///   closure throws.
    func unsafeRead<T>(_ value: (Database) throws -> T) throws -> T

    /// Reads without a transaction, for a task: see `DatabaseReader` for its cancellation.
    ///
    /// - Throws: `CancellationError` when the task was cancelled; `DatabaseError`, and what the
    ///   closure throws.
    func unsafeRead<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T

    /// Reads without a transaction, later: returns at once.
    ///
    /// - Parameter value: Given a failure when there is no connection.
    func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)

    /// Reads without a transaction, also inside another access, whose connection it then is.
    ///
    ///     let count = try dbPool.unsafeReentrantRead { db in try Player.fetchCount(db) }
    ///
    /// - Throws: `DatabaseError` when the access cannot begin or end, and what the closure throws.
    func unsafeReentrantRead<T>(_ value: (Database) throws -> T) throws -> T

    /// How values can be observed. Not to be customised.
    var _observability: DatabaseObservability { get }
}

/// What reads a database that never changes.
public protocol DatabaseSnapshotReader: DatabaseReader {}

extension DatabaseSnapshotReader {
    /// Reads, also inside another read.
    ///
    /// - Throws: What `value` throws, and `DatabaseError`.
    public func reentrantRead<T>(_ value: (Database) throws -> T) throws -> T {
        try unsafeReentrantRead(value)
    }
}
