/// What reads a database: queues, pools and snapshots.
///
/// Apps use its conformers and write functions over the protocol; they add no conformance.
public protocol DatabaseReader: AnyObject, Sendable {
    /// The path of the file; `:memory:` for a database in memory.
    var path: String { get }

    /// The configuration that the database was opened with.
    var configuration: Configuration { get }

    /// Closes the connections; closing again does nothing.
    ///
    /// - Throws: `SQLITE_BUSY` when statements or backups are unfinished.
    func close() throws

    /// Ends what runs, from any thread: it throws `SQLITE_INTERRUPT`.
    func interrupt()

    /// Reads in a transaction: one state of the database, in which writes throw `SQLITE_READONLY`.
    ///
    /// - Throws: What `value` throws, and `DatabaseError`.
    func read<T>(_ value: (Database) throws -> T) throws -> T

    /// Reads without a transaction: two statements may see two states.
    func unsafeRead<T>(_ value: (Database) throws -> T) throws -> T

    /// Reads without a transaction, also inside another access.
    func unsafeReentrantRead<T>(_ value: (Database) throws -> T) throws -> T
}
