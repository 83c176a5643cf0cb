internal import Dispatch
internal import Synchronization

/// One connection, the line of those who want to use it, and the queue on which they do.
///
/// Invariants:
/// 1. `database` is touched only by whoever holds the one permit of `turns`, on `queue`, but for
///    `interrupt()` and `signals`, which are for other threads.
/// 2. `interruptible` is the connection while it is open, and nil before it closes: its lock keeps
///    closing and interrupting apart.
/// 3. A synchronous access that waits for itself is a bug of the caller, and traps.
// Safety: by the invariants above, which every function here keeps.
final class SerializedDatabase: @unchecked Sendable {
    /// The pool that the connection belongs to, if any.
    let pool: ObjectIdentifier?
    let signals: ConnectionSignals
    let commits: CommitCount
    /// Another one once the file was rotated.
    private var database: Database
    private let open: @Sendable (ConnectionSignals, Reopening?) throws -> Database
    /// How to open the connection again, if that failed after it was closed for a rotation.
    private var reopening: Reopening?
    let queue: DispatchQueue
    private let turns = FairSemaphore(permits: 1)
    private let interruptible: Mutex<Interruptible>
    private let suspension = Mutex<(any Sendable)?>(nil)

    // Safety: SQLite allows `sqlite3_interrupt` from any thread while the connection is open.
    private struct Interruptible: @unchecked Sendable {
        var connection: BorrowedConnection?
    }

    /// Opens a connection.
    ///
    /// - Parameter sharedKey: Where the connections of a pool find the key derived once for all.
    init(
        path: String, configuration: Configuration, label: String,
        pool: ObjectIdentifier? = nil, sharedKey: SharedKey? = nil
    ) throws {
        self.pool = pool
        queue = DispatchQueue(
            label: label,
            qos: configuration.readonly ? configuration.readQoS : configuration.writeQoS,
            target: configuration.readonly
                ? configuration.targetQueue
                : configuration.writeTargetQueue ?? configuration.targetQueue)
        open = { signals, reopening in
            var opening = ConnectionOpening(ofApp: path, configuration, label: label)
            opening.sharedKey = sharedKey
            opening.signals = signals
            guard let reopening else { return try opening.open() }
            return try reopening.open(opening)
        }
        signals = ConnectionSignals()
        database = try open(signals, nil)
        commits = database.observation.commits
        interruptible = Mutex(Interruptible(connection: database.openConnection))
        guard configuration.observesSuspensionNotifications else { return }
        let observer = LinkedFoundation.support?.observeSuspension { [weak self] isSuspended in
            self?.setSuspended(isSuspended)
        }
        suspension.withLock { $0 = observer }
    }

    deinit {
        // The last reference is gone, so no access is running or waiting.
        database.closeEventually()
    }

    /// Runs a closure with the connection, when all earlier accesses have ended.
    func sync<T>(_ body: (Database) throws -> T) rethrows -> T {
        trap(unless: !AccessFrame.isUsing(self), "Database methods are not reentrant.")
        turns.wait()
        defer { turns.signal() }
        return try queue.sync { try access(body) }
    }

    /// The same inside an access of this connection, with the very same `Database`.
    func reentrantSync<T>(_ body: (Database) throws -> T) rethrows -> T {
        if AccessFrame.isUsing(self) { return try body(database) }
        return try sync(body)
    }

    /// Runs a closure with the connection for a task, when all earlier accesses have ended.
    ///
    /// - Parameter prepare: Called when it is this access's turn, with what lets `body` start.
    /// - Throws: As `TaskAccess.run`.
    func execute<T: Sendable>(
        _ body: @Sendable (Database) throws -> T,
        after prepare:
            @escaping @Sendable (TaskAccess, _ start: @escaping @Sendable () -> Void) -> Void = {
                $1()
            }
    ) async throws -> T {
        try await TaskAccess.run(body) { [self] in enter($0, after: prepare) }
    }

    /// Brings an access of a task to the connection, when all earlier accesses have ended.
    func enter(
        _ access: TaskAccess,
        after prepare:
            @escaping @Sendable (TaskAccess, _ start: @escaping @Sendable () -> Void) -> Void = {
                $1()
            }
    ) {
        access.wait(for: turns) { [self] in
            prepare(access) { [self] in access.start(on: self) }
        }
    }

