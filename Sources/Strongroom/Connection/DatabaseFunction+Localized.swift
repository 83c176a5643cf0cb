internal import Foundation
public import StrongroomCore

// The names may stand in schemas (in the index of an expression, say): they must not change.

extension DatabaseFunction {
    /// Capitalizes words as the current locale does. NULL for what is no text.
    public static let localizedCapitalize =
        unicode("swiftLocalizedCapitalizedString") { $0.localizedCapitalized }

    /// Makes lower case as the current locale does. NULL for what is no text.
    public static let localizedLowercase =
        unicode("swiftLocalizedLowercaseString") { $0.localizedLowercase }

    /// Makes upper case as the current locale does. NULL for what is no text.
    public static let localizedUppercase =
        unicode("swiftLocalizedUppercaseString") { $0.localizedUppercase }

    static let ofFoundation = [localizedCapitalize, localizedLowercase, localizedUppercase]
}

extension SQLSpecificExpressible {
    /// The text with its words capitalized, as the current locale does.
    public var localizedCapitalized: SQLExpression {
        DatabaseFunction.localizedCapitalize(sqlExpression)
    }

    /// The text in lower case, as the current locale makes it.
    public var localizedLowercased: SQLExpression {
        DatabaseFunction.localizedLowercase(sqlExpression)
    }

    /// The text in upper case, as the current locale makes it.
    public var localizedUppercased: SQLExpression {
        DatabaseFunction.localizedUppercase(sqlExpression)
    }
}
