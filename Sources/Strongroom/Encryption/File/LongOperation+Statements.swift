extension LongOperation {
    /// Lets the caller stop statements that run on a connection.
    func watching<T>(_ database: Database, _ body: () throws -> T) throws -> T {
        try ProgressCallback.watching(
            database.connection(), every: 20_000, shouldStop: { isStopped }, body)
    }
}
