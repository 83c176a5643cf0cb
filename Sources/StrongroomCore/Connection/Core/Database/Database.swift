public import StrongroomEssentials

/// A connection to a database, given to the closures of database accesses.
///
/// Use it only inside the closure: do not store it, return it, or use it on another thread.
///
/// Invariants:
/// 1. Everything here runs on the one executor of the connection (`SerializedDatabase`), but for
///    the interruption of what runs, which SQLite allows from any thread.
/// 2. `handle` is nil once the connection is closed, and then every use throws `SQLITE_MISUSE`.
/// 3. Once `standing.refusal` is set, no statement starts on the connection again.
public final class Database {
    /// The configuration that the connection was opened with.
    public let configuration: Configuration

    /// The label of the connection.
    public let description: String

    // Safety of all that is unchecked: invariant 1; none of the accesses overlap, as no callback closes
    // the connection, and nothing runs while one of the others is read or replaced.
    @exclusivity(unchecked) package private(set) var handle: ConnectionHandle?
    package let hooks = ConnectionHooks()
    @exclusivity(unchecked) var access = AccessState()
    @exclusivity(unchecked) var standing = Standing()

    /// What is known about the key.
    package var keying = Keying()

    /// What other threads ask of this one.
    let signals: ConnectionSignals

    let keptStatements: KeptStatements

    /// The statements that have been started, and have not ended.
    @exclusivity(unchecked) var runningStatements = RunningStatements()
    @exclusivity(unchecked) var transactionState = TransactionState()

    let schemaCache: SchemaCache

    /// Who is told of changes, and of which.
    private(set) lazy var changes = ConnectionChanges(self)
    @exclusivity(unchecked) var observation = ObservationState()

    package convenience init(
        handle: consuming ConnectionHandle, configuration: Configuration, label: String
    ) {
        self.init(
            handle: handle, configuration: configuration, label: label,
            signals: ConnectionSignals())
    }

    init(
        handle: consuming ConnectionHandle, configuration: Configuration, label: String,
        signals: ConnectionSignals
    ) {
        self.signals = signals
        self.handle = consume handle
        self.configuration = configuration
        description = label
        keptStatements = KeptStatements(capacity: configuration.statementCacheCapacity)
        schemaCache = SchemaCache(source: configuration.schemaSource)
    }

    /// Takes over from a connection that is closed who waits for transactions, and who is told of
    /// changes.
    func inherit(from closed: Database) {
        observation.commits = closed.observation.commits
        changes.takeOver(from: closed.changes)
    }

    /// The connection in C; nil once closed. The library owns it: do not close it.
    ///
    /// The authorizer and the commit, rollback and update hooks are reserved for the library: if
    /// you replace them, observation and transactions fail silently. Use a `TransactionObserver`
    /// instead.
    public var sqliteConnection: SQLiteConnection? { openConnection?.pointer }

    /// The connection; nil once closed.
    package var openConnection: BorrowedConnection? { handle?.borrowed }

    /// The connection.
    ///
    /// - Throws: `SQLITE_MISUSE` once closed.
    package func connection() throws(DatabaseError) -> BorrowedConnection {
        guard let connection = handle?.borrowed else { throw closedError }
        return connection
    }

    /// Lends the handle, which only this object owns.
    package func withHandle<T>(
        _ body: (borrowing ConnectionHandle) throws(DatabaseError) -> T
    ) throws(DatabaseError) -> T {
        switch handle {
        case .some(let handle): return try body(handle)
        case .none: throw closedError
        }
    }

    /// - Throws: `SQLITE_MISUSE` once closed.
    func requireOpen() throws(DatabaseError) -> Database {
        _ = try connection()
        return self
    }

    private var closedError: DatabaseError { standing.closingReason?.error ?? Self.closedError }

    static var closedError: DatabaseError {
        DatabaseError(code: .SQLITE_MISUSE, message: "Connection is closed")
    }

    /// Closes the connection; closing again does nothing.
    ///
    /// - Throws: `SQLITE_BUSY` if statements or backups are unfinished; the connection stays open,
    ///   and `logError` is told which statements these are.
    package func close() throws(DatabaseError) {
        forgetStatements()
        do throws(DatabaseError) {
            try ConnectionHandle.close(&handle)
        } catch {
            for sql in openConnection?.unfinalizedSQL ?? [] {
                ErrorLog.function?(
                    error.resultCode, "unfinalized statement: \(sql.redactingKeys())")
            }
            throw error
        }
        keptStatements.cache.close()
    }

    /// Closes the connection, or leaves that to the last of its statements.
    package func closeEventually() {
        // A cursor that lives on must not bring its statement back: they would keep each other.
        keptStatements.control.removeAll()
        keptStatements.cache.close()
        handle = nil
    }

    /// Finalizes the statements that are kept for reuse.
    func forgetStatements() {
        keptStatements.control.removeAll()
        keptStatements.cache.removeAll()
    }
}

extension Database: CustomStringConvertible, CustomDebugStringConvertible {
    public var debugDescription: String { "<Database: \(description)>" }
}

extension Database {
    /// What to do if another connection holds a needed lock.
    public enum BusyMode: Sendable {
        /// Throws `SQLITE_BUSY` immediately.
        case immediateError
        /// Waits up to this number of seconds, then throws `SQLITE_BUSY`.
        case timeout(_ duration: TimeInterval)
        /// Asks a function whether to try again.
        case callback(_ callback: BusyCallback)
    }

    /// Returns whether to try again after a number of tries; false throws `SQLITE_BUSY`.
    public typealias BusyCallback = @Sendable (_ numberOfTries: Int) -> Bool
}
