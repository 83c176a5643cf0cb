// The fetching functions that take a request, and those of the request, for values that read themselves
// from statements.

extension DatabaseValueConvertible where Self: StatementColumnConvertible {
    /// Fetches the values of a request lazily, whatever type it was made for.
    ///
    /// - Throws: `DatabaseError`, also from the cursor's `next()`.
    @inlinable
    public static func fetchCursor(
        _ db: Database, _ request: some FetchRequest
    ) throws -> DecodingCursor<FastValueReader<Self>> {
        try FastValueReader<Self>.fetchCursor(db, request)
    }

    /// Fetches all values of a request.
    ///
    /// - Throws: `DatabaseError`; `RowDecodingError` when a value is unsuitable.
    @inlinable
    public static func fetchAll(_ db: Database, _ request: some FetchRequest) throws -> [Self] {
        try FastValueReader<Self>.fetchAll(db, request)
    }

    /// Fetches the first value of a request; nil when there is none, or it is NULL.
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    @inlinable
    public static func fetchOne(_ db: Database, _ request: some FetchRequest) throws -> Self? {
        try FastValueReader<Self>.fetchOne(db, request)
    }
}

extension DatabaseValueConvertible where Self: StatementColumnConvertible, Self: Hashable {
    /// Fetches all values of a request, each distinct one once.
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    @inlinable
    public static func fetchSet(_ db: Database, _ request: some FetchRequest) throws -> Set<Self> {
        try Set(FastValueReader<Self>.fetchAll(db, request))
    }
}

extension FetchRequest where RowDecoder: DatabaseValueConvertible & StatementColumnConvertible {
    /// Fetches lazily, value after value.
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    @inlinable
    public func fetchCursor(_ db: Database) throws -> DecodingCursor<FastValueReader<RowDecoder>> {
        try FastValueReader<RowDecoder>.fetchCursor(db, self)
    }

    /// Fetches all values.
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    @inlinable
    public func fetchAll(_ db: Database) throws -> [RowDecoder] {
        try FastValueReader<RowDecoder>.fetchAll(db, self)
    }

    /// Fetches the first value; nil when there is none, or it is NULL.
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    @inlinable
    public func fetchOne(_ db: Database) throws -> RowDecoder? {
        try FastValueReader<RowDecoder>.fetchOne(db, self)
    }
}

extension FetchRequest
where RowDecoder: DatabaseValueConvertible & StatementColumnConvertible & Hashable {
    /// Fetches all values, each distinct one once.
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    @inlinable
    public func fetchSet(_ db: Database) throws -> Set<RowDecoder> {
        try Set(FastValueReader<RowDecoder>.fetchAll(db, self))
    }
}
