/// Decodes a list from the rows that were prefetched under a key.
struct PrefetchedRowsDecoder: Decoder, UnkeyedDecodingContainer {
    let rows: [Row]
    let record: any FetchableRecord.Type
    let codingPath: [any CodingKey]
    var currentIndex = 0

    var userInfo: [CodingUserInfoKey: Any] { record.databaseDecodingUserInfo }
    var count: Int? { rows.count }
    var isAtEnd: Bool { currentIndex >= rows.count }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { self }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw mismatch(type)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw mismatch(Any.self)
    }

    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try nextDecoder(for: type).decode(type)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nextDecoder(for: type).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try nextDecoder(for: [Any].self).unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        try nextDecoder(for: Any.self)
    }

    private mutating func nextDecoder<T>(for type: T.Type) throws -> RecordDecoder {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: "There are no more rows."))
        }
        defer { currentIndex += 1 }
        return RecordDecoder(
            row: rows[currentIndex], record: type as? any FetchableRecord.Type ?? record,
            codingPath: codingPath)
    }

    private func mismatch<T>(_ type: T.Type) -> DecodingError {
        DecodingError.typeMismatch(
            type,
            DecodingError.Context(
                codingPath: codingPath, debugDescription: "Prefetched rows are a list."))
    }
}
