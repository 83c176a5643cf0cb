/// Reads the properties of a record from a row, by the rules of `Codable` records.
///
/// The expansion of `@Record` makes one for each row, and gives the row to each call: one that the
/// reader kept would be counted as a reference with each. The column of each property is looked up
/// once for all rows of a result. Key paths tell the compiler the types of properties, and nobody asks
/// for them.
public struct _PropertyReader<Record: FetchableRecord> {
    /// The columns of the properties, in their order; -1 where there is none. The row keeps them.
    @usableFromInline let columns: PropertyColumns.Pointer

    /// Looks up the columns of the properties, in their order.
    ///
    /// - Parameter properties: Their coding keys; asked for with the first row of a result.
    @inlinable @inline(__always)
    public init(_ row: Row, of record: Record.Type, properties: () -> [String]) {
        columns =
            row.propertyColumns(of: ObjectIdentifier(record))
            ?? row.findPropertyColumns(of: record, properties: properties())
    }

    /// Reads a value.
    ///
    /// - Throws: `RowDecodingError` for a column that is missing, NULL or unsuitable.
    @inlinable @inline(__always)
    public func read<Value: DatabaseValueConvertible>(
        _ row: Row, _ position: Int, _ key: String,
        _ property: @autoclosure () -> KeyPath<Record, Value>
    ) throws -> Value {
        let index = columns[position]
        guard index >= 0 else { return try missing(row, key) }
        if Value._isStoredByStrategy, let value: Value = try byStrategy(row, index) {
            return value
        }
        if let value = row.value(Value.self, at: index) { return value }
        throw RowDecodingError(Value.self, columnIndex: index, row: row)
    }

    @usableFromInline
    func byStrategy<Value>(_ row: Row, _ index: Int) throws(RowDecodingError) -> Value? {
        try row.value(Value.self, at: index, byStrategyOf: Record.self)
    }

    @usableFromInline
    func missing<Value: DatabaseValueConvertible>(
        _ row: Row, _ key: String
    ) throws -> Value {
        guard let value = Value.fromMissingColumn() else {
            throw RecordDecoder(row: row, record: Record.self).missing(JSONKey(stringValue: key))
        }
        return value
    }
}

// MARK: - Properties that are no values

extension _PropertyReader {
    private func container(_ row: Row) -> RowKeyedDecodingContainer<JSONKey> {
        RowKeyedDecodingContainer(decoder: RecordDecoder(row: row, record: Record.self))
    }

    /// Reads JSON, a scope, or prefetched rows.
    ///
    /// - Throws: `RowDecodingError`; `DecodingError`; what the type throws.
    @_disfavoredOverload
    public func read<Value: Decodable>(
        _ row: Row, _ position: Int, _ key: String,
        _ property: @autoclosure () -> KeyPath<Record, Value>
    ) throws -> Value {
        try container(row).decode(Value.self, forKey: JSONKey(stringValue: key))
    }

    /// Reads what may be NULL or not be there.
    ///
    /// - Throws: As without the optional.
    @_disfavoredOverload
    public func read<Value: Decodable>(
        _ row: Row, _ position: Int, _ key: String,
        _ property: @autoclosure () -> KeyPath<Record, Value?>
    ) throws -> Value? {
        try container(row).decodeIfPresent(Value.self, forKey: JSONKey(stringValue: key))
    }

    // Records that are not Decodable: a scope, the row itself, or prefetched rows.

    /// Reads an associated record, or one that is made of columns of the same row.
    ///
    /// - Throws: What the record throws.
    @_disfavoredOverload
    public func read<Value: FetchableRecord>(
        _ row: Row, _ position: Int, _ key: String,
        _ property: @autoclosure () -> KeyPath<Record, Value>
    ) throws -> Value {
        try DatabaseError.requireStackSpace()
        return try Value(row: row.scopesTree[key] ?? row)
    }

    /// Reads an associated record that may be missing.
    ///
    /// - Throws: What the record throws.
    @_disfavoredOverload
    public func read<Value: FetchableRecord>(
        _ row: Row, _ position: Int, _ key: String,
        _ property: @autoclosure () -> KeyPath<Record, Value?>
    ) throws -> Value? {
        guard let scope = row.scopesTree[key], scope.containsNonNullValue else { return nil }
        return try Value(row: scope)
    }

    /// Reads associated records.
    ///
    /// - Throws: `RowDecodingError` if the request has not fetched them; what the record throws.
    @_disfavoredOverload
    public func read<Value: FetchableRecord>(
        _ row: Row, _ position: Int, _ key: String,
        _ property: @autoclosure () -> KeyPath<Record, [Value]>
    ) throws -> [Value] {
        guard let rows = row.prefetchedRows[key] else {
            throw RecordDecoder(row: row, record: Record.self).missing(JSONKey(stringValue: key))
        }
        return try rows.map { try Value(row: $0) }
    }

    // What is both is read as a Codable record reads it.

    /// Reads JSON, a scope, or columns of the same row.
    ///
    /// - Throws: As for what is only `Decodable`.
    @_disfavoredOverload
    public func read<Value: FetchableRecord & Decodable>(
        _ row: Row, _ position: Int, _ key: String,
        _ property: @autoclosure () -> KeyPath<Record, Value>
    ) throws -> Value {
        try container(row).decode(Value.self, forKey: JSONKey(stringValue: key))
    }

    /// Reads what may be NULL or not be there.
    ///
    /// - Throws: As for what is only `Decodable`.
    @_disfavoredOverload
    public func read<Value: FetchableRecord & Decodable>(
        _ row: Row, _ position: Int, _ key: String,
        _ property: @autoclosure () -> KeyPath<Record, Value?>
    ) throws -> Value? {
        try container(row).decodeIfPresent(Value.self, forKey: JSONKey(stringValue: key))
    }

    /// Reads JSON or prefetched rows.
    ///
    /// - Throws: As for what is only `Decodable`.
    @_disfavoredOverload
    public func read<Value: FetchableRecord & Decodable>(
        _ row: Row, _ position: Int, _ key: String,
        _ property: @autoclosure () -> KeyPath<Record, [Value]>
    ) throws -> [Value] {
        try container(row).decode([Value].self, forKey: JSONKey(stringValue: key))
    }
}
