public import Foundation
public import StrongroomCore

extension Inflections {
    /// Adds a rule for plurals.
    ///
    ///     inflections.plural("(ax|test)is$", "$1es")
    ///
    /// - Parameters:
    ///   - pattern: A regular expression; an invalid one stops the program.
    ///   - options: How the pattern matches; in upper and lower case by default.
    ///   - template: What takes the place of the first match; `$1` is its first group.
    public mutating func plural(
        _ pattern: String, options: NSRegularExpression.Options = [.caseInsensitive],
        _ template: String
    ) {
        addPlural(Self.rule(pattern, options, template))
    }

    /// Adds a rule for singulars, as `plural(_:options:_:)` does for plurals.
    ///
    ///     inflections.singular("(cookie)s$", "$1")
    public mutating func singular(
        _ pattern: String, options: NSRegularExpression.Options = [.caseInsensitive],
        _ template: String
    ) {
        addSingular(Self.rule(pattern, options, template))
    }

    /// The rule that replaces the first match of a pattern.
    private static func rule(
        _ pattern: String, _ options: NSRegularExpression.Options, _ template: String
    ) -> Rule {
        guard let expression = try? NSRegularExpression(pattern: pattern, options: options) else {
            fatalError("invalid pattern of an inflection: \(pattern)")
        }
        return { name in
            let all = NSRange(name.startIndex..., in: name)
            guard let match = expression.firstMatch(in: name, range: all),
                let range = Range(match.range, in: name)
            else { return nil }
            let replacement = expression.replacementString(
                for: match, in: name, offset: 0, template: template)
            return name.replacingCharacters(in: range, with: replacement)
        }
    }
}
