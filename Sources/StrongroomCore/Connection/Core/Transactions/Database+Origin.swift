extension Database {
    /// The name of the table that holds the origin, in the main database.
    static let originTable = "strongroom_origin"

    /// The origin of what is written now; nil outside of `withOrigin(_:_:)`.
    ///
    ///     try db.withOrigin("sync") { db.origin }  // "sync"
    public var origin: String? { transactionState.origin }

    /// Gives an origin to what a closure writes.
    ///
    ///     try db.withOrigin("sync") {
    ///         try db.execute(sql: "UPDATE player SET score = 9 WHERE id = 1")
    ///     }
    ///
    /// Triggers read it by SQL alone: `(SELECT name FROM strongroom_origin)` is NULL outside. A
    /// `TransactionObserver` finds it in each event. The closure runs in a savepoint, or in a
    /// transaction when none is open. The origin is written into a row of the file and taken back in
    /// there, so that no commit, crash or rollback leaves it behind, and no other connection sees it.
    ///
    /// `changesCount` is that of the row of the origin afterwards.
    ///
    /// - Parameters:
    ///   - origin: The name. Nil takes a surrounding origin away for the time of the closure.
    ///   - body: What writes.
    /// - Throws: What `body` throws, and `DatabaseError`: what was written inside is then undone.
    ///   `SQLITE_MISUSE` for a commit in the closure, which is rolled back. `SQLITE_READONLY` where
    ///   writes are forbidden.
    public func withOrigin<T>(_ origin: String?, _ body: () throws -> T) throws -> T {
        let outer = transactionState.origin
        var result: T?
        try inSavepoint {
            try createOriginTable()
            try writeOrigin(origin)
            setOrigin(origin)
            defer { setOrigin(outer) }
            result = try body()
            try writeOrigin(outer)
            return .commit
        }
        guard let result else { throw Self.abortedTransactionError }
        return result
    }

    /// Makes the table from which triggers read the origin, if it is missing.
    ///
    /// `withOrigin(_:_:)` makes it, too. A migration makes it before triggers that read it:
    ///
    ///     migrator.registerMigration("log") { db in
    ///         try db.createOriginTable()
    ///         try db.execute(
    ///             sql: """
    ///                 CREATE TRIGGER logged AFTER INSERT ON player
    ///                 WHEN (SELECT name FROM strongroom_origin) IS NULL
    ///                 BEGIN INSERT INTO log (id) VALUES (new.id); END
    ///                 """)
    ///     }
    ///
    /// - Throws: `DatabaseError`: `SQLITE_READONLY` where writes are forbidden.
    public func createOriginTable() throws {
        let statement = try cachedStatement(
            sql: "SELECT 1 FROM main.sqlite_master WHERE type = 'table' AND name = ?")
        guard try Bool.fetchOne(statement, arguments: [Self.originTable]) == nil else { return }
        try inSavepoint {
            try execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS main.\(Self.originTable) (
                        id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT)
                    """)
            try execute(sql: "INSERT OR IGNORE INTO main.\(Self.originTable) (id) VALUES (1)")
            return .commit
        }
    }

    private func writeOrigin(_ origin: String?) throws {
        let statement = try cachedStatement(
            sql: "UPDATE main.\(Self.originTable) SET name = ? WHERE id = 1")
        try statement.execute(arguments: [origin])
        guard changesCount == 0 else { return }
        // Somebody has deleted the row. It is not inserted each time: that would change
        // `lastInsertedRowID`.
        try execute(
            sql: "INSERT INTO main.\(Self.originTable) (id, name) VALUES (1, ?)",
            arguments: [origin])
    }

    /// Also asks before the commit: one that comes now would leave the origin in the file.
    private func setOrigin(_ origin: String?) {
        transactionState.origin = origin
        changes.installHooks()
    }

    /// Why a transaction must not be committed now.
    var commitWithOriginError: DatabaseError? {
        guard transactionState.origin != nil else { return nil }
        return DatabaseError(
            code: .SQLITE_MISUSE, message: "a transaction cannot be committed inside withOrigin")
    }
}
