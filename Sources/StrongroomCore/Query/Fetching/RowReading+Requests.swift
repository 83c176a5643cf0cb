// What the fetching functions that take a request have in common: they forward to those for SQL and for
// statements (`RowReading+Fetching`).

extension RowReading {
    @inlinable
    static func fetchCursor(
        _ db: Database, _ request: some FetchRequest
    ) throws -> DecodingCursor<Self> {
        try fetchCursor(db, request._fetchSource(db, forSingleResult: false))
    }

    @inlinable
    static func fetchCursor(
        _ db: Database, _ source: FetchSource
    ) throws -> DecodingCursor<Self> {
        switch source.content {
        case .sql(let sql, let arguments):
            return try fetchCursor(db, sql: sql, arguments: arguments, adapter: source.adapter)
        case .statement(let statement):
            return try fetchCursor(statement, arguments: nil, adapter: source.adapter)
        case .rows: throw FetchSource.cursorError
        }
    }

    @inlinable
    static func fetchAll(_ db: Database, _ request: some FetchRequest) throws -> [Element] {
        let source = try request._fetchSource(db, forSingleResult: false)
        if let rows = try source.fetchRows() { return try rows.map { try decode($0) } }
        return try Array(fetchCursor(db, source))
    }

    @inlinable
    static func fetchOne(_ db: Database, _ request: some FetchRequest) throws -> Element? {
        let source = try request._fetchSource(db, forSingleResult: true)
        switch source.content {
        case .sql(let sql, let arguments):
            return try fetchOne(db, sql: sql, arguments: arguments, adapter: source.adapter)
        case .statement(let statement):
            return try fetchOne(statement, arguments: nil, adapter: source.adapter)
        case .rows:
            return try source.fetchRows()?.first.flatMap { try decodeOnly($0) }
        }
    }
}
