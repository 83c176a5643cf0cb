/// Encodes what encodes itself as a single value, and gives up on what needs keys or a list.
final class SingleValueEncoder: Encoder, SingleValueEncodingContainer {
    /// Thrown to leave the encoding of a value that needs JSON.
    private struct NeedsJSON: Error {}

    private var value: DatabaseValue?
    private var needsJSON = false
    private let convert: (any Encodable) throws -> DatabaseValue?

    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]

    private init(
        codingPath: [any CodingKey], userInfo: [CodingUserInfoKey: Any],
        convert: @escaping (any Encodable) throws -> DatabaseValue?
    ) {
        self.codingPath = codingPath
        self.userInfo = userInfo
        self.convert = convert
    }

    /// nil when the value needs JSON.
    ///
    /// - Parameter convert: Gives what is stored for a value; nil for one that is asked to encode
    ///   itself.
    package static func databaseValue(
        of value: some Encodable, codingPath: [any CodingKey] = [],
        userInfo: [CodingUserInfoKey: Any] = [:],
        convert: (any Encodable) throws -> DatabaseValue? = {
            ($0 as? any DatabaseValueConvertible)?.databaseValue
        }
    ) throws -> DatabaseValue? {
        try withoutActuallyEscaping(convert) { convert in
            let encoder = SingleValueEncoder(
                codingPath: codingPath, userInfo: userInfo, convert: convert)
            return try encoder.databaseValue(of: value)
        }
    }

    private func databaseValue(of value: some Encodable) throws -> DatabaseValue? {
        do {
            try value.encode(to: self)
        } catch {
            guard needsJSON else { throw error }
        }
        return needsJSON ? nil : self.value
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
        if let value = try convert(value) {
            self.value = value
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
