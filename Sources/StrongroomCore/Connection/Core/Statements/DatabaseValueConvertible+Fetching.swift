// The fetching functions of values that are known to convert a `DatabaseValue`, and no more: in generic
// code, and of types that do not read themselves from statements.

extension DatabaseValueConvertible {
    /// Fetches lazily, value after value, from a prepared statement.
    ///
    ///     let names = try String.fetchCursor(db, sql: "SELECT name FROM player")
    ///     while let name = try names.next() { print(name) }
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
    ) throws -> DecodingCursor<ValueReader<Self>> {
        try ValueReader<Self>.fetchCursor(statement, arguments: arguments, adapter: adapter)
    }

    /// Fetches all values of a prepared statement.
    ///
    ///     let names = try String.fetchAll(db, sql: "SELECT name FROM player")
    ///
    /// - Throws: `DatabaseError` if the statement fails; `RowDecodingError` if a value does not
    ///   decode.
    @inlinable
    public static func fetchAll(
        _ statement: Statement, arguments: StatementArguments? = nil,
        adapter: (any RowAdapter)? = nil
    ) throws -> [Self] {
        try Array(ValueReader<Self>.fetchCursor(statement, arguments: arguments, adapter: adapter))
    }

    /// Fetches the first value of a prepared statement; nil when there is none, or it is NULL.
    ///
    ///     let best = try Int.fetchOne(db, sql: "SELECT max(score) FROM player")
    ///
    /// - Throws: `DatabaseError` if the statement fails; `RowDecodingError` if a value does not
    ///   decode.
    @inlinable
    public static func fetchOne(
        _ statement: Statement, arguments: StatementArguments? = nil,
        adapter: (any RowAdapter)? = nil
    ) throws -> Self? {
        try ValueReader<Self>.fetchOne(statement, arguments: arguments, adapter: adapter)
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
    ) throws -> DecodingCursor<ValueReader<Self>> {
        try ValueReader<Self>.fetchCursor(db, sql: sql, arguments: arguments, adapter: adapter)
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
            ValueReader<Self>.fetchCursor(db, sql: sql, arguments: arguments, adapter: adapter))
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
        try ValueReader<Self>.fetchOne(db, sql: sql, arguments: arguments, adapter: adapter)
    }
}

extension DatabaseValueConvertible where Self: Hashable {
    /// Fetches all values of a prepared statement, each distinct one once.
    ///
    ///     let names = try Set(String.fetchAll(db, sql: "SELECT name FROM player"))
    ///
    /// - Throws: `DatabaseError` if the statement fails; `RowDecodingError` if a value does not
    ///   decode.
    @inlinable
    public static func fetchSet(
        _ statement: Statement, arguments: StatementArguments? = nil,
        adapter: (any RowAdapter)? = nil
    ) throws -> Set<Self> {
        try Set(ValueReader<Self>.fetchCursor(statement, arguments: arguments, adapter: adapter))
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
        try Set(ValueReader<Self>.fetchCursor(db, sql: sql, arguments: arguments, adapter: adapter))
    }
}
