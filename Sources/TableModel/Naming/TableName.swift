/// The rules that make names of tables from names of types.
package enum TableName {
    /// The name of the table of a type: `Item` → `items`, `HTTPRequest` → `httpRequests`.
    package static func plural(ofType type: String) -> String {
        pluralized(lowerCamel(type))
    }

    /// The name by Strongroom's records: `Item` → `item`.
    package static func singular(ofType type: String) -> String { lowerCamel(type) }

    /// The leading upper-case run in lower case. When it has two or more letters and a lower-case
    /// letter follows, its last letter begins the next word and stays.
    static func lowerCamel(_ name: String) -> String {
        let letters = Array(name)
        let run = letters.prefix { $0.isUppercase }.count
        let keepsLast = run >= 2 && run < letters.count && letters[run].isLowercase
        let count = keepsLast ? run - 1 : run
        return String(letters[..<count]).lowercased() + String(letters[count...])
    }

    static func pluralized(_ name: String) -> String {
        let lower = name.lowercased()
        if ["ch", "sh", "s", "x", "z"].contains(where: lower.hasSuffix) { return name + "es" }
        guard lower.hasSuffix("y"), let before = lower.dropLast().last else { return name + "s" }
        let endsInVowel = !before.isLetter || "aeiou".contains(before)
        return endsInVowel ? name + "s" : String(name.dropLast()) + "ies"
    }
}
