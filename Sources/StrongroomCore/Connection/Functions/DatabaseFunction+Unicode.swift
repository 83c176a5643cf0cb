internal import StrongroomEssentials

// SQLite's own UPPER and LOWER know the letters of ASCII only. The names may stand in schemas (in the
// index of an expression, say), so they must not change.

extension DatabaseFunction {
    /// Capitalizes words like Swift's `capitalized`. NULL if the argument is not text.
    public static let capitalize = unicode("swiftCapitalizedString") { $0.capitalized }

    /// Converts to lower case like Swift's `lowercased()`. NULL if the argument is not text.
    public static let lowercase = unicode("swiftLowercaseString") { $0.lowercased() }

    /// Converts to upper case like Swift's `uppercased()`. NULL if the argument is not text.
    public static let uppercase = unicode("swiftUppercaseString") { $0.uppercased() }

    /// The functions that every connection has.
    static let builtIn =
        [capitalize, lowercase, uppercase] + (LinkedFoundation.support?.functions ?? [])

    package static func unicode(
        _ name: String, _ transform: @escaping @Sendable (String) -> String
    ) -> DatabaseFunction {
        reading(name, argumentCount: 1, pure: true) { arguments in
            arguments.withUTF8(at: 0) { transform(String(decoding: $0, as: UTF8.self)) }
        }
    }
}
