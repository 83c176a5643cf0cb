// Reading cells. Subscripts trap on what `decode` throws: they are for databases that one trusts.
//
// What is known only as `DatabaseValueConvertible` converts a `DatabaseValue`: `Row+StatementColumns`
// has the same for types that read themselves from statements.

extension Row {
    /// Reads a column by index, counted from 0.
    ///
    /// - Precondition: The index is in range, and the value suits the type: NULL suits only
    ///   optionals.
    @inlinable
    public subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
        checkIndex(index)
        guard let value = convertedValue(Value.self, at: index) else {
            trap(Value.self, column: index)
        }
        return value
    }

    /// Reads a column by index as `Int64`, `Double`, `String`, `Data` or nil.
    public subscript(_ index: Int) -> (any DatabaseValueConvertible)? {
        checkIndex(index)
        return databaseValue(at: index).storage.value
    }

    /// Reads the leftmost column of that name, in any case.
    ///
    /// - Precondition: The column exists and its value suits the type; optionals may be missing.
    @inlinable
    public subscript<Value: DatabaseValueConvertible>(_ columnName: String) -> Value {
        guard let index = index(of: columnName) else {
            guard let missing = Value.fromMissingColumn() else { trapMissing(columnName) }
            return missing
        }
        guard let value = convertedValue(Value.self, at: index) else {
            trap(Value.self, column: index)
        }
        return value
    }

    /// Reads the leftmost column of that name as `Int64`, `Double`, `String`, `Data` or nil.
    public subscript(_ columnName: String) -> (any DatabaseValueConvertible)? {
        index(of: columnName).flatMap { databaseValue(at: $0).storage.value }
    }

    /// Reads a column by index, and throws where the subscript traps.
    ///
    /// - Throws: `RowDecodingError` when the value does not suit the type, or there is no such
    ///   column.
    @inlinable
    public func decode<Value: DatabaseValueConvertible>(
        _ type: Value.Type = Value.self, atIndex index: Int
    ) throws(RowDecodingError) -> Value {
        guard (0..<columnCount).contains(index) else {
            throw RowDecodingError(
                "row index out of range", column: nil, columnIndex: index, row: self)
        }
        guard let value = convertedValue(Value.self, at: index) else {
            throw RowDecodingError(type, columnIndex: index, row: self)
        }
        return value
    }

    /// Reads the leftmost column of that name, and throws where the subscript traps.
    ///
    /// - Throws: `RowDecodingError` when the value does not suit the type, or there is no such
    ///   column.
    @inlinable
    public func decode<Value: DatabaseValueConvertible>(
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
    public func coalesce<Value: DatabaseValueConvertible>(
        _ columns: some Collection<String>
    ) -> Value? {
        for column in columns {
            if let value: Value = self[column] as Value? { return value }
        }
        return nil
    }

    /// Reads a column as the type itself reads it; nil when the value does not suit it.
    @inlinable
    func value<Value: DatabaseValueConvertible>(_ type: Value.Type, at index: Int) -> Value? {
        let column = storageColumn(index)
        if let statement = storage.statement {
            return Value._fromStatement(statement, at: CInt(truncatingIfNeeded: column))
        }
        return Value.fromDatabaseValue(storage.keptValue(at: column))
    }

    /// Converts the value of a column; nil when it does not suit the type.
    @inlinable
    func convertedValue<Value: DatabaseValueConvertible>(
        _ type: Value.Type, at index: Int
    ) -> Value? {
        Value.fromDatabaseValue(databaseValue(at: index))
    }

    /// Reads a column as the type itself reads it.
    func decodeOwn<Value: DatabaseValueConvertible>(
        _ type: Value.Type, atIndex index: Int
    ) throws(RowDecodingError) -> Value {
        if let value = value(type, at: index) { return value }
        throw RowDecodingError(type, columnIndex: index, row: self)
    }

    @usableFromInline
    func databaseValue(at index: Int) -> DatabaseValue {
        storage.value(at: storageColumn(index))
    }

    /// The leftmost column of that name, in any case.
    @inlinable
    func index(of columnName: String) -> Int? {
        if let adapted { adapted.index(of: columnName) } else { storage.index(of: columnName) }
    }

    @inlinable var columnCount: Int { adapted?.names.count ?? storage.count }

    /// Where in the storage a column is.
    @inlinable
    func storageColumn(_ index: Int) -> Int {
        adapted?.storageColumn(index) ?? index
    }

    @inlinable
    func checkIndex(_ index: Int) {
        if index < 0 || index >= columnCount { trapIndex() }
    }

    @usableFromInline
    func trapIndex() -> Never {
        fatalError("row index out of range")
    }

    @usableFromInline
    func trap<Value>(_ type: Value.Type, column index: Int) -> Never {
        fatalError(RowDecodingError(type, columnIndex: index, row: self).description)
    }

    @usableFromInline
    func trapMissing(_ columnName: String) -> Never {
        fatalError("column not found: \(String(reflecting: columnName))")
    }
}
