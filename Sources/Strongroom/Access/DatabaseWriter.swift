/// What reads and writes a database: queues and pools.
public protocol DatabaseWriter: DatabaseReader {
    /// Runs statements one write at a time, each in a transaction of its own.
    func writeWithoutTransaction<T>(_ updates: (Database) throws -> T) rethrows -> T

    /// The same, also inside another write.
    func unsafeReentrantWrite<T>(_ updates: (Database) throws -> T) rethrows -> T
}

extension DatabaseWriter {
    /// Runs statements in one transaction.
    ///
    /// - Returns: What `updates` returns.
    /// - Throws: What `updates` throws, and `DatabaseError`; nothing is then written.
    public func write<T>(_ updates: (Database) throws -> T) throws -> T {
        try writeWithoutTransaction { db in
            var result: T?
            try db.inTransaction {
                result = try updates(db)
                return .commit
            }
            guard let result else { throw Database.abortedTransactionError }
            return result
        }
    }

    /// Gives back to the file system what the database does not use.
    ///
    /// <https://www.sqlite.org/lang_vacuum.html>
    public func vacuum() throws {
        try writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    }
}
