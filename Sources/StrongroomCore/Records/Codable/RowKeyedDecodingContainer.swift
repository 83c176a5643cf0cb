/// The columns of a row by their keys, with the scopes and prefetched rows beside them.
struct RowKeyedDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RecordDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] { decoder.keyNames.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool {
        decoder.index(of: key) != nil || decoder.row.scopesTree[key.stringValue] != nil
            || decoder.row.prefetchedRows[key.stringValue] != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        if let index = decoder.index(of: key) { return decoder.row.hasNull(atIndex: index) }
        if let scope = decoder.row.scopesTree[key.stringValue] {
            return !scope.containsNonNullValue
        }
        return decoder.row.prefetchedRows[key.stringValue] == nil
    }

    func superDecoder() -> any Decoder { decoder }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        try nestedDecoder(forKey: key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nestedDecoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nestedDecoder(forKey: key).unkeyedContainer()
    }

    /// What decodes the JSON of a column, a scope, or prefetched rows.
    private func nestedDecoder(forKey key: Key) throws -> any Decoder {
        if decoder.index(of: key) == nil {
            if let scope = decoder.row.scopesTree[key.stringValue] {
                return RecordDecoder(
                    row: scope, record: decoder.record, codingPath: codingPath + [key])
            }
            if let rows = prefetchedRows(key) { return rows }
        }
        return try decode(OpenDecoder.self, forKey: key).decoder
    }

    private func prefetchedRows(_ key: Key) -> PrefetchedRowsDecoder? {
        decoder.row.prefetchedRows[key.stringValue].map {
            PrefetchedRowsDecoder(
                rows: $0, record: decoder.record, codingPath: codingPath + [key])
        }
    }
}

// MARK: - Values

extension RowKeyedDecodingContainer {
    @inline(__always)
    private func scalar<T: DatabaseValueConvertible>(_ key: Key) throws -> T {
        guard let index = decoder.index(of: key) else {
            guard let missing = T.fromMissingColumn() else { throw decoder.missing(key) }
            return missing
        }
        if let value = decoder.row.value(T.self, at: index) { return value }
        throw RowDecodingError(T.self, columnIndex: index, row: decoder.row)
    }

    // What is stored most is read without a look at its type.

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(key) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try scalar(key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try scalar(key)
    }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try scalar(key)
    }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try scalar(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try scalar(key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        if let index = decoder.index(of: key) {
            return try ColumnDecoder(decoder, index: index, key: key).decodeColumn(type)
        }
        if let value = type as? any DatabaseValueConvertible.Type {
            return cast(try missing(value, key))
        }
        if decoder.row.scopesTree[key.stringValue] == nil, let rows = prefetchedRows(key) {
            return try T(from: rows)
        }
        if let nested = try decoder.rowDecoder(for: type, key: key) {
            return try nested.decode(type)
        }
        return try T(from: MissingColumnDecoder(decoder: decoder, key: key))
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let index = decoder.index(of: key) else {
            if let scope = decoder.row.scopesTree[key.stringValue] {
                return scope.containsNonNullValue ? try decode(type, forKey: key) : nil
            }
            return try prefetchedRows(key).map { try T(from: $0) }
        }
        // A type may have a use for NULL.
        if decoder.row.hasNull(atIndex: index) {
            let value = (type as? any DatabaseValueConvertible.Type)?.fromDatabaseValue(.null)
            return value.map { cast($0) }
        }
        return try ColumnDecoder(decoder, index: index, key: key).decodeColumn(type)
    }

    private func missing<T: DatabaseValueConvertible>(_ type: T.Type, _ key: Key) throws -> T {
        guard let value = T.fromMissingColumn() else { throw decoder.missing(key) }
        return value
    }
}

/// The decoder that another one gives for a place, kept for the containers inside.
private struct OpenDecoder: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) throws {
        if decoder is ColumnDecoder { throw ColumnDecoder.NeedsJSON() }
        self.decoder = decoder
    }
}
