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
        if type == Date.self { return cast(try decodeDate()) }
        if type == Data.self { return cast(try decodeData()) }
        // A type that says how it is stored is not asked how it would be encoded.
        if let value = type as? any DatabaseValueConvertible.Type {
            return try decode(value, as: type)
        }
        return try T(from: self)
    }

    private func decode<Value: DatabaseValueConvertible, T>(
        _ value: Value.Type, as type: T.Type
    ) throws -> T {
        if Value.self == Date?.self {
            return cast(row.hasNull(atIndex: index) ? nil : try decodeDate() as Date?)
        }
        if Value.self == Data?.self {
            return cast(row.hasNull(atIndex: index) ? nil : try decodeData() as Data?)
        }
        return cast(try row.decodeOwn(value, atIndex: index))
    }

    private func decodeDate() throws -> Date {
        let strategy = parent.record.databaseDateDecodingStrategy(for: column)
        if case .deferredToDate = strategy { return try row.decode(Date.self, atIndex: index) }
        return try convert(strategy.decode)
    }

    private func decodeData() throws -> Data {
        let strategy = parent.record.databaseDataDecodingStrategy(for: column)
        if case .deferredToData = strategy { return try row.decode(Data.self, atIndex: index) }
        return try convert(strategy.decode)
    }

    private func convert<T>(_ convert: (DatabaseValue) -> T?) throws -> T {
        guard let value = convert(row.databaseValue(at: index)) else {
            throw RowDecodingError(T.self, columnIndex: index, row: row)
        }
        return value
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
