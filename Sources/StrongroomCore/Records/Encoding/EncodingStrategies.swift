public import StrongroomEssentials

/// Which columns the coding keys of a record are.
public enum DatabaseColumnEncodingStrategy: Sendable {
    /// The column of the same name.
    case useDefaultKeys
    /// `my_url_property` for `myURLProperty`.
    case convertToSnakeCase
    /// The column that a function names.
    case custom(@Sendable (any CodingKey) -> String)

    func column(of key: some CodingKey) -> String {
        switch self {
        case .useDefaultKeys: key.stringValue
        case .convertToSnakeCase: SnakeCase.from(key.stringValue)
        case .custom(let name): name(key)
        }
    }
}

/// How the `Data` of a record is stored.
public enum DatabaseDataEncodingStrategy: Sendable {
    /// As a blob.
    case deferredToData
    /// As the text that the bytes are in UTF-8; other bytes are an `EncodingError`.
    case text
    /// As what a function gives; nil is NULL.
    case custom(@Sendable (Data) -> (any DatabaseValueConvertible)?)

    func encode(_ data: Data, codingPath: [any CodingKey]) throws -> DatabaseValue {
        switch self {
        case .deferredToData: return data.databaseValue
        case .text:
            guard let text = String(data: data, encoding: .utf8) else {
                throw EncodingError.invalidValue(
                    data,
                    EncodingError.Context(
                        codingPath: codingPath, debugDescription: "The data is no UTF-8 text."))
            }
            return text.databaseValue
        case .custom(let encode): return encode(data)?.databaseValue ?? .null
        }
    }
}

/// How the `Date`s of a record are stored.
public enum DatabaseDateEncodingStrategy: Sendable {
    /// As the text `YYYY-MM-DD HH:MM:SS.SSS` in UTC.
    case deferredToDate
    /// As the seconds since 2001, a REAL.
    case timeIntervalSinceReferenceDate
    /// As the seconds since 1970, a REAL.
    case timeIntervalSince1970
    /// As the whole seconds since 1970, rounded down, an INTEGER.
    case secondsSince1970
    /// As the whole milliseconds since 1970, rounded down, an INTEGER.
    case millisecondsSince1970
    /// As `2001-01-01T00:00:00Z`.
    case iso8601
    /// As what a function gives; nil is NULL.
    case custom(@Sendable (Date) -> (any DatabaseValueConvertible)?)

    func encode(_ date: Date) -> DatabaseValue {
        switch self {
        case .deferredToDate: date.databaseValue
        case .timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate.databaseValue
        case .timeIntervalSince1970: date.timeIntervalSince1970.databaseValue
        case .secondsSince1970: Self.integer(date.timeIntervalSince1970)
        case .millisecondsSince1970:
            // Counted from 1970, a date of whole milliseconds may be just below them.
            Self.integer(date.timeIntervalSince1970 * 1000 + 0.01)
        case .iso8601: date.formatted(.iso8601).databaseValue
        case .custom(let encode): encode(date)?.databaseValue ?? .null
        }
    }

    /// A date that no calendar has, such as one at infinity, is stored as NULL.
    private static func integer(_ number: Double) -> DatabaseValue {
        Int64(exactly: number.rounded(.down))?.databaseValue ?? .null
    }
}

/// How the `UUID`s of a record are stored. All forms are read back.
public enum DatabaseUUIDEncodingStrategy: Sendable {
    /// As a blob of 16 bytes.
    case deferredToUUID
    /// As `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
    case uppercaseString
    /// As `e621e1f8-c36c-495a-93fc-0c247a3e6e5f`.
    case lowercaseString

    func encode(_ uuid: UUID) -> DatabaseValue {
        switch self {
        case .deferredToUUID: uuid.databaseValue
        case .uppercaseString: uuid.uuidString.databaseValue
        case .lowercaseString: uuid.uuidString.lowercased().databaseValue
        }
    }
}
