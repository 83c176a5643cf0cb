// The fetching functions of tables: one family for each way in which a row becomes an element.

// MARK: - Rows and records

extension Table where RowDecoder: RowDecodable {
    /// Fetches all rows of the table lazily, row after row.
    ///
    ///     let rows = try Table<Row>("player").fetchCursor(db)
    ///     while let row = try rows.next() { print(row) }
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a row throws.
    public func fetchCursor(_ db: Database) throws -> DecodingCursor<RowReader<RowDecoder>> {
        try all().fetchCursor(db)
    }

    /// Fetches all rows of the table.
    ///
    ///     let rows = try Table<Row>("player").fetchAll(db)
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a row throws.
    public func fetchAll(_ db: Database) throws -> [RowDecoder] {
        try all().fetchAll(db)
    }

    /// Fetches one row of the table; nil if it has none.
    ///
    ///     let row = try Table<Row>("player").fetchOne(db)
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a row throws.
    public func fetchOne(_ db: Database) throws -> RowDecoder? {
        try all().fetchOne(db)
    }
}

extension Table where RowDecoder: RowDecodable & Hashable {
    /// Fetches all rows of the table, each distinct one once.
    ///
    /// - Throws: `DatabaseError` when the statement fails; what decoding a row throws.
    public func fetchSet(_ db: Database) throws -> Set<RowDecoder> {
        try all().fetchSet(db)
    }
}

// MARK: - Values

extension Table where RowDecoder: DatabaseValueConvertible {
    /// Fetches the first column of all rows lazily, value after value.
    ///
    ///     let cursor = try Table<URL>("bookmark").fetchCursor(db)
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    public func fetchCursor(_ db: Database) throws -> DecodingCursor<ValueReader<RowDecoder>> {
        try all().fetchCursor(db)
    }

    /// Fetches the first column of all rows of the table.
    ///
    ///     let values = try Table<URL>("bookmark").fetchAll(db)
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    public func fetchAll(_ db: Database) throws -> [RowDecoder] {
        try all().fetchAll(db)
    }

    /// Fetches the first column of one row; nil when there is none, or it is NULL.
    ///
    ///     let value = try Table<URL>("bookmark").fetchOne(db)
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    public func fetchOne(_ db: Database) throws -> RowDecoder? {
        try all().fetchOne(db)
    }
}

extension Table where RowDecoder: DatabaseValueConvertible & Hashable {
    /// Fetches the first column of all rows of the table, each distinct value once.
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    public func fetchSet(_ db: Database) throws -> Set<RowDecoder> {
        try all().fetchSet(db)
    }
}

// MARK: - Values that read themselves from statements

extension Table where RowDecoder: DatabaseValueConvertible & StatementColumnConvertible {
    /// Fetches the first column of all rows lazily, value after value.
    ///
    ///     let cursor = try Table<String>("name").fetchCursor(db)
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    public func fetchCursor(_ db: Database) throws -> DecodingCursor<FastValueReader<RowDecoder>> {
        try all().fetchCursor(db)
    }

    /// Fetches the first column of all rows of the table.
    ///
    ///     let values = try Table<String>("name").fetchAll(db)
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    public func fetchAll(_ db: Database) throws -> [RowDecoder] {
        try all().fetchAll(db)
    }

    /// Fetches the first column of one row; nil when there is none, or it is NULL.
    ///
    ///     let value = try Table<String>("name").fetchOne(db)
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    public func fetchOne(_ db: Database) throws -> RowDecoder? {
        try all().fetchOne(db)
    }
}

extension Table where RowDecoder: DatabaseValueConvertible & StatementColumnConvertible & Hashable {
    /// Fetches the first column of all rows of the table, each distinct value once.
    ///
    /// - Throws: `DatabaseError` when the statement fails; `RowDecodingError` when a value is
    ///   unsuitable.
    public func fetchSet(_ db: Database) throws -> Set<RowDecoder> {
        try all().fetchSet(db)
    }
}
