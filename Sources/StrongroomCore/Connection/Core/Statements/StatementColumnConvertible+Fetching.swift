// The fetching functions of values that read themselves from statements.

extension DatabaseValueConvertible where Self: StatementColumnConvertible {
    /// Fetches lazily, value after value, from a prepared statement.
    ///
    /// - Parameters:
    ///   - statement: The statement to run.
    ///   - arguments: Replaces the statement's arguments, if given.
    ///   - adapter: Presents the columns of each row in another way, if given.
    /// - Throws: `DatabaseError` if the statement fails; `RowDecodingError` if a value does not
    ///   decode.
    @inlinable
    public static func fetchCursor(
        _ statement: Statement, arguments: StatementArguments? = nil,
        adapter: (any RowAdapter)? = nil
    ) throws -> DecodingCursor<FastValueReader<Self>> {
        try FastValueReader<Self>.fetchCursor(statement, arguments: arguments, adapter: adapter)
    }

    /// Fetches all values of a prepared statement.
    ///
    /// - Throws: `DatabaseError` if the statement fails; `RowDecodingError` if a value does not
    ///   decode.
    @inlinable
    public static func fetchAll(
        _ statement: Statement, arguments: StatementArguments? = nil,
        adapter: (any RowAdapter)? = nil
    ) throws -> [Self] {
        try Array(
            FastValueReader<Self>.fetchCursor(statement, arguments: arguments, adapter: adapter))
    }

    /// Fetches the first value of a prepared statement; nil when there is none, or it is NULL.
    ///
    /// - Throws: `DatabaseError` if the statement fails; `RowDecodingError` if a value does not
    ///   decode.
    @inlinable
    public static func fetchOne(
        _ statement: Statement, arguments: StatementArguments? = nil,
        adapter: (any RowAdapter)? = nil
    ) throws -> Self? {
        try FastValueReader<Self>.fetchOne(statement, arguments: arguments, adapter: adapter)
    }

    /// Fetches lazily, value after value.
    ///
    /// - Parameters:
    ///   - db: The connection to use.
    ///   - sql: The SQL to run.
    ///   - arguments: The values of the parameters in the SQL.
    ///   - adapter: Presents the columns of each row in another way, if given.
    /// - Throws: `DatabaseError`, also from the cursor's `next()`.
    @inlinable
    public static func fetchCursor(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
        adapter: (any RowAdapter)? = nil
    ) throws -> DecodingCursor<FastValueReader<Self>> {
        try FastValueReader<Self>.fetchCursor(db, sql: sql, arguments: arguments, adapter: adapter)
    }

    /// Fetches all values.
    ///
    /// - Throws: `DatabaseError`; `RowDecodingError` if a value does not decode.
    @inlinable
    public static func fetchAll(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
        adapter: (any RowAdapter)? = nil
    ) throws -> [Self] {
        try Array(
            FastValueReader<Self>.fetchCursor(db, sql: sql, arguments: arguments, adapter: adapter))
    }

    /// Fetches the first value; nil when there is none, or it is NULL.
    ///
    /// - Throws: `DatabaseError` if the statement fails; `RowDecodingError` if a value does not
    ///   decode.
    @inlinable
    public static func fetchOne(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
        adapter: (any RowAdapter)? = nil
    ) throws -> Self? {
        try FastValueReader<Self>.fetchOne(db, sql: sql, arguments: arguments, adapter: adapter)
    }
}

extension DatabaseValueConvertible where Self: StatementColumnConvertible, Self: Hashable {
    /// Fetches all values of a prepared statement, each distinct one once.
    ///
    /// - Throws: `DatabaseError` if the statement fails; `RowDecodingError` if a value does not
    ///   decode.
    @inlinable
    public static func fetchSet(
        _ statement: Statement, arguments: StatementArguments? = nil,
        adapter: (any RowAdapter)? = nil
    ) throws -> Set<Self> {
        try Set(
            FastValueReader<Self>.fetchCursor(statement, arguments: arguments, adapter: adapter))
    }

    /// Fetches all values, each distinct one once.
    ///
    /// - Throws: `DatabaseError` if the statement fails; `RowDecodingError` if a value does not
    ///   decode.
    @inlinable
    public static func fetchSet(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
        adapter: (any RowAdapter)? = nil
    ) throws -> Set<Self> {
        try Set(
            FastValueReader<Self>.fetchCursor(db, sql: sql, arguments: arguments, adapter: adapter))
    }
}
