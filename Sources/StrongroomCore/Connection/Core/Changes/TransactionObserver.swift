/// An observer of the changes that a connection makes, and of the ends of its transactions.
///
///     dbQueue.add(transactionObserver: observer)
///
/// It is called on the executor of the connection that writes. A transaction reports each change
/// immediately, or for changes inside a savepoint, when the savepoint is released; then its commit
/// or rollback. Not reported are changes in read accesses, by other connections and processes, in
/// internal and `WITHOUT ROWID` tables, and of rows that a REPLACE removes.
/// <https://www.sqlite.org/c3ref/update_hook.html>
public protocol TransactionObserver: AnyObject {
    /// Whether the observer wants events of a kind; called before a statement runs.
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool

    /// Called for a change whose rows are unknown: see `Database.notifyChanges(in:)`.
    ///
    /// It must not use the database.
    func databaseDidChange()

    /// Called for each row that is about to change, if SQLCipher has the pre-update hook.
    ///
    /// It must not use the database. Without the hook, as in Debian's SQLCipher 4.6.1, it is never
    /// called: see `DatabasePreUpdateEvent.isAvailable`.
    /// <https://www.sqlite.org/c3ref/preupdate_blobwrite.html>
    func databaseWillChange(with event: DatabasePreUpdateEvent)

    /// Called for each row that has changed. It must not use the database.
    func databaseDidChange(with event: DatabaseEvent)

    /// Called before the commit. It must not use the database.
    ///
    /// - Throws: An error, to roll the transaction back; the caller that commits gets it.
    func databaseWillCommit() throws

    /// Called after the commit, outside the transaction: it can use the database.
    func databaseDidCommit(_ db: Database)

    /// Called after the rollback of a transaction: it can use the database.
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

    /// Stops further events of this transaction; its end is still reported.
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
    /// How long a transaction observer is notified.
    public enum TransactionObservationExtent: Sendable {
        /// As long as another object holds the observer.
        case observerLifetime
        /// Until the current transaction ends, or else the next; the observer is held until then.
        case nextTransaction
        /// As long as the connection is open, which holds the observer.
        case databaseLifetime
    }

    /// Notifies an observer of changes and transactions from now on; once each time it is added.
    ///
    ///     db.add(transactionObserver: observer)
    public func add(
        transactionObserver: some TransactionObserver,
        extent: TransactionObservationExtent = .observerLifetime
    ) {
        changes.add(transactionObserver, extent: extent)
    }

    /// Stops notifying an observer, even if it was added several times.
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
