/// Gives the columns of a record the values of its properties, by the rules of `Codable` records.
///
/// The expansion of `@Record` makes one for each record that it writes.
public struct _PropertyWriter<Record: EncodableRecord> {
    private let strategy: DatabaseColumnEncodingStrategy
    @usableFromInline let hasDefaultKeys: Bool

    /// Asks the record type how its columns are named.
    public init(of record: Record.Type) {
        strategy = record.databaseColumnEncodingStrategy
        hasDefaultKeys = if case .useDefaultKeys = strategy { true } else { false }
    }

    /// The column of a key.
    public func column(_ key: String) -> Column { Column(columnName(key)) }

    @usableFromInline
    func columnName(_ key: String) -> String {
        strategy.column(of: JSONKey(stringValue: key))
    }

    /// Sets a value.
    ///
    /// - Throws: `EncodingError` for data that is no text, where the record stores text.
    @inlinable @inline(__always)
    public func write<Value: DatabaseValueConvertible>(
        _ value: Value, _ key: String, to container: inout PersistenceContainer
    ) throws {
        let column = hasDefaultKeys ? key : columnName(key)
        let stored =
            Value._isStoredByStrategy
            ? try storedByStrategy(value, in: column, key: key) : value.databaseValue
        container.set(stored, for: column)
    }

    @usableFromInline
    func storedByStrategy(
        _ value: some DatabaseValueConvertible, in column: String, key: String
    ) throws -> DatabaseValue {
        try Record.stored(value, in: column, key: JSONKey(stringValue: key)) ?? value.databaseValue
    }

    /// Sets what is stored as a single value of another type, or as JSON.
    ///
    /// - Throws: `EncodingError`; what the type throws.
    @_disfavoredOverload
    public func write<Value: Encodable>(
        _ value: Value, _ key: String, to container: inout PersistenceContainer
    ) throws {
        let column = columnName(key)
        container.set(
            try RecordEncoder(record: Record.self)
                .databaseValue(of: value, in: column, key: JSONKey(stringValue: key)), for: column)
    }

    /// Sets the same, or NULL.
    ///
    /// - Throws: As without the optional.
    @_disfavoredOverload
    public func write<Value: Encodable>(
        _ value: Value?, _ key: String, to container: inout PersistenceContainer
    ) throws {
        guard let value else { return container.set(.null, for: columnName(key)) }
        try write(value, key, to: &container)
    }
}
