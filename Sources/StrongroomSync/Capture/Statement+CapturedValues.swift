package import StrongroomCore

extension Statement {
    /// Runs the statement with values as the file holds them.
    ///
    /// - Parameter body: Called at each row; it reads the row from the statement.
    /// - Throws: `DatabaseError`, and what `body` throws.
    package func forEachRow(
        _ values: [CapturedValue] = [], _ body: (SQLiteStatement) throws -> Void = { _ in }
    ) throws {
        try start(arguments: nil)
        for (index, value) in values.enumerated() {
            try Self.require(value.bind(to: sqliteStatement, at: CInt(index + 1)))
        }
        // A later run must not find the row that this one leaves.
        defer { try? start(arguments: nil) }
        while try step() { try body(sqliteStatement) }
    }

    /// Runs the statement with a secret as its only argument, of which no copy is left behind in memory of Swift.
    package func run(secret: borrowing SecretBytes) throws {
        try start(arguments: nil)
        try secret.withUnsafeBytes {
            try Self.require(BorrowedStatement(sqliteStatement).bindBlob(1, $0))
        }
        defer { try? start(arguments: nil) }
        while try step() {}
    }

    private static func require(_ code: CInt) throws {
        guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
