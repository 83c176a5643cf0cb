public import StrongroomCore

// What records and tables both have. A type that is both has these, which ask for more than either:
// without them, each call would be ambiguous. A type from the context, `RecordCursor<Item>`, still
// finds the record's.

extension FetchableRecord where Self: TableRecord & QuerySource {
    /// Fetches all rows.
    ///
    ///     let labels = try Tag.fetchAll(db).map(\.label)  // ["urgent", "later"]
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public static func fetchAll(_ db: Database) throws -> [DefaultScope.Row] {
        try all.fetchAll(db)
    }

    /// Fetches the first row; nil when there is none.
    ///
    ///     let first = try Tag.fetchOne(db)?.label  // "urgent"
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public static func fetchOne(_ db: Database) throws -> DefaultScope.Row? {
        try all.fetchOne(db)
    }

    /// A cursor over the rows.
    ///
    ///     try Tag.fetchCursor(db).forEach { print($0.label) }
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public static func fetchCursor(_ db: Database) throws -> QueryCursor<DefaultScope.Row> {
        try all.fetchCursor(db)
    }
}

extension FetchableRecord where Self: TableRecord & QuerySource & Hashable {
    /// Fetches all rows as a set.
    ///
    ///     let tags = try Tag.fetchSet(db)
    ///     tags.contains(Tag(id: 1, label: "urgent"))  // true
    ///
    /// - Throws: `DatabaseError`; `QueryBuildingError` when the query cannot be built;
    ///   `QueryDecodingError` when a row does not fit its type.
    public static func fetchSet(_ db: Database) throws -> Set<DefaultScope.Row>
    where DefaultScope.Row: Hashable {
        try all.fetchSet(db)
    }
}

extension TableRecord where Self: QuerySource {
    /// Counts the rows.
    ///
    ///     let count = try Tag.fetchCount(db)  // 2
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public static func fetchCount(_ db: Database) throws -> Int { try all.fetchCount(db) }
}

extension FetchableRecord where Self: TableRecord & PrimaryKeyedTable {
    /// Fetches the row with a key.
    ///
    ///     let urgent = try Tag.find(db, key: 1)
    ///     urgent.label  // "urgent"
    ///
    /// - Throws: `NotFound` when there is none.
    public static func find(
        _ db: Database, key: PrimaryKey.Unwrapped.QueryOutput
    ) throws -> Self where SideValue == Self {
        try Where<Self>().find(db, key: key)
    }
}
