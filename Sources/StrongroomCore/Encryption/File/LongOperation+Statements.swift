extension LongOperation {
    /// Lets the caller stop statements that run on a connection.
    ///
    /// - Parameter meanwhile: Called now and then.
    func watching<T>(
        _ database: Database, meanwhile: () -> Void = {}, _ body: () throws -> T
    ) throws -> T {
        let connection = Watched(connection: try database.connection())
        // Within one of its instructions SQLite asks nobody: to count the rows of a table is one.
        return try interruptible(by: { connection.connection.interrupt() }) {
            try ProgressCallback.watching(
                connection.connection, every: 20_000,
                shouldStop: {
                    meanwhile()
                    return isStopped
                }, body)
        }
    }

    // Safety: SQLite allows `sqlite3_interrupt` from any thread while the connection is open.
    private struct Watched: @unchecked Sendable {
        let connection: BorrowedConnection
    }
}
