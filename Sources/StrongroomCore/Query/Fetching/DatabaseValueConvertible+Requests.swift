// The fetching functions of values that take a request, and those of the request, where values are only
// known to convert a `DatabaseValue`.

extension DatabaseValueConvertible {
    /// Fetches the values of a request lazily, whatever type it was made for.
    ///
    /// - Throws: `DatabaseError`, also from the cursor's `next()`.
    @inlinable
    public static func fetchCursor(
        _ db: Database, _ request: some FetchRequest
    ) throws -> DecodingCursor<ValueReader<Self>> {
        try ValueReader<Self>.fetchCursor(db, request)
    }

    /// Fetches all values of a request.
    ///
    /// - Throws: `DatabaseError`; `RowDecodingError` when a value is unsuitable.
    @inlinable
    public static func fetchAll(_ db: Database, _ request: some FetchRequest) throws -> [Self] {
        try ValueReader<Self>.fetchAll(db, request)
    }

    /// Fetches the first value of a request; nil when there is none, or it is NULL.
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    @inlinable
    public static func fetchOne(_ db: Database, _ request: some FetchRequest) throws -> Self? {
        try ValueReader<Self>.fetchOne(db, request)
    }
}

extension DatabaseValueConvertible where Self: Hashable {
    /// Fetches all values of a request, each distinct one once.
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    @inlinable
    public static func fetchSet(_ db: Database, _ request: some FetchRequest) throws -> Set<Self> {
        try Set(ValueReader<Self>.fetchAll(db, request))
    }
}

extension FetchRequest where RowDecoder: DatabaseValueConvertible {
    /// Fetches lazily, value after value.
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    @inlinable
    public func fetchCursor(_ db: Database) throws -> DecodingCursor<ValueReader<RowDecoder>> {
        try ValueReader<RowDecoder>.fetchCursor(db, self)
    }

    /// Fetches all values.
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    @inlinable
    public func fetchAll(_ db: Database) throws -> [RowDecoder] {
        try ValueReader<RowDecoder>.fetchAll(db, self)
    }

    /// Fetches the first value; nil when there is none, or it is NULL.
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    @inlinable
    public func fetchOne(_ db: Database) throws -> RowDecoder? {
        try ValueReader<RowDecoder>.fetchOne(db, self)
    }
}

extension FetchRequest where RowDecoder: DatabaseValueConvertible & Hashable {
    /// Fetches all values, each distinct one once.
    ///
    ///     let names = try Player.select(Column("name"), as: String.self).fetchSet(db)
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    @inlinable
    public func fetchSet(_ db: Database) throws -> Set<RowDecoder> {
        try Set(ValueReader<RowDecoder>.fetchAll(db, self))
    }
}
