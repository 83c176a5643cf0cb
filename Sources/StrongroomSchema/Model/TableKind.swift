/// Whether a table has the column `rowid`.
public enum TableKind: String, Sendable, Hashable, Codable {
    case table, withoutRowID, view
}

/// What SQLite makes of a column's declared type.
public enum SQLiteTypeAffinity: String, Sendable, Hashable, Codable {
    case integer = "INTEGER"
    case real = "REAL"
    case text = "TEXT"
    case blob = "BLOB"
}
