import Strongroom

/// What a package asks for: one of several packages will do, as in `Depends: exim4 | postfix`.
struct Requirement: Equatable {
    /// How strongly it asks; the raw values are dpkg's names of the fields, and stored as such.
    enum Kind: String, CaseIterable, Codable, DatabaseValueConvertible {
        case preDepends = "Pre-Depends"
        case depends = "Depends"
        case recommends = "Recommends"
        case suggests = "Suggests"
    }

    var kind: Kind
    var alternatives: [PackageRelation]

    init(kind: Kind, alternatives: [PackageRelation]) {
        self.kind = kind
        self.alternatives = alternatives
    }

    init(kind: Kind, parsing text: some StringProtocol) throws(PackageRelation.SyntaxError) {
        self.kind = kind
        alternatives = []
        for alternative in text.split(separator: "|", omittingEmptySubsequences: false) {
            alternatives.append(try PackageRelation(parsing: alternative))
        }
    }
}