    /// Runs a closure later, when all earlier accesses have ended.
    ///
    /// - Parameter prepare: Called when it is this access's turn, with what lets `body` start.
    func async(
        _ body: @escaping @Sendable (Database) -> Void,
        after prepare: @escaping @Sendable (_ start: @escaping @Sendable () -> Void) -> Void = {
            $0()
        }
    ) {
        turns.wait { [self] in
            prepare { [self] in
                queue.async { [self] in
                    access(body)
                    turns.signal()
                }
            }
        }
    }

    /// Runs a closure with the connection that is in use on this thread.
    ///
    /// - Precondition: It is in use.
    func inCurrentAccess<T>(_ body: (Database) throws -> T) rethrows -> T {
        trap(
            unless: AccessFrame.isUsing(self), "Database was not used on the correct thread.")
        return try body(database)
    }

    /// Ends what runs on the connection, from any thread.
    func interrupt() {
        interruptible.withLock { $0.connection?.interrupt() }
    }

    /// Stops or allows the taking of locks, from any thread.
    func setSuspended(_ isSuspended: Bool) {
        signals.isSuspended = isSuspended
        if isSuspended { interrupt() }
    }

    /// Closes the connection when all earlier accesses have ended.
    ///
    /// - Parameter prepare: Run when it is this access's turn, before the connection closes.
    func close(after prepare: () throws -> Void = {}) throws {
        try reentrantSync { _ in
            try prepare()
            try closeConnection()
        }
    }

    private func closeConnection() throws {
        reopening = nil
        database.standing.closingReason = nil
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

    /// Runs a closure while the connection is closed, and opens it again in any case.
    ///
    /// Accesses that come meanwhile wait, and then find a new connection. If it cannot be opened, each
    /// access to come tries again.
    ///
    /// - Parameters:
    ///   - prepare: Run when all earlier accesses have ended, before the connection closes.
    ///   - again: How to open the connection after `body`.
    ///   - end: Run at the very end, in any case, if `prepare` did not throw.
    /// - Throws: `SQLITE_BUSY` if statements or backups are unfinished: nothing is run then.
    func withoutConnection<T>(
        preparing prepare: (Database) throws -> Void, _ body: () throws -> T,
        again: () -> Reopening?, end: () -> Void = {}
    ) throws -> T {
        trap(unless: !AccessFrame.isUsing(self), "Database methods are not reentrant.")
        turns.wait()
        defer { turns.signal() }
        return try queue.sync {
            try AccessFrame.run(self) {
                try prepare(database)
                defer { end() }
                try closeConnection()
                let result = Result { try body() }
                reopening = again()
                do {
                    try reopen()
                } catch let error as DatabaseError
                    where error.extendedResultCode == .SQLITE_READONLY_DBMOVED
                {
                    // Where the file is matters more than why its key was not changed.
                    throw error
                } catch {
                    // What went wrong first is what the caller has to know.
                    _ = try result.get()
                    throw error
                }
                return try result.get()
            }
        }
    }

    /// Opens the connection again, if it was closed for a rotation.
    private func reopen() throws {
        guard let reopening else { return }
        do {
            let new = try open(signals, reopening)
            new.inherit(from: database)
            database = new
            interruptible.withLock { $0.connection = new.openConnection }
            self.reopening = nil
            try reopening.finish(new)
        } catch {
            if self.reopening != nil { database.standing.closingReason = Reopening.reason(error) }
            throw error
        }
    }

    /// Runs a closure as an access, in its turn and on the queue.
    func access<T>(_ body: (Database) throws -> T) rethrows -> T {
        try AccessFrame.run(self) {
            // If this fails, the connection says why as soon as it is used.
            try? reopen()
            defer {
                database.access.number += 1
                if !database.configuration.allowsUnsafeTransactions, database.isInsideTransaction {
                    fatalError(
                        "A transaction has been left opened at the end of a database access")
                }
            }
            return try body(database)
        }
    }
}
