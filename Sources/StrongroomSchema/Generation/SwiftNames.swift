internal import StrongroomCore
internal import TableModel

/// Names of Swift for names of a database, which may be anything.
struct SwiftNames {
    private var taken: Set<String>

    /// - Parameter taken: Names that are not given, in lower case.
    init(taken: Set<String> = []) { self.taken = taken }

    /// A name that nobody has yet.
    mutating func unique(_ name: String, fallback: String) -> String {
        let base = name.isEmpty ? fallback : name
        var result = taken.contains(base.lowercased()) ? base + fallback.capitalizedFirst : base
        var number = 2
        while !taken.insert(result.lowercased()).inserted {
            result = base + String(number)
            number += 1
        }
        return result
    }

    /// `createdAt` for `created_at`, `folderID` as it is.
    static func property(_ name: String) -> String {
        let words = words(name)
        guard let first = words.first else { return "" }
        let head = words.count == 1 ? lowerRun(first) : first.lowercased()
        let text =
            head
            + words.dropFirst().map { word in
                ["id", "url", "uuid"].contains(word.lowercased())
                    ? word.uppercased() : word.capitalizedFirst
            }.joined()
        return text.first?.isNumber == true ? "_" + text : text
    }

    /// `ItemTag` for `item_tags` and `itemsTags`.
    static func type(_ name: String) -> String {
        let words = words(name)
        guard let last = words.last else { return "" }
        let whole =
            words.dropLast().map(\.capitalizedFirst).joined()
            + Inflections.default.singularize(last).capitalizedFirst
        let plain = words.map(\.capitalizedFirst).joined()
        // Where the rule of `@Table` leads back to the name, that is the better one.
        let candidates = [whole] + singulars(plain)
        let best = candidates.first { TableName.plural(ofType: $0) == name } ?? whole
        return best.first?.isNumber == true ? "Table" + best : best
    }

    private static func singulars(_ plural: String) -> [String] {
        var found: [String] = []
        if plural.hasSuffix("ies") { found.append(plural.dropLast(3) + "y") }
        if plural.hasSuffix("es") { found.append(String(plural.dropLast(2))) }
        if plural.hasSuffix("s") { found.append(String(plural.dropLast())) }
        return found
    }

    /// `ID` is `id`, `URLPath` is `urlPath`; others begin small.
    private static func lowerRun(_ word: String) -> String {
        TableName.singular(ofType: word)
    }

    /// The parts that may stand in a name of Swift.
    private static func words(_ name: String) -> [String] {
        name.unicodeScalars.split { !isNamePart($0) }.map { String(String.UnicodeScalarView($0)) }
    }

    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.properties.isAlphabetic || "0"..."9" ~= scalar }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter: return true
        default: return false
        }
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Set<String> {
    /// Types that every file sees: a table of such a name would hide them.
    static let knownTypes: Set = [
        "any", "anyobject", "array", "bool", "character", "codable", "column", "columns", "data",
        "database", "date", "decimal", "dictionary", "double", "draft", "equatable", "error",
        "float", "hashable", "identifiable", "int", "int64", "never", "optional", "protocol",
        "result", "row", "select", "selection", "self", "sendable", "set", "statement", "string",
        "substring", "swift", "table", "tablecolumns", "outercolumns", "type", "update", "url",
        "uuid", "values", "void", "where", "with", "insert", "delete", "strongroom", "foundation",
        "strongroomtables", "strongroomtablesruntime", "fulltexttable", "querybindable", "record",
        "queryfragment", "configuration", "ephemeral", "primarykey", "id",
    ]

    /// Properties that the generated code, or the language, has already.
    static let knownProperties: Set = [
        "self", "type", "init", "protocol", "queryfragment", "primarykey", "columns", "layout",
        "table", "hash", "hashvalue", "description", "querybinding", "queryvalue", "queryoutput",
        "decoder", "encoder", "rowid",
    ]
}
