/// What is told of the changes that a connection makes, and of how its transactions end.
///
///     dbQueue.add(transactionObserver: observer)
///
/// It is called on the executor of the connection that writes. A transaction tells its changes as
/// they are made, those inside a savepoint when the savepoint is released; then whether it was
/// committed or rolled back. Of the changes of read accesses, of other connections and processes,
/// of internal and `WITHOUT ROWID` tables, and of rows that a REPLACE removes, nothing is told.
/// <https://www.sqlite.org/c3ref/update_hook.html>
public protocol TransactionObserver: AnyObject {
    /// Whether the observer wants to know of events of a kind: asked before a statement runs.
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool

    /// Called for a change that nobody knows the rows of: see `Database.notifyChanges(in:)`.
    ///
    /// It must not use the database.
    func databaseDidChange()

    /// Called for each row that is about to change, where SQLCipher has the pre-update hook.
    ///
    /// It must not use the database. Where there is no such hook, as in Debian's SQLCipher 4.6.1, it is
    /// never called: see `DatabasePreUpdateEvent.isAvailable`.
    /// <https://www.sqlite.org/c3ref/preupdate_blobwrite.html>
    func databaseWillChange(with event: DatabasePreUpdateEvent)

    /// Called for each row that has changed. It must not use the database.
    func databaseDidChange(with event: DatabaseEvent)

    /// Called before the commit. It must not use the database.
    ///
    /// - Throws: To have the transaction rolled back; the error reaches whoever commits.
    func databaseWillCommit() throws

    /// Called after the commit, outside of the transaction: it may use the database.
    func databaseDidCommit(_ db: Database)

    /// Called after the rollback of a transaction: it may use the database.
    func databaseDidRollback(_ db: Database)
}

extension TransactionObserver {
    /// Does nothing.
    public func databaseDidChange() {}

    /// Does nothing.
    public func databaseWillChange(with event: DatabasePreUpdateEvent) {}

    /// Agrees.
    ///
    /// - Throws: Nothing.
    public func databaseWillCommit() throws {}

    /// Asks for no more events of this transaction; its end is told all the same.
    ///
    /// - Precondition: It is called from `databaseDidChange()` or `databaseDidChange(with:)`.
    public func stopObservingDatabaseChangesUntilNextTransaction() {
        guard let changes = ConnectionChanges.telling.pointer?.pointee.takeUnretainedValue() else {
            fatalError(
                "stopObservingDatabaseChangesUntilNextTransaction must be called from the "
                    + "databaseDidChange methods")
        }
        changes.mute(self)
    }
}

extension Database {
    /// How long a transaction observer is told of changes.
    public enum TransactionObservationExtent: Sendable {
        /// As long as somebody else holds the observer.
        case observerLifetime
        /// Until the current transaction ends, or else the next: the observer is held as long.
        case nextTransaction
        /// As long as the connection is open, which holds the observer.
        case databaseLifetime
    }

    /// Tells an observer of changes and transactions, from now on; one that is added twice, twice.
    ///
    ///     db.add(transactionObserver: observer)
    public func add(
        transactionObserver: some TransactionObserver,
        extent: TransactionObservationExtent = .observerLifetime
    ) {
        changes.add(transactionObserver, extent: extent)
    }

    /// Tells an observer nothing more, however often it was added.
    ///
    ///     db.remove(transactionObserver: observer)
    public func remove(transactionObserver: some TransactionObserver) {
        changes.remove(transactionObserver)
    }
}

/// An observer as long as it is told of changes.
final class ObserverEntry {
    private weak var observedWeakly: (any TransactionObserver)?
    private let observedStrongly: (any TransactionObserver)?
    let endsWithTransaction: Bool

    /// It wants no more events of the open transaction.
    var isMuted = false

    init(_ observer: any TransactionObserver, extent: Database.TransactionObservationExtent) {
        observedWeakly = observer
        observedStrongly = extent == .observerLifetime ? nil : observer
        endsWithTransaction = extent == .nextTransaction
    }

    var observer: (any TransactionObserver)? { observedWeakly }
}
