// Requests of tuples. One value alone is no tuple: `SQLRequest<String>` fetches it.

extension FetchRequest {
    /// Fetches tuples lazily, row after row: the first column first, as many as there are.
    ///
    ///     let request: SQLRequest<(String, Int?)> = "SELECT name, score FROM player"
    ///     let players = try request.fetchCursor(db)
    ///     while let (name, score) = try players.next() { … }
    ///
    /// - Throws: `DatabaseError`, also from the cursor's `next()`.
    @inlinable
    public func fetchCursor<
        First: DatabaseValueConvertible, Second: DatabaseValueConvertible,
        each Other: DatabaseValueConvertible
    >(
        _ db: Database
    ) throws -> TupleCursor<First, Second, repeat each Other>
    where RowDecoder == (First, Second, repeat each Other) {
        try TupleCursor(Row.fetchCursor(db, self))
    }

    /// Fetches all rows as tuples: the first column first, as many as there are.
    ///
    ///     let request: SQLRequest<(String, Int?)> = "SELECT name, score FROM player"
    ///     for (name, score) in try request.fetchAll(db) { … }
    ///
    /// - Throws: `DatabaseError`, which is `SQLITE_MISUSE` when there are not as many columns as
    ///   values; `RowDecodingError` when a value is unsuitable.
    @inlinable
    public func fetchAll<
        First: DatabaseValueConvertible, Second: DatabaseValueConvertible,
        each Other: DatabaseValueConvertible
    >(
        _ db: Database
    ) throws -> [RowDecoder] where RowDecoder == (First, Second, repeat each Other) {
        try Array(fetchCursor(db))
    }

    /// Fetches the first row as a tuple; nil when there is none.
    ///
    ///     let request: SQLRequest<(Int, Int?)> = "SELECT COUNT(*), MAX(score) FROM player"
    ///     if let (count, best) = try request.fetchOne(db) { … }
    ///
    /// - Throws: As `fetchAll(_:)`.
    @inlinable
    public func fetchOne<
        First: DatabaseValueConvertible, Second: DatabaseValueConvertible,
        each Other: DatabaseValueConvertible
    >(
        _ db: Database
    ) throws -> RowDecoder? where RowDecoder == (First, Second, repeat each Other) {
        let rows = try RowReader<Row>.fetchCursor(db, _fetchSource(db, forSingleResult: true))
        return try TupleCursor<First, Second, repeat each Other>(rows).next()
    }
}
