/// Encodes what encodes itself as a single value, and gives up on what needs keys or a list.
final class SingleValueEncoder: Encoder, SingleValueEncodingContainer {
    /// Thrown to leave the encoding of a value that needs JSON.
    private struct NeedsJSON: Error {}

    private var value: DatabaseValue?
    private var needsJSON = false

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// nil when the value needs JSON.
    static func databaseValue(of value: some Encodable) throws -> DatabaseValue? {
        let encoder = SingleValueEncoder()
        do {
            try value.encode(to: encoder)
        } catch {
            guard encoder.needsJSON else { throw error }
        }
        return encoder.needsJSON ? nil : encoder.value
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        needsJSON = true
        return KeyedEncodingContainer(Refusal<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        needsJSON = true
        return Refusal<NoKey>(encoder: self)
    }

    func encodeNil() { value = .null }

    func encode<T: Encodable>(_ value: T) throws {
        if let value = value as? any DatabaseValueConvertible {
            self.value = value.databaseValue
        } else {
            try value.encode(to: self)
        }
    }

    /// A container that a caller gets where it cannot be told at once that there is none.
    private struct Refusal<Key: CodingKey>: KeyedEncodingContainerProtocol,
        UnkeyedEncodingContainer
    {
        let encoder: SingleValueEncoder

        var codingPath: [any CodingKey] { [] }
        var count: Int { 0 }

        func encodeNil(forKey key: Key) throws { throw NeedsJSON() }
        func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw NeedsJSON() }
        func encodeNil() throws { throw NeedsJSON() }
        func encode<T: Encodable>(_ value: T) throws { throw NeedsJSON() }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type
        ) -> KeyedEncodingContainer<NestedKey> { encoder.container(keyedBy: keyType) }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy keyType: NestedKey.Type, forKey key: Key
        ) -> KeyedEncodingContainer<NestedKey> { encoder.container(keyedBy: keyType) }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            encoder.unkeyedContainer()
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            encoder.unkeyedContainer()
        }

        func superEncoder() -> any Encoder { encoder }
        func superEncoder(forKey key: Key) -> any Encoder { encoder }
    }

    private struct NoKey: CodingKey {
        var stringValue: String { "" }
        var intValue: Int? { nil }

        init?(stringValue: String) { nil }
        init?(intValue: Int) { nil }
    }
}
