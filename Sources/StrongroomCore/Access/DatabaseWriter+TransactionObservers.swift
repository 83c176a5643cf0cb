extension DatabaseWriter {
    /// Tells an observer of the changes and transactions of the connection that writes.
    ///
    /// It waits for the write access that is in progress, unless it is called from inside.
    ///
    ///     dbQueue.add(transactionObserver: observer)
    ///
    /// - Parameters:
    ///   - transactionObserver: The object that is told of changes.
    ///   - extent: How long: as long as somebody else holds the observer, by default.
    public func add(
        transactionObserver: some TransactionObserver,
        extent: Database.TransactionObservationExtent = .observerLifetime
    ) {
        unsafeReentrantWrite { $0.add(transactionObserver: transactionObserver, extent: extent) }
    }

    /// Tells an observer nothing more, however often it was added.
    ///
    ///     dbQueue.remove(transactionObserver: observer)
    public func remove(transactionObserver: some TransactionObserver) {
        unsafeReentrantWrite { $0.remove(transactionObserver: transactionObserver) }
    }
}
