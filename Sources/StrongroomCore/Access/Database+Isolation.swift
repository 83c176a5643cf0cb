extension Database {
    /// - Precondition: No transaction is open: its changes would be missing from what is read.
    func requireNoTransaction(_ function: String) {
        trap(
            unless: !isInsideTransaction,
            "\(function) must not be called from inside a transaction.")
    }

    /// Calls a function with a connection that sees one state of the database, or with the reason
    /// why there is none.
    ///
    /// - Parameter go: Called when the state is held, or cannot be.
    static func isolate(
        _ db: Result<Database, any Error>,
        _ value: (Result<Database, any Error>) -> Void, whenIsolated go: (() -> Void)? = nil
    ) {
        var isCalled = false
        do {
            let db = try db.get()
            try db.isolatedRead { db in
                if let go {
                    try db.acquireSnapshot()
                    go()
                }
                isCalled = true
                value(.success(db))
            }
        } catch {
            // What happens once the function has had its say has nobody to hear it.
            guard !isCalled else { return }
            go?()
            value(.failure(error))
        }
    }
}
