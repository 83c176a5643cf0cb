extension Database {
    /// Runs one or several statements.
    ///
    ///     try db.execute(literal: "UPDATE player SET name = \(name) WHERE id = \(id)")
    ///
    /// - Throws: `DatabaseError`. The statements before the one that failed have run.
    public func execute(literal: SQL) throws {
        let (sql, arguments) = try literal.build(self)
        try execute(sql: sql, arguments: arguments)
    }

    /// Prepares a statement, and sets its arguments.
    ///
    /// - Throws: As `makeStatement(sql:)`, and `SQLITE_MISUSE` when an argument is missing.
    public func makeStatement(literal: SQL) throws -> Statement {
        let (sql, arguments) = try literal.build(self)
        let statement = try makeStatement(sql: sql)
        if !arguments.isEmpty { try statement.setArguments(arguments) }
        return statement
    }

    /// Prepares a statement, or gives the one that an earlier call prepared, with new arguments.
    ///
    /// - Throws: As `cachedStatement(sql:)`, and `SQLITE_MISUSE` when an argument is missing.
    public func cachedStatement(literal: SQL) throws -> Statement {
        let (sql, arguments) = try literal.build(self)
        let statement = try cachedStatement(sql: sql)
        if !arguments.isEmpty { try statement.setArguments(arguments) }
        return statement
    }

    /// Gives the statements of a literal one after the other, with their arguments.
    ///
    /// Each is compiled when the cursor comes to it.
    ///
    /// - Throws: `DatabaseError` when the SQL cannot be made.
    public func allStatements(literal: SQL) throws -> SQLStatementCursor {
        let (sql, arguments) = try literal.build(self)
        return try allStatements(sql: sql, arguments: arguments.isEmpty ? nil : arguments)
    }
}
