public import StrongroomEssentials

/// Which coding keys the columns of a row are.
public enum DatabaseColumnDecodingStrategy: Sendable {
    /// The key of the same name, in any case.
    case useDefaultKeys
    /// `myUrlProperty` for `my_url_property`.
    case convertFromSnakeCase
    /// The key that a function gives for the name of a column.
    case custom(@Sendable (String) -> any CodingKey)

    /// The key of a column; nil when keys are columns themselves.
    var key: ((String) -> String)? {
        switch self {
        case .useDefaultKeys: nil
        case .convertFromSnakeCase: SnakeCase.camelCase
        case .custom(let key): { key($0).stringValue }
        }
    }
}

/// How the `Data` of a record is read.
public enum DatabaseDataDecodingStrategy: Sendable {
    /// As `Data` reads itself: blobs, and the UTF-8 of texts.
    case deferredToData
    /// By a function; nil is an error.
    case custom(@Sendable (DatabaseValue) -> Data?)

    func decode(_ value: DatabaseValue) -> Data? {
        switch self {
        case .deferredToData: Data.fromDatabaseValue(value)
        case .custom(let decode): decode(value)
        }
    }
}

/// How the `Date`s of a record are read. All but `custom` read NULL as no date.
public enum DatabaseDateDecodingStrategy: Sendable {
    /// As `Date` reads itself: texts in SQLite's formats, and seconds since 1970.
    case deferredToDate
    /// Seconds since 2001.
    case timeIntervalSinceReferenceDate
    /// Seconds since 1970.
    case timeIntervalSince1970
    /// Milliseconds since 1970.
    case millisecondsSince1970
    /// `2001-01-01T00:00:00Z`, without fractions of a second.
    case iso8601
    /// By a function; nil is an error.
    case custom(@Sendable (DatabaseValue) -> Date?)

    func decode(_ value: DatabaseValue) -> Date? {
        switch self {
        case .deferredToDate: Date.fromDatabaseValue(value)
        case .timeIntervalSinceReferenceDate:
            Double.fromDatabaseValue(value).map(Date.init(timeIntervalSinceReferenceDate:))
        case .timeIntervalSince1970:
            Double.fromDatabaseValue(value).map(Date.init(timeIntervalSince1970:))
        case .millisecondsSince1970:
            Double.fromDatabaseValue(value).map { Date(timeIntervalSince1970: $0 / 1000) }
        case .iso8601:
            String.fromDatabaseValue(value).flatMap(Self.date(iso8601:))
        case .custom(let decode): decode(value)
        }
    }

    /// Foundation takes fractions of a second, and drops them.
    private static func date(iso8601 text: String) -> Date? {
        text.contains(".") ? nil : try? Date(text, strategy: .iso8601)
    }
}
