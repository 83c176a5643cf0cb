extension Database {
    /// Runs statements that give no rows that matter.
    func run(_ sql: String) throws(DatabaseError) {
        try withHandle { handle throws(DatabaseError) in try handle.execute(sql) }
    }

    /// The first column of the first row.
    func text(_ sql: String) throws(DatabaseError) -> String? {
        try withHandle { handle throws(DatabaseError) in try handle.firstText(sql) }
    }

    /// The first column of every row.
    func texts(_ sql: String) throws(DatabaseError) -> [String] {
        try withHandle { handle throws(DatabaseError) in try handle.texts(sql) }
    }

    /// A pragma whose value is a number.
    func number(_ sql: String) throws(DatabaseError) -> Int64 {
        try text(sql).flatMap { Int64($0) } ?? 0
    }

    /// Runs statements of the library's own, which no trace shows.
    func untraced<T>(_ body: () throws -> T) rethrows -> T {
        let wereHidden = hooks.hidesStatements
        hooks.hidesStatements = true
        defer { hooks.hidesStatements = wereHidden }
        return try body()
    }

    func readFirstPage() throws(DatabaseError) {
        _ = try text("SELECT count(*) FROM main.sqlite_master")
    }

    /// Keeps one state of the database while `body` runs, whatever others write. `body` only reads.
    func holdingSnapshot<T>(_ body: () throws -> T) throws -> T {
        try run("BEGIN DEFERRED")
        // Nothing was written that could be lost, and some versions of SQLCipher answer COMMIT with
        // the error of a page that could not be read before.
        defer { try? run("ROLLBACK") }
        // A deferred transaction has no snapshot before its first read.
        try readFirstPage()
        let result = try body()
        guard try !connection().isAutocommit else {
            throw DatabaseError(
                code: .SQLITE_ABORT, message: "SQLite ended the transaction that was read in")
        }
        return result
    }
}
