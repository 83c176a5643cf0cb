public import StrongroomEssentials

extension URL: DatabaseValueConvertible {
    /// The absolute form, as text.
    public var databaseValue: DatabaseValue { absoluteString.databaseValue }

    /// Texts that Foundation takes for a URL; the empty one is none.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> URL? {
        String.fromDatabaseValue(dbValue).flatMap { URL(string: $0) }
    }
}
