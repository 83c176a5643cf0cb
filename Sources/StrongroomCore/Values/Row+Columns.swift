extension Row {
    /// The names, left to right.
    public var columnNames: LazyMapCollection<Row, String> {
        lazy.map(\.0)
    }

    /// The values, left to right.
    public var databaseValues: LazyMapCollection<Row, DatabaseValue> {
        lazy.map(\.1)
    }

    /// Whether there is a column of that name, in any case.
    ///
    ///     let row: Row = ["name": "Arthur"]
    ///     print(row.hasColumn("score"))  // false
    public func hasColumn(_ columnName: String) -> Bool {
        layout.index(of: columnName) != nil
    }

    /// Whether the value of a column, counted from 0, is NULL.
    ///
    ///     let row: Row = ["name": nil]
    ///     print(row.hasNull(atIndex: 0))  // true
    @inlinable
    public func hasNull(atIndex index: Int) -> Bool {
        checkIndex(index)
        return storage.isNull(at: storageColumn(index))
    }

    /// Whether at least one value is not NULL, in the row itself or in one of its scopes.
    public var containsNonNullValue: Bool {
        (0..<columnCount).contains { !hasNull(atIndex: $0) }
            || scopes.contains { $0.row.containsNonNullValue }
    }
}
