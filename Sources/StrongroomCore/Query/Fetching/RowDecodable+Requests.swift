// The fetching functions of rows and records that take a request, and those of the request.

extension RowDecodable {
    /// Fetches the rows of a request lazily, whatever type it was made for.
    ///
    /// - Throws: `DatabaseError`, also from the cursor's `next()`.
    @inlinable
    public static func fetchCursor(
        _ db: Database, _ request: some FetchRequest
    ) throws -> DecodingCursor<RowReader<Self>> {
        try RowReader<Self>.fetchCursor(db, request)
    }

    /// Fetches all rows of a request.
    ///
    /// - Throws: `DatabaseError`; `RowDecodingError` when a row's content is unsuitable.
    @inlinable
    public static func fetchAll(_ db: Database, _ request: some FetchRequest) throws -> [Self] {
        try RowReader<Self>.fetchAll(db, request)
    }

    /// Fetches the first row of a request; nil when there is none.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a row throws.
    @inlinable
    public static func fetchOne(_ db: Database, _ request: some FetchRequest) throws -> Self? {
        try RowReader<Self>.fetchOne(db, request)
    }
}

extension RowDecodable where Self: Hashable {
    /// Fetches all rows of a request, each distinct one once.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a row throws.
    @inlinable
    public static func fetchSet(_ db: Database, _ request: some FetchRequest) throws -> Set<Self> {
        try Set(RowReader<Self>.fetchAll(db, request))
    }
}

extension FetchRequest where RowDecoder: RowDecodable {
    /// Fetches lazily, row after row.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a row throws.
    @inlinable
    public func fetchCursor(_ db: Database) throws -> DecodingCursor<RowReader<RowDecoder>> {
        try RowReader<RowDecoder>.fetchCursor(db, self)
    }

    /// Fetches all rows.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a row throws.
    @inlinable
    public func fetchAll(_ db: Database) throws -> [RowDecoder] {
        try RowReader<RowDecoder>.fetchAll(db, self)
    }

    /// Fetches the first row; nil when there is none.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a row throws.
    @inlinable
    public func fetchOne(_ db: Database) throws -> RowDecoder? {
        try RowReader<RowDecoder>.fetchOne(db, self)
    }
}

extension FetchRequest where RowDecoder: RowDecodable & Hashable {
    /// Fetches all rows, each distinct one once.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a row throws.
    @inlinable
    public func fetchSet(_ db: Database) throws -> Set<RowDecoder> {
        try Set(RowReader<RowDecoder>.fetchAll(db, self))
    }
}
