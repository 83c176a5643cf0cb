import Strongroom

/// A package that another one names: `libc6:any (>= 2.36)`.
struct PackageRelation: Equatable {
    /// How dpkg writes that a version is earlier, not later, equal, not earlier, or later.
    enum Comparison: String, CaseIterable, Codable, DatabaseValueConvertible {
        case earlier = "<<"
        case notLater = "<="
        case equal = "="
        case notEarlier = ">="
        case later = ">>"
    }

    /// What the version must be.
    struct VersionBound: Equatable {
        var comparison: Comparison
        var version: String
    }

    /// Why a text is no relation.
    struct SyntaxError: Error {
        var message: String
    }

    var name: String
    var architecture: String?
    var bound: VersionBound?

    init(name: String, architecture: String? = nil, bound: VersionBound? = nil) {
        self.name = name
        self.architecture = architecture
        self.bound = bound
    }

    init(parsing text: some StringProtocol) throws(SyntaxError) {
        let parts = text.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
        let names = parts[0].trimmed.split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = names.first, Package.isName(name) else {
            throw SyntaxError(message: "'\(text.trimmed)' does not begin with a package name")
        }
        self.name = String(name)
        if names.count == 2 {
            architecture = String(names[1])
        }
        if parts.count == 2 {
            bound = try Self.parseBound(parts[1].trimmed, in: text.trimmed)
        }
    }

    /// Parses `>= 2.36)`: the opening parenthesis is gone already.
    private static func parseBound(
        _ text: String, in whole: String
    ) throws(SyntaxError) -> VersionBound {
        guard text.hasSuffix(")") else {
            throw SyntaxError(message: "'\(whole)' does not end with ')'")
        }
        let symbol = text.prefix { "<=>".contains($0) }
        guard let comparison = Comparison(rawValue: String(symbol)) else {
            throw SyntaxError(message: "'\(whole)' has no comparison that dpkg knows")
        }
        let version = text[symbol.endIndex...].dropLast().trimmed
        guard Package.isVersion(version) else {
            throw SyntaxError(message: "'\(whole)' has no valid version")
        }
        return VersionBound(comparison: comparison, version: version)
    }
}

extension PackageRelation: CustomStringConvertible {
    /// As dpkg writes it.
    var description: String {
        var text = name
        if let architecture { text += ":\(architecture)" }
        if let bound { text += " (\(bound.comparison.rawValue) \(bound.version))" }
        return text
    }
}
