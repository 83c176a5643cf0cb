extension Database {
    /// Prepares a statement.
    ///
    ///     let statement = try db.makeStatement(sql: "SELECT * FROM player WHERE score > ?")
    ///     let players = try Player.fetchAll(statement, arguments: [100])
    ///
    /// - Throws: `SQLITE_MISUSE` if there are several, `SQLITE_ERROR` if there is none or it does
    ///   not compile.
    public func makeStatement(sql: String) throws -> Statement {
        try prepareSingleStatement(sql, isPersistent: false)
    }

    /// Prepares a statement, or returns the object from an earlier call.
    ///
    /// Two cursors must not use it at the same time. Statements that may contain a key are not
    /// cached.
    ///
    ///     let statement = try db.cachedStatement(sql: "INSERT INTO team (name) VALUES (?)")
    ///     for name in ["Reds", "Blues"] { try statement.execute(arguments: [name]) }
    ///
    /// - Throws: `DatabaseError` if the SQL does not compile.
    public func cachedStatement(sql: String) throws -> Statement {
        if let statement = keptStatements.cache.sharedStatement(sql, schemaCache.generation) {
            statement.accessNumber = access.number
            return statement
        }
        let statement = try prepareSingleStatement(sql, isPersistent: true)
        keptStatements.cache.share(statement, as: sql)
        return statement
    }

    /// Runs one or several statements, separated by semicolons.
    ///
    /// Positional arguments are used from left to right across all statements, named ones are
    /// shared.
    ///
    /// - Throws: `DatabaseError`. The statements before the one that failed have run.
    public func execute(
        sql: String, arguments: StatementArguments = StatementArguments()
    ) throws {
        guard let statement = keptStatements.cache.checkOut(sql, schemaCache.generation) else {
            return try executeAll(sql, arguments: arguments)
        }
        defer { keptStatements.cache.checkIn(statement, as: sql) }
        try statement.execute(arguments: arguments)
    }

    /// Returns the statements of an SQL text one after the other.
    ///
    /// The cursor compiles each one when it reaches it, so a statement can depend on the execution
    /// of earlier ones. Positional arguments are used from left to right, named ones are shared.
    ///
    ///     let statements = try db.allStatements(sql: "DELETE FROM player; DELETE FROM team")
    ///     while let statement = try statements.next() { try statement.execute() }
    ///
    /// - Parameters:
    ///   - sql: One statement or several.
    ///   - arguments: If nil, the statements have no arguments.
    /// - Throws: `DatabaseError` if the SQL does not compile.
    public func allStatements(
        sql: String, arguments: StatementArguments? = nil
    ) throws -> SQLStatementCursor {
        SQLStatementCursor(database: self, sql: sql, arguments: arguments)
    }

    private func executeAll(_ sql: String, arguments: StatementArguments) throws {
        let statements = SQLStatementCursor(database: self, sql: sql, arguments: arguments)
        var executed: Statement?
        while let statement = try statements.next() {
            while try statement.step() {}
            statement.reset()
            executed = statement
        }
        if statements.count == 1, let executed { keptStatements.cache.checkIn(executed, as: sql) }
    }

    /// A statement for one use, from the cache or new; give it back with `checkIn`.
    @usableFromInline
    package func checkOutStatement(_ sql: String) throws -> Statement {
        let statement: Statement
        if let known = keptStatements.cache.checkOut(sql, schemaCache.generation) {
            statement = known
        } else {
            statement = try prepareSingleStatement(sql, isPersistent: false)
        }
        if let recorder = observation.recorder {
            statement.rows = recorder.takeAnnouncedRows(of: sql)
        }
        return statement
    }

    @usableFromInline
    package func checkIn(_ statement: Statement, as sql: String) {
        keptStatements.cache.checkIn(statement, as: sql)
    }

    func prepareSingleStatement(_ sql: String, isPersistent: Bool) throws -> Statement {
        var text = sql
        var tail = 0
        let (statement, isLast) = try prepareNextStatement(
            &text, tail: &tail, isPersistent: isPersistent)
        guard let statement else {
            throw DatabaseError(code: .SQLITE_ERROR, message: "empty statement", sql: sql)
        }
        guard isLast else {
            throw DatabaseError(
                code: .SQLITE_MISUSE,
                message: "several statements where one is expected: use execute(sql:) for them",
                sql: sql)
        }
        return statement
    }

    /// Prepares the statement that begins at `tail`, and moves `tail` past it.
    ///
    /// - Returns: The statement, nil when only white space and comments are left, and whether
    ///   nothing follows it.
    /// - Throws: `DatabaseError`; `CancellationError` when the access's task is cancelled meanwhile.
    func prepareNextStatement(
        _ sql: inout String, tail: inout Int, isPersistent: Bool
    ) throws -> (Statement?, isLast: Bool) {
        if let refusal = standing.refusal { throw refusal.error }
        let connection = try connection()
        let start = tail
        let prepared: Result<PreparedStatement, DatabaseError> = sql.withUTF8 { bytes in
            do throws(DatabaseError) {
                if start == 0, bytes.contains(0) { throw Self.nulError }
                return .success(
                    try prepare(bytes, from: start, connection, isPersistent: isPersistent))
            } catch {
                return .failure(error)
            }
        }
        switch prepared {
        case .success(let prepared):
            tail = prepared.end
            return (prepared.statement, prepared.isLast)
        case .failure(let error):
            // What the statement names may be gone with the transaction, which is what is to be
            // known.
            try requireNoLostTransaction()
            throw cancellation(insteadOf: error)
        }
    }

    private func prepare(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ connection: BorrowedConnection,
        isPersistent: Bool
    ) throws(DatabaseError) -> PreparedStatement {
        var lexer = SQLLexer(bytes, from: start)
        let kind = StatementKind(&lexer)
        if kind.mayCarryKey {
            try requireHarmless(SQLLexer(bytes, from: start))
            if configuration.requiresEncryption {
                try requireKeyOfVacuum(SQLLexer(bytes, from: start))
            }
        }
        if kind == .other { standing.hasLog = nil }
        if keying.companions != nil {
            try requireOwnCompanions(before: SQLLexer(bytes, from: start))
        }
        var end = start
        let prepared: Result<Statement?, DatabaseError> = bytes.withMemoryRebound(to: CChar.self) {
            characters in
            do throws(DatabaseError) {
                let handle = try StatementHandle.prepare(
                    connection, sql: characters, isPersistent: isPersistent, tail: &end)
                guard let handle = consume handle else { return .success(nil) }
                return .success(Statement(database: self, handle: handle, kind: kind))
            } catch {
                return .failure(firstError(insteadOf: explainRefusal(error)))
            }
        }
        let statement = try prepared.get()
        lexer.move(to: end)
        return PreparedStatement(statement: statement, end: end, isLast: lexer.isAtEnd())
    }

    /// SQLite reads up to a NUL and takes what follows for nothing.
    private static var nulError: DatabaseError {
        DatabaseError(
            code: .SQLITE_MISUSE,
            message: "the SQL or a name in it contains a NUL character: bind it as an argument")
    }

    private struct PreparedStatement {
        let statement: Statement?
        let end: Int
        let isLast: Bool
    }
}
