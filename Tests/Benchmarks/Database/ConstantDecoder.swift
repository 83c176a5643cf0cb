/// Decodes any record from constants: the least that Codable costs.
struct ConstantDecoder: Decoder {
    struct NoValue: Error {}

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Container<Key>())
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoValue() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NoValue() }

    private struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol {
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) -> Bool { false }
        func decode(_ type: Int.Type, forKey key: Key) -> Int { 1 }
        func decode(_ type: Int64.Type, forKey key: Key) -> Int64 { 1 }
        func decode(_ type: Double.Type, forKey key: Key) -> Double { 1 }
        func decode(_ type: String.Type, forKey key: Key) -> String { "text" }
        func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? { 1 }
        func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { "text" }
        func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { throw NoValue() }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw NoValue() }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw NoValue()
        }
        func superDecoder() throws -> any Decoder { throw NoValue() }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw NoValue() }
    }
}
