public import StrongroomEssentials

// Cells by column: the same as by the name of the column.

extension Row {
    /// Reads the leftmost column of that name, in any case.
    ///
    /// - Precondition: The column exists and its value suits the type; optionals may be missing.
    @inlinable
    public subscript<Value: DatabaseValueConvertible>(_ column: some ColumnExpression) -> Value {
        self[column.name]
    }

    /// Reads the leftmost column of that name as `Int64`, `Double`, `String`, `Data` or nil.
    public subscript(_ column: some ColumnExpression) -> (any DatabaseValueConvertible)? {
        self[column.name]
    }

    /// Reads the leftmost column of that name, and throws where the subscript traps.
    ///
    ///     let row = try Row.fetchOne(db, sql: "SELECT score FROM player")!
    ///     let score = try row.decode(Int.self, forColumn: "score")
    ///
    /// - Throws: `RowDecodingError` when the value does not suit the type or there is no such column.
    @inlinable
    public func decode<Value: DatabaseValueConvertible>(
        _ type: Value.Type = Value.self, forColumn column: some ColumnExpression
    ) throws(RowDecodingError) -> Value {
        try decode(type, forColumn: column.name)
    }

    /// The first value among the columns that is not NULL; missing columns are skipped.
    ///
    ///     let row: Row = ["nickname": nil, "name": "Arthur"]
    ///     let name: String? = row.coalesce(["nickname", "name"])
    public func coalesce<Value: DatabaseValueConvertible>(
        _ columns: some Collection<any ColumnExpression>
    ) -> Value? {
        coalesce(columns.lazy.map(\.name))
    }

    /// Lends the bytes of the leftmost column of that name; nil also when there is no such column.
    ///
    /// - Throws: `RowDecodingError` when the column holds a number, and what `body` throws.
    public func withUnsafeData<T>(
        at column: some ColumnExpression, _ body: (Data?) throws -> T
    ) throws -> T {
        try withUnsafeData(named: column.name, body)
    }

    /// Reads the bytes of the leftmost column of that name; nil also when there is no such column.
    @available(*, deprecated, message: "Use withUnsafeData(at:_:), which never copies.")
    public func dataNoCopy(_ column: some ColumnExpression) -> Data? {
        self[column.name]
    }
}

// MARK: - Straight from the statement

extension Row {
    /// Reads the leftmost column of that name, in any case, straight from the statement.
    ///
    /// - Precondition: The column exists and its value suits the type; optionals may be missing.
    @inlinable
    public subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ column: some ColumnExpression
    ) -> Value {
        self[column.name]
    }

    /// Reads a column by name straight from the statement, and throws where the subscript traps.
    ///
    /// - Throws: `RowDecodingError` when the value does not suit the type or there is no such column.
    @inlinable
    public func decode<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ type: Value.Type = Value.self, forColumn column: some ColumnExpression
    ) throws(RowDecodingError) -> Value {
        try decode(type, forColumn: column.name)
    }

    /// The first value among the columns that is not NULL; missing columns are skipped.
    public func coalesce<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ columns: some Collection<any ColumnExpression>
    ) -> Value? {
        coalesce(columns.lazy.map(\.name))
    }
}
