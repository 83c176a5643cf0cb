public import Foundation
public import StrongroomCore

extension DatabaseDateEncodingStrategy {
    /// As what a formatter gives.
    public static func formatted(_ formatter: DateFormatter) -> DatabaseDateEncodingStrategy {
        .custom { formatter.string(from: $0) }
    }
}

extension DatabaseDateDecodingStrategy {
    /// Texts in the format of a formatter; NULL is no date.
    public static func formatted(_ formatter: DateFormatter) -> DatabaseDateDecodingStrategy {
        .custom { String.fromDatabaseValue($0).flatMap(formatter.date(from:)) }
    }
}
