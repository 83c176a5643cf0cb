extension Database {
    /// The name of the table that holds the origin, in the main database.
    static let originTable = "strongroom_origin"

    /// The origin of current writes; nil outside `withOrigin(_:_:)`.
    ///
    ///     try db.withOrigin("sync") { db.origin }  // "sync"
    public var origin: String? { transactionState.origin }

    /// Gives the writes of a closure an origin.
    ///
    ///     try db.withOrigin("sync") {
    ///         try db.execute(sql: "UPDATE player SET score = 9 WHERE id = 1")
    ///     }
    ///
    /// Triggers read it with SQL: `(SELECT name FROM strongroom_origin)` is NULL outside. A
    /// `TransactionObserver` finds it in each event. The closure runs in a savepoint, or in a
    /// transaction if none is open. The origin is written to a row of the file, and removed, inside
    /// that savepoint. So no commit, crash or rollback leaves it behind, and no other connection
    /// sees it.
    ///
    /// Afterwards, `changesCount` is the one of the origin's row.
    ///
    /// - Parameters:
    ///   - origin: The name. Nil removes a surrounding origin during the closure.
    ///   - body: The closure that writes.
    /// - Throws: What `body` throws, and `DatabaseError`; the writes inside are then undone.
    ///   `SQLITE_MISUSE` for a commit in the closure, which is rolled back. `SQLITE_READONLY` if
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

    /// Creates the table from which triggers read the origin, if it is missing.
    ///
    /// `withOrigin(_:_:)` also creates it. In a migration, create it before triggers that read it:
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
    /// - Throws: `DatabaseError`: `SQLITE_READONLY` if writes are forbidden.
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
