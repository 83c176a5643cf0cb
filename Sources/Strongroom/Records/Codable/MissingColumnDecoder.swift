/// Decodes a type for which there is no column: an optional as nil, and nothing else.
///
/// Asked for a single value it says that a column is missing; else, that JSON is.
struct MissingColumnDecoder<Key: CodingKey>: Decoder, SingleValueDecodingContainer {
    let decoder: RecordDecoder
    let key: Key

    var codingPath: [any CodingKey] { decoder.codingPath + [key] }
    var userInfo: [CodingUserInfoKey: Any] { decoder.userInfo }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { true }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if type is any DatabaseValueConvertible.Type { throw decoder.missing(key) }
        return try T(from: self)
    }

    func container<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { throw keyNotFound }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw keyNotFound }

    private var keyNotFound: DecodingError {
        .keyNotFound(
            key,
            DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: decoder.missing(key).description))
    }
}
