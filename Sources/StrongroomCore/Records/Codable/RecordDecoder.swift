/// Decodes a type from a row: keys are columns, scopes, or keys of prefetched rows.
final class RecordDecoder: Decoder {
    let row: Row
    /// The record type that says how columns are read.
    let record: any FetchableRecord.Type
    let codingPath: [any CodingKey]
    /// The key whose value stands for the columns that belong to no scope.
    private var rootKey: (any CodingKey)?
    /// The columns by their keys; nil when these are their names.
    private let columnsByKey: [String: Int]?

    init(row: Row, record: any FetchableRecord.Type, codingPath: [any CodingKey] = []) {
        self.row = row
        self.record = record
        self.codingPath = codingPath
        columnsByKey = record.databaseColumnDecodingStrategy.key.map { key in
            row.layout.keyColumns(of: ObjectIdentifier(record), by: key)
        }
    }

    var userInfo: [CodingUserInfoKey: Any] { record.databaseDecodingUserInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowKeyedDecodingContainer<Key>(decoder: self))
    }

    /// The column of a key.
    @inline(__always)
    func index(of key: some CodingKey) -> Int? {
        if let columnsByKey { return columnsByKey[key.stringValue] }
        return row.index(of: key.stringValue)
    }

    var keyNames: [String] {
        let columns = columnsByKey.map { Array($0.keys) } ?? row.layout.names
        return columns + row.scopesTree.names + row.prefetchedRows.keys
    }

    /// The row of a scope, or the row itself for a key that the row does not know: a record that
    /// stands for the columns which belong to no scope.
    func rowDecoder<T>(for type: T.Type, key: any CodingKey) throws -> RecordDecoder? {
        let record = type as? any FetchableRecord.Type
        if let scope = row.scopesTree[key.stringValue] {
            return RecordDecoder(
                row: scope, record: record ?? self.record, codingPath: codingPath + [key])
        }
        guard record != nil || !row.scopes.isEmpty || !row.prefetchedRows.isEmpty else {
            return nil
        }
        return try rootDecoder(for: key, record: record)
    }

    /// The row itself, for one key that the row does not know; a type inside of itself would have no end.
    ///
    /// - Throws: `DecodingError.keyNotFound` if it stands for another key already.
    func rootDecoder(
        for key: some CodingKey, record: (any FetchableRecord.Type)? = nil
    ) throws -> RecordDecoder {
        try DatabaseError.requireStackSpace()
        guard rootKey == nil || rootKey?.stringValue == key.stringValue else {
            throw keyNotFound(key)
        }
        rootKey = key
        return RecordDecoder(
            row: row, record: record ?? self.record, codingPath: codingPath + [key])
    }

    func keyNotFound(_ key: some CodingKey) -> DecodingError {
        .keyNotFound(
            key,
            DecodingError.Context(
                codingPath: codingPath, debugDescription: missing(key).description))
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if let record = type as? any FetchableRecord.Type {
            return cast(try record.init(row: row))
        }
        // A value would ask for a single value again and again.
        guard let value = type as? any DatabaseValueConvertible.Type else {
            return try T(from: self)
        }
        guard row.columnCount == 1 else {
            throw RowDecodingError(
                "could not decode \(type) from a row of several columns", column: nil,
                columnIndex: nil, row: row)
        }
        return cast(try row.decodeOwn(value, atIndex: 0))
    }

    func missing(_ key: some CodingKey) -> RowDecodingError {
        RowDecodingError(
            "column not found: \(String(reflecting: key.stringValue))", column: key.stringValue,
            columnIndex: nil, row: row)
    }
}

/// The same value under the type that it is known to have.
@inline(__always)
func cast<T, U>(_ value: T) -> U {
    guard let value = value as? U else {
        // The type was found by a cast of the metatype, so that its values are of both types.
        preconditionFailure("\(T.self) is not \(U.self)")
    }
    return value
}

// A record may ask for no keys, be it to hand the decoder on to one that does.

extension RecordDecoder: SingleValueDecodingContainer {
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw DecodingError.typeMismatch(
            [Any].self,
            DecodingError.Context(
                codingPath: codingPath, debugDescription: "A row has columns, and is no list."))
    }

    func decodeNil() -> Bool { !row.containsNonNullValue }
}
