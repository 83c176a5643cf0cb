// What the fetching functions of values, rows and records have in common: four verbs, and one body, the
// cursor's.

extension RowReading {
    @inlinable
    static func fetchCursor(
        _ statement: Statement, arguments: StatementArguments?, adapter: (any RowAdapter)?
    ) throws -> DecodingCursor<Self> {
        try DecodingCursor(statement, arguments: arguments, adapter: adapter)
    }

    @inlinable
    static func fetchCursor(
        _ db: Database, sql: String, arguments: StatementArguments, adapter: (any RowAdapter)?
    ) throws -> DecodingCursor<Self> {
        try DecodingCursor(db, sql: sql, arguments: arguments, adapter: adapter)
    }

    @inlinable
    static func fetchOne(
        _ statement: Statement, arguments: StatementArguments?, adapter: (any RowAdapter)?
    ) throws -> Element? {
        defer { statement.reset() }
        return try decodeFirstRow(of: statement, arguments: arguments, adapter: adapter)
    }

    @inlinable
    static func fetchOne(
        _ db: Database, sql: String, arguments: StatementArguments, adapter: (any RowAdapter)?
    ) throws -> Element? {
        let statement = try db.checkOutStatement(sql)
        defer { db.checkIn(statement, as: sql) }
        return try decodeFirstRow(of: statement, arguments: arguments, adapter: adapter)
    }

    /// Decodes the first row and leaves the statement standing there.
    @inlinable
    static func decodeFirstRow(
        of statement: Statement, arguments: StatementArguments?, adapter: (any RowAdapter)?
    ) throws -> Element? {
        if let adapter {
            let row = try statement.firstRow(arguments: arguments, adapter: adapter)
            return try row.flatMap(decodeOnly)
        }
        guard try statement.moveToFirstRow(arguments: arguments) else { return nil }
        if let element = decodeStanding(statement.sqliteStatement) { return element }
        return try decodeOnly(statement.row)
    }
}
