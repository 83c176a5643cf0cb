/// Decodes what decodes itself from a single value, and gives up on what needs keys or a list.
final class SingleValueDecoder: Decoder, SingleValueDecodingContainer {
    /// Thrown to leave the decoding of a value that needs JSON.
    private struct NeedsJSON: Error {}

    private let dbValue: DatabaseValue
    private var needsJSON = false

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    private init(_ dbValue: DatabaseValue) {
        self.dbValue = dbValue
    }

    /// nil when the content is unsuitable.
    ///
    /// - Parameter json: Decodes from JSON, for a type that asked for keys or a list.
    static func decode<T: Decodable>(
        _ type: T.Type, from dbValue: DatabaseValue, json: () -> T?
    ) -> T? {
        let decoder = SingleValueDecoder(dbValue)
        let value = try? T(from: decoder)
        // A type may have tried one form and then the other: JSON is what it would have written.
        return decoder.needsJSON ? json() ?? value : value
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        needsJSON = true
        throw NeedsJSON()
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        needsJSON = true
        throw NeedsJSON()
    }

    func decodeNil() -> Bool { dbValue.isNull }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        guard let convertible = type as? any DatabaseValueConvertible.Type else {
            return try T(from: self)
        }
        guard let value = convertible.fromDatabaseValue(dbValue) as? T else {
            throw DecodingError.dataCorruptedError(
                in: self, debugDescription: "could not decode \(type)")
        }
        return value
    }
}
