// Reading cells of types that read themselves from statements: where the compiler knows that they do,
// these are chosen in place of those in `Row+Values`, which convert a `DatabaseValue`.

extension Row {
    /// Reads a column by index, counted from 0, straight from the statement.
    ///
    /// - Precondition: The index is in range, and the value suits the type: NULL suits only
    ///   optionals.
    @inlinable
    public subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int)
        -> Value
    {
        checkIndex(index)
        guard let value = value(Value.self, at: index) else { trap(Value.self, column: index) }
        return value
    }

    /// Reads the leftmost column of that name, in any case, straight from the statement.
    ///
    /// - Precondition: The column exists and its value suits the type; optionals may be missing.
    @inlinable
    public subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ columnName: String
    ) -> Value {
        guard let index = index(of: columnName) else {
            guard let missing = Value.fromMissingColumn() else { trapMissing(columnName) }
            return missing
        }
        guard let value = value(Value.self, at: index) else { trap(Value.self, column: index) }
        return value
    }

    /// Reads a column by index straight from the statement, and throws where the subscript traps.
    ///
    /// - Throws: `RowDecodingError` when the value does not suit the type, or there is no such
    ///   column.
    @inlinable
    public func decode<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ type: Value.Type = Value.self, atIndex index: Int
    ) throws(RowDecodingError) -> Value {
        guard (0..<columnCount).contains(index) else {
            throw RowDecodingError(
                "row index out of range", column: nil, columnIndex: index, row: self)
        }
        guard let value = value(Value.self, at: index) else {
            throw RowDecodingError(type, columnIndex: index, row: self)
        }
        return value
    }

    /// Reads a column by name straight from the statement, and throws where the subscript traps.
    ///
    /// - Throws: `RowDecodingError` when the value does not suit the type, or there is no such
    ///   column.
    @inlinable
    public func decode<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ type: Value.Type = Value.self, forColumn columnName: String
    ) throws(RowDecodingError) -> Value {
        if let index = index(of: columnName) { return try decode(type, atIndex: index) }
        guard let missing = Value.fromMissingColumn() else {
            throw RowDecodingError(
                "column not found: \(String(reflecting: columnName))",
                column: columnName, columnIndex: nil, row: self)
        }
        return missing
    }

    /// The first value among the columns that is not NULL; missing columns are skipped.
    public func coalesce<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ columns: some Collection<String>
    ) -> Value? {
        for column in columns {
            if let value: Value = self[column] as Value? { return value }
        }
        return nil
    }
}
