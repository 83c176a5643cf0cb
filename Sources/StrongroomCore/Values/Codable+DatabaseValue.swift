public import StrongroomEssentials

// A Codable type that conforms needs no code: one that encodes itself as a single value is stored as
// that value, any other as JSON text.

extension DatabaseValueConvertible where Self: Encodable {
    /// The value that this one encodes itself as, or else its JSON text.
    ///
    /// - Precondition: The encoding succeeds. JSON has no NaN and no infinity.
    public var databaseValue: DatabaseValue {
        do {
            if let value = try SingleValueEncoder.databaseValue(of: self) { return value }
            let json = try Self.databaseJSONEncoder().encode(self)
            return String(decoding: json, as: UTF8.self).databaseValue
        } catch {
            // The error's own text may hold the value.
            fatalError("could not encode \(Self.self): \(type(of: error))")
        }
    }
}

extension DatabaseValueConvertible where Self: Decodable {
    /// Decodes a single value, or else JSON from a text or a blob.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
        SingleValueDecoder.decode(Self.self, from: dbValue) {
            guard let json = Data.fromDatabaseValue(dbValue) else { return nil }
            return try? databaseJSONDecoder().decode(Self.self, from: json)
        }
    }
}

extension DatabaseValueConvertible {
    public static func databaseJSONEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dataEncodingStrategy = .base64
        encoder.dateEncodingStrategy = .millisecondsSince1970
        encoder.nonConformingFloatEncodingStrategy = .throw
        // The same value must give the same text, or observation and comparison see a change.
        encoder.outputFormatting = .sortedKeys
        return encoder
    }

    public static func databaseJSONDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dataDecodingStrategy = .base64
        decoder.dateDecodingStrategy = .millisecondsSince1970
        decoder.nonConformingFloatDecodingStrategy = .throw
        return decoder
    }
}
