internal import StrongroomCore

extension TableSchema.Column {
    /// Whether what the type writes comes back as it was written.
    func isKept(in column: DatabaseColumn, isStrict: Bool) -> Bool {
        let found = ColumnAffinity(declared: column.type, isStrict: isStrict)
        switch (affinity, found) {
        case (_, .none): return true
        case (.integer, .integer), (.integer, .numeric), (.real, .real), (.real, .numeric),
            (.text, .text), (.blob, .blob), (.blob, .numeric):
            return true
        case (.real, .integer): return !isStrict
        // Texts that are no numbers stay texts.
        case (.text, .numeric): return isNeverNumber || column.type.asciiLowercased.contains("json")
        default: return false
        }
    }

    private var baseType: String { type.replacing("?", with: "") }

    /// Whether the stored text is never one that SQLite would take for a number.
    private var isNeverNumber: Bool { ["Date", "UUID", "URL"].contains(baseType) || isJSON }

    var isJSON: Bool { representation?.contains("JSON") == true }

    /// A representation that would be stored as the column stores it.
    func representation(for found: ColumnAffinity) -> String? {
        switch (baseType, found) {
        case ("Date", .integer): "Date.UnixTimeRepresentation"
        case ("Date", .real): "Date.JulianDayRepresentation"
        case ("UUID", .blob): "UUID.BytesRepresentation"
        default: nil
        }
    }

    /// The expression that makes of a value, as the column has it, one that decodes; nil where the
    /// column's new affinity does that.
    func conversion(of name: String, from found: ColumnAffinity) -> String? {
        let column = name.quotedDatabaseIdentifier
        func when(_ classes: String, _ value: String) -> String {
            "CASE WHEN typeof(\(column)) IN (\(classes)) THEN \(value) ELSE \(column) END"
        }
        switch (baseType, affinity, found) {
        case ("Date", .text, .real):
            return when("'integer', 'real'", "strftime('%Y-%m-%d %H:%M:%f', \(column))")
        case ("Date", .text, _):
            let text = "strftime('%Y-%m-%d %H:%M:%f', \(column), 'unixepoch')"
            return when("'integer', 'real'", text)
        case ("Date", .integer, .text):
            return "ifnull(unixepoch(\(column)), \(column))"
        case ("UUID", .text, _):
            let hex = "lower(hex(\(column)))"
            let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)]
            let text = parts.map { "substr(\(hex), \($0.0), \($0.1))" }.joined(
                separator: " || '-' || ")
            return when("'blob'", text)
        case ("UUID", .blob, _):
            return when("'text'", "unhex(\(column), '-')")
        default: return nil
        }
    }

    // MARK: - As a definition

    /// A value that rows get which have none, as SQL. It decodes.
    var placeholder: String {
        switch (affinity, baseType) {
        case (.text, "Date"): "'1970-01-01 00:00:00.000'"
        case (.text, "UUID"): "'00000000-0000-0000-0000-000000000000'"
        case (.text, "URL"): "'about:blank'"
        case (.text, "Decimal"): "'0'"
        case (.text, _) where isJSON: type.hasPrefix("Array") ? "'[]'" : "'{}'"
        case (.blob, "UUID"): "X'00000000000000000000000000000000'"
        case (.integer, _): "0"
        case (.real, _): "0.0"
        case (.text, _): "''"
        case (.blob, _): "X''"
        }
    }

    /// The definition of the column, with a default where NULL is refused.
    func definition(withDefault: Bool) -> String {
        var words = [name.quotedDatabaseIdentifier, affinity.rawValue]
        if !isOptional { words.append("NOT NULL") }
        if !isOptional, withDefault { words.append("DEFAULT \(placeholder)") }
        return words.joined(separator: " ")
    }
}
