// The fetching functions of values, rows and records: four verbs, and one body, the cursor's.

extension RowDecodable {
    /// Fetches lazily, row after row, from a prepared statement.
    ///
    /// - Parameter arguments: Replaces the statement's arguments, if given.
    @inlinable
    public static func fetchCursor(
        _ statement: Statement, arguments: StatementArguments? = nil
    ) throws -> DecodingCursor<Self> {
        try DecodingCursor(statement, arguments: arguments)
    }

    /// Fetches all rows of a prepared statement.
    @inlinable
    public static func fetchAll(
        _ statement: Statement, arguments: StatementArguments? = nil
    ) throws -> [Self] {
        try Array(fetchCursor(statement, arguments: arguments))
    }

    /// Fetches the first row of a prepared statement; nil when there is none.
    @inlinable
    public static func fetchOne(
        _ statement: Statement, arguments: StatementArguments? = nil
    ) throws -> Self? {
        defer { statement.reset() }
        guard try statement.moveToFirstRow(arguments: arguments) else { return nil }
        return try _decodeOnly(statement.row)
    }

    /// Fetches lazily, row after row.
    ///
    /// - Throws: `DatabaseError`, also from the cursor's `next()`.
    @inlinable
    public static func fetchCursor(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> DecodingCursor<Self> {
        try DecodingCursor(db, sql: sql, arguments: arguments)
    }

    /// Fetches all rows.
    ///
    /// - Throws: `DatabaseError`; `RowDecodingError` when a row's content is unsuitable.
    @inlinable
    public static func fetchAll(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try Array(fetchCursor(db, sql: sql, arguments: arguments))
    }

    /// Fetches the first row; nil when there is none.
    @inlinable
    public static func fetchOne(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        let statement = try db.checkOutStatement(sql)
        defer { db.checkIn(statement, as: sql) }
        guard try statement.moveToFirstRow(arguments: arguments) else { return nil }
        return try _decodeOnly(statement.row)
    }
}

extension RowDecodable where Self: Hashable {
    /// Fetches all rows of a prepared statement, each distinct one once.
    @inlinable
    public static func fetchSet(
        _ statement: Statement, arguments: StatementArguments? = nil
    ) throws -> Set<Self> {
        try Set(fetchCursor(statement, arguments: arguments))
    }

    /// Fetches all rows, each distinct one once.
    @inlinable
    public static func fetchSet(
        _ db: Database, sql: String, arguments: StatementArguments = StatementArguments()
    ) throws -> Set<Self> {
        try Set(fetchCursor(db, sql: sql, arguments: arguments))
    }
}
