internal import StrongroomEssentials

extension EncodableRecord {
    /// Keys are stored in the form that the record type chooses for the column.
    public static func _databaseValue(
        ofKey key: any DatabaseValueConvertible & Sendable, in column: String
    ) throws -> DatabaseValue {
        switch key {
        case let date as Date: databaseDateEncodingStrategy(for: column).encode(date)
        case let uuid as UUID: databaseUUIDEncodingStrategy(for: column).encode(uuid)
        case let data as Data:
            try databaseDataEncodingStrategy(for: column).encode(data, codingPath: [])
        default: key.databaseValue
        }
    }
}
