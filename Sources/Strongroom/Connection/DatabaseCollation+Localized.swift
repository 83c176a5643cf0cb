internal import Foundation
public import StrongroomCore

// The names stand in schemas: they must not change.

extension DatabaseCollation {
    /// Orders as Foundation's `caseInsensitiveCompare` does.
    public static let caseInsensitiveCompare = DatabaseCollation("swiftCaseInsensitiveCompare") {
        $0.caseInsensitiveCompare($1)
    }

    /// Orders as the current locale does, in any case.
    public static let localizedCaseInsensitiveCompare = DatabaseCollation(
        "swiftLocalizedCaseInsensitiveCompare"
    ) { $0.localizedCaseInsensitiveCompare($1) }

    /// Orders as the current locale does.
    public static let localizedCompare = DatabaseCollation("swiftLocalizedCompare") {
        $0.localizedCompare($1)
    }

    /// Orders as people expect of file names in the current locale: `2` before `10`.
    public static let localizedStandardCompare = DatabaseCollation("swiftLocalizedStandardCompare")
    {
        $0.localizedStandardCompare($1)
    }

    static let ofFoundation = [
        caseInsensitiveCompare, localizedCaseInsensitiveCompare, localizedCompare,
        localizedStandardCompare,
    ]
}
