// The fetching functions of values, rows and records: four verbs, and one body, the cursor's.

extension RowDecodable {
    /// Fetches lazily, row after row, from a prepared statement.
    ///
    /// - Parameter arguments: Replaces the statement's arguments, if given.
    /// - Parameter adapter: Presents the columns of each row in another way, if given.
    @inlinable
    public static func fetchCursor(
        _ statement: Statement, arguments: StatementArguments? = nil,
        adapter: (any RowAdapter)? = nil
    ) throws -> DecodingCursor<Self> {
        try DecodingCursor(statement, arguments: arguments, adapter: adapter)
    }

    /// Fetches all rows of a prepared statement.
    @inlinable
    public static func fetchAll(
        _ statement: Statement, arguments: StatementArguments? = nil,
        adapter: (any RowAdapter)? = nil
    ) throws -> [Self] {
        try Array(fetchCursor(statement, arguments: arguments, adapter: adapter))
    }

    /// Fetches the first row of a prepared statement; nil when there is none.
    @inlinable
    public static func fetchOne(
        _ statement: Statement, arguments: StatementArguments? = nil,
        adapter: (any RowAdapter)? = nil
    ) throws -> Self? {
        defer { statement.reset() }
        return try decodeFirstRow(of: statement, arguments: arguments, adapter: adapter)
    }

    /// Fetches lazily, row after row.
    ///
    /// - Parameter adapter: Presents the columns of each row in another way, if given.
    /// - Throws: `DatabaseError`, also from the cursor's `next()`.
    @inlinable
    public static func fetchCursor(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
        adapter: (any RowAdapter)? = nil
    ) throws -> DecodingCursor<Self> {
        try DecodingCursor(db, sql: sql, arguments: arguments, adapter: adapter)
    }

    /// Fetches all rows.
    ///
    /// - Throws: `DatabaseError`; `RowDecodingError` when a row's content is unsuitable.
    @inlinable
    public static func fetchAll(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
        adapter: (any RowAdapter)? = nil
    ) throws -> [Self] {
        try Array(fetchCursor(db, sql: sql, arguments: arguments, adapter: adapter))
    }

    /// Fetches the first row; nil when there is none.
    @inlinable
    public static func fetchOne(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
        adapter: (any RowAdapter)? = nil
    ) throws -> Self? {
        let statement = try db.checkOutStatement(sql)
        defer { db.checkIn(statement, as: sql) }
        return try decodeFirstRow(of: statement, arguments: arguments, adapter: adapter)
    }

    /// Decodes the first row and leaves the statement standing there.
    @inlinable
    static func decodeFirstRow(
        of statement: Statement, arguments: StatementArguments?, adapter: (any RowAdapter)?
    ) throws -> Self? {
        if let adapter {
            let row = try statement.firstRow(arguments: arguments, adapter: adapter)
            return try row.flatMap(_decodeOnly)
        }
        guard try statement.moveToFirstRow(arguments: arguments) else { return nil }
        if let element = _decodeStanding(statement.sqliteStatement) { return element }
        return try _decodeOnly(statement.row)
    }
}

extension RowDecodable where Self: Hashable {
    /// Fetches all rows of a prepared statement, each distinct one once.
    @inlinable
    public static func fetchSet(
        _ statement: Statement, arguments: StatementArguments? = nil,
        adapter: (any RowAdapter)? = nil
    ) throws -> Set<Self> {
        try Set(fetchCursor(statement, arguments: arguments, adapter: adapter))
    }

    /// Fetches all rows, each distinct one once.
    @inlinable
    public static func fetchSet(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments(),
        adapter: (any RowAdapter)? = nil
    ) throws -> Set<Self> {
        try Set(fetchCursor(db, sql: sql, arguments: arguments, adapter: adapter))
    }
}
