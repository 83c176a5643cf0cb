/// An installed package, as dpkg's status file describes it.
struct Package: Equatable {
    var name: String
    var version: String
    var architecture: String
    var section: String?
    var maintainer: Maintainer?
    /// In bytes, although dpkg counts in KiB.
    var installedSize: Int64?
    var summary: String?
    /// What the summary leaves out, in paragraphs.
    var description: String?
    var homepage: String?
    var requirements: [Requirement] = []
    /// The names of the virtual packages that it stands for.
    var provides: [String] = []

    /// Debian's policy: two characters or more of a-z, 0-9, `+`, `-` and `.`.
    static func isName(_ text: some StringProtocol) -> Bool {
        guard let first = text.unicodeScalars.first, text.utf8.count >= 2 else { return false }
        return isLowercaseLetterOrDigit(first)
            && text.unicodeScalars.allSatisfy {
                isLowercaseLetterOrDigit($0) || $0 == "+" || $0 == "-" || $0 == "."
            }
    }

    /// `[epoch:]upstream[-revision]`, which are letters, digits and `. + - ~ :`.
    static func isVersion(_ text: some StringProtocol) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy {
                isLowercaseLetterOrDigit($0) || ("A"..."Z").contains($0)
                    || ".+-~:".unicodeScalars.contains($0)
            }
    }

    private static func isLowercaseLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
    }
}
