internal import StrongroomCore

/// What SQLite does with values of a column, by its declared type.
///
/// <https://www.sqlite.org/datatype3.html#determination_of_column_affinity>
package enum ColumnAffinity: String {
    case integer = "INTEGER"
    case real = "REAL"
    case text = "TEXT"
    case blob = "BLOB"
    case numeric = "NUMERIC"
    /// Nothing was declared, or `ANY`: what is written stays as it is.
    case none = ""

    package init(declared: String, isStrict: Bool) {
        let type = declared.asciiLowercased
        func has(_ part: String) -> Bool { type.contains(part) }
        if type.isEmpty || (isStrict && type == "any") {
            self = .none
        } else if has("int") {
            self = .integer
        } else if has("char") || has("clob") || has("text") {
            self = .text
        } else if has("blob") {
            self = .blob
        } else if has("real") || has("floa") || has("doub") {
            self = .real
        } else {
            self = .numeric
        }
    }
}
