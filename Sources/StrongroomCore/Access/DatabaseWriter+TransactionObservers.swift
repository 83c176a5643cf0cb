extension DatabaseWriter {
    /// Notifies an observer of the changes and transactions of the connection that writes.
    ///
    /// It waits for the current write access, unless you call it from inside.
    ///
    ///     dbQueue.add(transactionObserver: observer)
    ///
    /// - Parameters:
    ///   - transactionObserver: The observer to notify.
    ///   - extent: How long to notify it; by default, as long as another object holds the observer.
    public func add(
        transactionObserver: some TransactionObserver,
        extent: Database.TransactionObservationExtent = .observerLifetime
    ) {
        unsafeReentrantWrite { $0.add(transactionObserver: transactionObserver, extent: extent) }
    }

    /// Stops notifying an observer, even if it was added several times.
    ///
    ///     dbQueue.remove(transactionObserver: observer)
    public func remove(transactionObserver: some TransactionObserver) {
        unsafeReentrantWrite { $0.remove(transactionObserver: transactionObserver) }
    }
}
