/// A type that reads a database: queues, pools and snapshots.
///
/// Apps use the conforming types, and write functions over the protocol. They do not add
/// conformances.
///
/// `async` functions suspend their task, and block no thread, until it is their turn. If the task
/// is cancelled, they throw `CancellationError`: immediately if they still wait. A running
/// statement is interrupted, and its transaction is rolled back.
public protocol DatabaseReader: AnyObject, Sendable {
    /// The path of the file; `:memory:` for an in-memory database.
    var path: String { get }

    /// The configuration that the database was opened with.
    var configuration: Configuration { get }

    /// Closes the connections; closing again does nothing.
    ///
    /// Every later access throws `SQLITE_MISUSE`.
    ///
    ///     try dbPool.close()
    ///
    /// - Throws: `SQLITE_BUSY` if statements or backups are unfinished.
    func close() throws

    /// Interrupts running statements, from any thread: they throw `SQLITE_INTERRUPT`.
    ///
    ///     dbPool.interrupt()
    func interrupt()

    /// Reads one state of the database, in a transaction in which writes throw `SQLITE_READONLY`.
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
    /// - Throws: `CancellationError` if the task was cancelled; `DatabaseError`, and what the
    ///   closure throws.
    func read<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T

    /// Reads in a transaction, asynchronously: returns immediately.
    ///
    ///     dbPool.asyncRead { result in
    ///         let count = try? Player.fetchCount(result.get())
    ///         print(count ?? 0)
    ///     }
    ///
    /// - Parameter value: Gets a failure if no transaction can begin.
    func asyncRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)

    /// Reads without a transaction: two statements can see two states.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; `DatabaseError`, and what the
    ///   closure throws.
    func unsafeRead<T>(_ value: (Database) throws -> T) throws -> T

    /// Reads without a transaction, for a task: see `DatabaseReader` for its cancellation.
    ///
    /// - Throws: `CancellationError` if the task was cancelled; `DatabaseError`, and what the
    ///   closure throws.
    func unsafeRead<T: Sendable>(_ value: @Sendable (Database) throws -> T) async throws -> T

    /// Reads without a transaction, asynchronously: returns immediately.
    ///
    /// - Parameter value: Gets a failure if there is no connection.
    func asyncUnsafeRead(_ value: @escaping @Sendable (Result<Database, any Error>) -> Void)

    /// Reads without a transaction; inside another access, on the same connection.
    ///
    ///     let count = try dbPool.unsafeReentrantRead { db in try Player.fetchCount(db) }
    ///
    /// - Throws: `DatabaseError` if the access cannot begin or end, and what the closure throws.
    func unsafeReentrantRead<T>(_ value: (Database) throws -> T) throws -> T

    /// How values can be observed. Do not customize it.
    var _observability: DatabaseObservability { get }
}

/// A type that reads a state of a database that never changes.
public protocol DatabaseSnapshotReader: DatabaseReader {}

extension DatabaseSnapshotReader {
    /// Reads, also inside another read.
    ///
    /// - Throws: What `value` throws, and `DatabaseError`.
    public func reentrantRead<T>(_ value: (Database) throws -> T) throws -> T {
        try unsafeReentrantRead(value)
    }
}
