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
            let code = value.bind(to: sqliteStatement, at: CInt(index + 1))
            guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
        // A later run must not find the row that this one leaves.
        defer { try? start(arguments: nil) }
        while try step() { try body(sqliteStatement) }
    }
}
