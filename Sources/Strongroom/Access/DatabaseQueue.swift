/// A database on one connection, whose accesses run one after the other.
///
///     var config = Configuration()
///     config.prepareDatabase { db in try db.usePassphrase(loadPassphrase()) }
///     let dbQueue = try DatabaseQueue(path: "/path/to/database.sqlite", configuration: config)
///     try dbQueue.write { db in try db.execute(sql: "CREATE TABLE …") }
///     let names = try dbQueue.read { db in try String.fetchAll(db, sql: "SELECT name FROM …") }
public final class DatabaseQueue: DatabaseWriter {
    public let path: String
    public let configuration: Configuration
    private let writer: SerializedDatabase

    /// Opens a file, which is created when it is missing.
    ///
    /// - Throws: `SQLITE_CANTOPEN` when a folder is missing; `SQLITE_NOTADB` when the key is wrong
    ///   or missing, or the file is no database: its message says which.
    public init(path: String, configuration: Configuration = Configuration()) throws {
        self.path = path
        self.configuration = configuration
        writer = try SerializedDatabase(
            path: path, configuration: configuration,
            label: configuration.label ?? "DatabaseQueue")
    }

    /// Opens a database in memory, of its own unless it has a name.
    ///
    /// - Parameter name: Queues of the same name share their content.
    public convenience init(
        named name: String? = nil, configuration: Configuration = Configuration()
    ) throws {
        let path = name.map { "file:\($0)?mode=memory&cache=shared" } ?? ":memory:"
        try self.init(path: path, configuration: configuration)
    }

    public func close() throws {
        try writer.close()
    }

    public func interrupt() {
        writer.interrupt()
    }

    /// Frees memory that SQLite can do without.
    public func releaseMemory() {
        writer.sync { $0.releaseMemory() }
    }
}

extension DatabaseQueue {
    public func read<T>(_ value: (Database) throws -> T) throws -> T {
        try writer.sync { db in
            try db.readOnly {
                var result: T?
                try db.inTransaction(.deferred) {
                    result = try value(db)
                    return .commit
                }
                guard let result else { throw Database.abortedTransactionError }
                return result
            }
        }
    }

    public func unsafeRead<T>(_ value: (Database) throws -> T) rethrows -> T {
        try writer.sync(value)
    }

    public func unsafeReentrantRead<T>(_ value: (Database) throws -> T) rethrows -> T {
        try writer.reentrantSync(value)
    }

    public func writeWithoutTransaction<T>(_ updates: (Database) throws -> T) rethrows -> T {
        try writer.sync(updates)
    }

    public func unsafeReentrantWrite<T>(_ updates: (Database) throws -> T) rethrows -> T {
        try writer.reentrantSync(updates)
    }

    /// Runs statements one after the other: the same as `writeWithoutTransaction`.
    public func inDatabase<T>(_ updates: (Database) throws -> T) rethrows -> T {
        try writer.sync(updates)
    }

    /// Runs statements in a transaction that the closure commits or rolls back.
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
