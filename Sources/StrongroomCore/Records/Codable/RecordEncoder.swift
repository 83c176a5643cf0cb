internal import StrongroomEssentials

/// Encodes a record into columns: keys are columns.
final class RecordEncoder: Encoder {
    /// The record type that says how columns are stored.
    private let record: any EncodableRecord.Type
    private let columnStrategy: DatabaseColumnEncodingStrategy
    // Safety: an encoder is used by one thread, and none of its accesses overlap.
    @exclusivity(unchecked) var container = PersistenceContainer()
    /// The columns that are encoded container by container.
    @exclusivity(unchecked) private var nestedContainers: [(column: String, node: JSONNode)] = []

    init(record: any EncodableRecord.Type) {
        self.record = record
        columnStrategy = record.databaseColumnEncodingStrategy
    }

    var codingPath: [any CodingKey] { [] }

    var userInfo: [CodingUserInfoKey: Any] { record.databaseEncodingUserInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(RecordKeyedEncodingContainer<Key>(encoder: self))
    }

    @inline(__always)
    func column(of key: some CodingKey) -> String {
        if case .useDefaultKeys = columnStrategy { return key.stringValue }
        return columnStrategy.column(of: key)
    }

    func nestedEncoder(for key: some CodingKey) -> JSONNodeEncoder {
        let column = column(of: key)
        let node = JSONNode()
        // The column keeps its place among the others.
        container.set(.null, for: column)
        nestedContainers.append((column, node))
        return JSONNodeEncoder(node: node, codingPath: [key], userInfo: userInfo)
    }

    /// Gives the columns that have nested containers their JSON.
    func encodeNestedContainers() throws {
        for (column, node) in nestedContainers {
            container.set(try json(of: node, in: column), for: column)
        }
    }

    /// What a column stores for a value.
    func databaseValue(
        of value: some Encodable, in column: String, key: some CodingKey
    ) throws -> DatabaseValue {
        if let value = try convert(value, in: column, key: key) { return value }
        let singleValue = try SingleValueEncoder.databaseValue(
            of: value, codingPath: [key], userInfo: userInfo
        ) { try convert($0, in: column, key: key) }
        return try singleValue ?? json(of: value, in: column)
    }

    private func json(of value: some Encodable, in column: String) throws -> DatabaseValue {
        let json = try record.databaseJSONEncoder(for: column).encode(value)
        return String(decoding: json, as: UTF8.self).databaseValue
    }

    /// nil for a value that is asked to encode itself.
    private func convert(
        _ value: any Encodable, in column: String, key: some CodingKey
    ) throws -> DatabaseValue? {
        if let stored = try record.stored(value, in: column, key: key) { return stored }
        return (value as? any DatabaseValueConvertible)?.databaseValue
    }
}

extension EncodableRecord {
    /// What the type says about a date, a UUID or data; nil for any other value.
    static func stored(_ value: Any, in column: String, key: some CodingKey) throws
        -> DatabaseValue?
    {
        switch type(of: value) {
        case is Date.Type, is Date?.Type:
            guard let date = value as? Date else { return .null }
            return databaseDateEncodingStrategy(for: column).encode(date)
        case is UUID.Type, is UUID?.Type:
            guard let uuid = value as? UUID else { return .null }
            return databaseUUIDEncodingStrategy(for: column).encode(uuid)
        case is Data.Type, is Data?.Type:
            guard let data = value as? Data else { return .null }
            return try databaseDataEncodingStrategy(for: column).encode(data, codingPath: [key])
        default: return nil
        }
    }
}

// A record may ask for no keys, be it to hand the encoder on to one that does.

extension RecordEncoder: SingleValueEncodingContainer {
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        // What is written there has no column, and goes nowhere.
        JSONNodeEncoder(node: JSONNode(), codingPath: [], userInfo: userInfo).unkeyedContainer()
    }

    func encodeNil() throws { throw hasNoColumn(Any?.none as Any) }

    func encode<T: Encodable>(_ value: T) throws {
        if value is any DatabaseValueConvertible { throw hasNoColumn(value) }
        // A record says itself which columns it has.
        if let value = value as? any EncodableRecord { return try value.encode(to: &container) }
        try value.encode(to: self)
    }

    private func hasNoColumn(_ value: Any) -> EncodingError {
        EncodingError.invalidValue(
            value,
            EncodingError.Context(
                codingPath: [], debugDescription: "A record has columns, and is no single value."))
    }
}

/// The columns of a record by their keys.
struct RecordKeyedEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: RecordEncoder

    var codingPath: [any CodingKey] { [] }

    @inline(__always)
    private func set(_ value: some DatabaseValueConvertible, _ key: Key) {
        encoder.container.set(value.databaseValue, for: encoder.column(of: key))
    }

    func encodeNil(forKey key: Key) {
        encoder.container.set(.null, for: encoder.column(of: key))
    }

    // What is stored most is written without a look at its type.

    func encode(_ value: Bool, forKey key: Key) { set(value, key) }
    func encode(_ value: String, forKey key: Key) { set(value, key) }
    func encode(_ value: Double, forKey key: Key) { set(value, key) }
    func encode(_ value: Int, forKey key: Key) { set(value, key) }
    func encode(_ value: Int64, forKey key: Key) { set(value, key) }

    // A property that is nil is a column that is NULL. The protocol leaves it out, unless each of its
    // methods is here: none of them stands for another.

    func encodeIfPresent(_ value: Bool?, forKey key: Key) { set(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) { set(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) { set(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) { set(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { set(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) { set(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) { set(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) { set(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { set(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) { set(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) { set(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) { set(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) { set(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) { set(value, key) }

    // No column holds 128 bits: those that are there are refused by the protocol.

    func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
        guard let value else { return encodeNil(forKey: key) }
        try encode(value, forKey: key)
    }

    func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
        guard let value else { return encodeNil(forKey: key) }
        try encode(value, forKey: key)
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        let column = encoder.column(of: key)
        encoder.container.set(
            try encoder.databaseValue(of: value, in: column, key: key), for: column)
    }

    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
        guard let value else { return encodeNil(forKey: key) }
        try encode(value, forKey: key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.nestedEncoder(for: key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.nestedEncoder(for: key).unkeyedContainer()
    }

    /// The record's own encoder: the columns of a superclass are columns of the same row.
    func superEncoder() -> any Encoder { encoder }

    func superEncoder(forKey key: Key) -> any Encoder {
        encoder.nestedEncoder(for: key)
    }
}
