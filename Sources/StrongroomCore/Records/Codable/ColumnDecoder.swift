internal import StrongroomEssentials

/// Decodes a type from one column: a database value, a single value of other types, or JSON.
final class ColumnDecoder: Decoder, SingleValueDecodingContainer {
    /// Thrown by what asks for keys or a list, to be given those of JSON.
    struct NeedsJSON: Error {}

    private let parent: RecordDecoder
    private let index: Int
    private let key: any CodingKey
    private var needsJSON = false

    init(_ parent: RecordDecoder, index: Int, key: any CodingKey) {
        self.parent = parent
        self.index = index
        self.key = key
    }

    var codingPath: [any CodingKey] { parent.codingPath + [key] }
    var userInfo: [CodingUserInfoKey: Any] { parent.userInfo }
    private var row: Row { parent.row }
    private var column: String { row.layout.names[index] }

    func decodeColumn<T: Decodable>(_ type: T.Type) throws -> T {
        let value: T
        do {
            value = try decode(type)
        } catch {
            guard needsJSON || error is NeedsJSON else { throw error }
            return try decodeJSON(type)
        }
        // A type may have tried one form and then the other: JSON is what it would have written.
        return needsJSON ? (try? decodeJSON(type)) ?? value : value
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if let value = try row.value(type, at: index, byStrategyOf: parent.record) { return value }
        // A type that says how it is stored is not asked how it would be encoded.
        if let value = type as? any DatabaseValueConvertible.Type {
            return cast(try row.decodeOwn(value, atIndex: index))
        }
        return try T(from: self)
    }

    private func decodeJSON<T: Decodable>(_ type: T.Type) throws -> T {
        let value = row.databaseValue(at: index)
        guard let json = Data.fromDatabaseValue(value) else {
            let context = DecodingError.Context(
                codingPath: codingPath,
                debugDescription: RowDecodingError(type, columnIndex: index, row: row).description)
            throw value.isNull
                ? DecodingError.valueNotFound(type, context) : .dataCorrupted(context)
        }
        return try parent.record.databaseJSONDecoder(for: column).decode(type, from: json)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { row.hasNull(atIndex: index) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        needsJSON = true
        throw NeedsJSON()
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        needsJSON = true
        throw NeedsJSON()
    }
}

extension Row {
    /// A date or data, as the record type says that they are stored; nil if it is asked for another type.
    func value<Value>(
        _ type: Value.Type, at index: Int, byStrategyOf record: any FetchableRecord.Type
    ) throws(RowDecodingError) -> Value? {
        let value: Value
        if type == Date.self {
            value = cast(try date(at: index, of: record))
        } else if type == Data.self {
            value = cast(try data(at: index, of: record))
        } else if type == Date?.self {
            value = cast(hasNull(atIndex: index) ? nil : try date(at: index, of: record) as Date?)
        } else if type == Data?.self {
            value = cast(hasNull(atIndex: index) ? nil : try data(at: index, of: record) as Data?)
        } else {
            return nil
        }
        return value
    }

    private func date(
        at index: Int, of record: any FetchableRecord.Type
    ) throws(RowDecodingError) -> Date {
        let strategy = record.databaseDateDecodingStrategy(for: layout.names[index])
        if case .deferredToDate = strategy { return try decode(Date.self, atIndex: index) }
        return try converted(strategy.decode, at: index)
    }

    private func data(
        at index: Int, of record: any FetchableRecord.Type
    ) throws(RowDecodingError) -> Data {
        let strategy = record.databaseDataDecodingStrategy(for: layout.names[index])
        if case .deferredToData = strategy { return try decode(Data.self, atIndex: index) }
        return try converted(strategy.decode, at: index)
    }

    private func converted<T>(
        _ convert: (DatabaseValue) -> T?, at index: Int
    ) throws(RowDecodingError) -> T {
        guard let value = convert(databaseValue(at: index)) else {
            throw RowDecodingError(T.self, columnIndex: index, row: self)
        }
        return value
    }
}
