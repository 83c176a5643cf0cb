/// One record of a CSV text as of RFC 4180.
///
/// A missing value is an empty field and an empty text is `""`, so that the two can be told apart.
package enum CSVRow {
    package static func text(of fields: [String?]) -> String {
        fields.map { $0.map(field) ?? "" }.joined(separator: ",") + "\r\n"
    }

    /// A text as a field, in quotes where it needs them.
    static func field(_ field: String) -> String {
        let needsQuotes = field.isEmpty || field.utf8.contains(where: isSpecial)
        guard needsQuotes else { return field }
        var quoted = "\""
        for scalar in field.unicodeScalars {
            if scalar == "\"" { quoted += "\"" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
        default: false
        }
    }
}
