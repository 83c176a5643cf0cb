internal import Dispatch
internal import Synchronization

/// One connection and the serial queue on which alone it is used.
///
/// Invariants:
/// 1. `database` is touched only on `queue`, but for `interrupt()`, which SQLite allows from any
///    thread as long as the connection is open.
/// 2. `interruptible` is the connection while it is open, and nil before it closes: its lock keeps
///    closing and interrupting apart.
/// 3. An access that starts on this queue already is a bug of the caller, and traps: waiting for
///    itself it would never end.
// Safety: by the invariants above, which `sync`, `close` and `interrupt` keep.
final class SerializedDatabase: @unchecked Sendable {
    private let database: Database
    private let queue: DispatchQueue
    private let interruptible: Mutex<Interruptible>

    // Safety: SQLite allows `sqlite3_interrupt` from any thread while the connection is open.
    private struct Interruptible: @unchecked Sendable {
        var connection: SQLiteConnection?
    }

    private static let accessedKey = DispatchSpecificKey<ObjectIdentifier>()

    init(path: String, configuration: Configuration, label: String) throws {
        queue = DispatchQueue(
            label: label, qos: configuration.writeQoS,
            target: configuration.writeTargetQueue ?? configuration.targetQueue)
        database = try Database.open(path: path, configuration: configuration, label: label)
        interruptible = Mutex(Interruptible(connection: database.sqliteConnection))
        queue.setSpecific(key: Self.accessedKey, value: ObjectIdentifier(self))
    }

    deinit {
        // The last reference is gone, so no access is running or waiting.
        database.closeEventually()
    }

    /// Runs a closure with the connection, when all earlier accesses have ended.
    func sync<T>(_ body: (Database) throws -> T) rethrows -> T {
        precondition(!isAccessing, "Database methods are not reentrant.")
        return try queue.sync { try checkingTransactions(body) }
    }

    /// The same inside an access of this connection, with the very same `Database`.
    func reentrantSync<T>(_ body: (Database) throws -> T) rethrows -> T {
        if isAccessing { return try body(database) }
        return try queue.sync { try checkingTransactions(body) }
    }

    /// Runs a closure later, when all earlier accesses have ended.
    func async(_ body: @escaping @Sendable (Database) -> Void) {
        queue.async { self.checkingTransactions(body) }
    }

    /// Ends what runs on the connection, from any thread.
    func interrupt() {
        interruptible.withLock { $0.connection.map(ConnectionState.interrupt) }
    }

    /// Closes the connection when all earlier accesses have ended.
    func close() throws {
        try reentrantSync { database in
            let connection = interruptible.withLock { interruptible in
                defer { interruptible.connection = nil }
                return interruptible.connection
            }
            do {
                try database.close()
            } catch {
                interruptible.withLock { [connection] in $0.connection = connection }
                throw error
            }
        }
    }

    private var isAccessing: Bool {
        DispatchQueue.getSpecific(key: Self.accessedKey) == ObjectIdentifier(self)
    }

    private func checkingTransactions<T>(_ body: (Database) throws -> T) rethrows -> T {
        defer {
            database.accessNumber += 1
            if !database.configuration.allowsUnsafeTransactions, database.isInsideTransaction {
                fatalError("A transaction has been left opened at the end of a database access")
            }
        }
        return try body(database)
    }
}
