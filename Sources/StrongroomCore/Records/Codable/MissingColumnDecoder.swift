/// Decodes a type for which there is no column: an optional as nil, and nothing else.
///
/// Asked for a single value it says that a column is missing, and that JSON is when asked for a list;
/// the keys of one type are the columns of the row itself.
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
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder.rootDecoder(for: key).container(keyedBy: type)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw decoder.keyNotFound(key)
    }
}
