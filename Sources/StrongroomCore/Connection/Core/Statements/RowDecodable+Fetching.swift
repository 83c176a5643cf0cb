// The fetching functions of rows and records.

extension RowDecodable {
    /// Fetches lazily, row after row, from a prepared statement.
    ///
    ///     let rows = try Row.fetchCursor(db, sql: "SELECT * FROM player")
    ///     while let row = try rows.next() { print(row) }
    ///
    /// - Parameters:
    ///   - statement: The statement to run.
    ///   - arguments: Replaces the statement's arguments, if given.
    ///   - adapter: Presents the columns of each row in another way, if given.
    /// - Throws: `DatabaseError` if the statement fails; what decoding a row throws.
    @inlinable
    public static func fetchCursor(
        _ statement: Statement, arguments: StatementArguments? = nil,
        adapter: (any RowAdapter)? = nil
    ) throws -> DecodingCursor<RowReader<Self>> {
        try RowReader<Self>.fetchCursor(statement, arguments: arguments, adapter: adapter)
    }

    /// Fetches all rows of a prepared statement.
    ///
    ///     let rows = try Row.fetchAll(db, sql: "SELECT * FROM player")
    ///
    /// - Throws: `DatabaseError` if the statement fails; what decoding a row throws.
    @inlinable
    public static func fetchAll(
        _ statement: Statement, arguments: StatementArguments? = nil,
        adapter: (any RowAdapter)? = nil
    ) throws -> [Self] {
        try Array(RowReader<Self>.fetchCursor(statement, arguments: arguments, adapter: adapter))
    }

    /// Fetches the first row of a prepared statement; nil when there is none.
    ///
    ///     let row = try Row.fetchOne(db, sql: "SELECT * FROM player WHERE id = ?", arguments: [1])
    ///
    /// - Throws: `DatabaseError` if the statement fails; what decoding a row throws.
    @inlinable
    public static func fetchOne(
        _ statement: Statement, arguments: StatementArguments? = nil,
        adapter: (any RowAdapter)? = nil
    ) throws -> Self? {
        defer { statement.reset() }
        return try statement.firstRow(arguments: arguments, adapter: adapter).map(_decode)
    }

    /// Fetches lazily, row after row.
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
    ) throws -> DecodingCursor<RowReader<Self>> {
        try RowReader<Self>.fetchCursor(db, sql: sql, arguments: arguments, adapter: adapter)
    }

    /// Fetches all rows.
    ///
    /// - Throws: `DatabaseError`; `RowDecodingError` if a row does not decode.
    @inlinable
    public static func fetchAll(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
        adapter: (any RowAdapter)? = nil
    ) throws -> [Self] {
        try Array(RowReader<Self>.fetchCursor(db, sql: sql, arguments: arguments, adapter: adapter))
    }

    /// Fetches the first row; nil when there is none.
    ///
    /// - Throws: `DatabaseError` if the statement fails; what decoding a row throws.
    @inlinable
    public static func fetchOne(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
        adapter: (any RowAdapter)? = nil
    ) throws -> Self? {
        let statement = try db.checkOutStatement(sql)
        defer { db.checkIn(statement, as: sql) }
        return try statement.firstRow(arguments: arguments, adapter: adapter).map(_decode)
    }
}

extension RowDecodable where Self: Hashable {
    /// Fetches all rows of a prepared statement, each distinct one once.
    ///
    /// - Throws: `DatabaseError` if the statement fails; what decoding a row throws.
    @inlinable
    public static func fetchSet(
        _ statement: Statement, arguments: StatementArguments? = nil,
        adapter: (any RowAdapter)? = nil
    ) throws -> Set<Self> {
        try Set(RowReader<Self>.fetchCursor(statement, arguments: arguments, adapter: adapter))
    }

    /// Fetches all rows, each distinct one once.
    ///
    /// - Throws: `DatabaseError` if the statement fails; what decoding a row throws.
    @inlinable
    public static func fetchSet(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
        adapter: (any RowAdapter)? = nil
    ) throws -> Set<Self> {
        try Set(RowReader<Self>.fetchCursor(db, sql: sql, arguments: arguments, adapter: adapter))
    }
}
