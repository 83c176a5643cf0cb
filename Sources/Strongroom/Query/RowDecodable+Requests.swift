// The fetching functions that take a request: the same four verbs, as `RowDecodable+Fetching` has
// for SQL and for statements, to which they forward.

extension RowDecodable {
    /// Fetches the rows of a request lazily, whatever type it was made for.
    ///
    /// - Throws: `DatabaseError`, also from the cursor's `next()`.
    @inlinable
    public static func fetchCursor(
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
            return try fetchCursor(statement, adapter: source.adapter)
        case .rows: throw FetchSource.cursorError
        }
    }

    /// Fetches all rows of a request.
    ///
    /// - Throws: `DatabaseError`; `RowDecodingError` when a row's content is unsuitable.
    @inlinable
    public static func fetchAll(_ db: Database, _ request: some FetchRequest) throws -> [Self] {
        let source = try request._fetchSource(db, forSingleResult: false)
        if let rows = try source.fetchRows() { return try rows.map { try _decode($0) } }
        return try Array(fetchCursor(db, source))
    }

    /// Fetches the first row of a request; nil when there is none.
    @inlinable
    public static func fetchOne(_ db: Database, _ request: some FetchRequest) throws -> Self? {
        let source = try request._fetchSource(db, forSingleResult: true)
        switch source.content {
        case .sql(let sql, let arguments):
            return try fetchOne(db, sql: sql, arguments: arguments, adapter: source.adapter)
        case .statement(let statement):
            return try fetchOne(statement, adapter: source.adapter)
        case .rows:
            return try source.fetchRows()?.first.flatMap { try _decodeOnly($0) }
        }
    }
}

extension RowDecodable where Self: Hashable {
    /// Fetches all rows of a request, each distinct one once.
    @inlinable
    public static func fetchSet(_ db: Database, _ request: some FetchRequest) throws -> Set<Self> {
        try Set(fetchAll(db, request))
    }
}

extension FetchRequest where RowDecoder: RowDecodable {
    /// Fetches lazily, row after row.
    @inlinable
    public func fetchCursor(_ db: Database) throws -> DecodingCursor<RowDecoder> {
        try RowDecoder.fetchCursor(db, self)
    }

    /// Fetches all rows.
    @inlinable
    public func fetchAll(_ db: Database) throws -> [RowDecoder] {
        try RowDecoder.fetchAll(db, self)
    }

    /// Fetches the first row; nil when there is none.
    @inlinable
    public func fetchOne(_ db: Database) throws -> RowDecoder? {
        try RowDecoder.fetchOne(db, self)
    }
}

extension FetchRequest where RowDecoder: RowDecodable & Hashable {
    /// Fetches all rows, each distinct one once.
    @inlinable
    public func fetchSet(_ db: Database) throws -> Set<RowDecoder> {
        try RowDecoder.fetchSet(db, self)
    }
}
