/// Whether a table has the column `rowid`.
public enum TableKind: String, Sendable, Hashable, Codable {
    /// A table whose rows have numbers.
    case table
    /// A table `WITHOUT ROWID`.
    case withoutRowID
    /// A view, whose rows have no numbers.
    case view
}

/// What SQLite makes of a column's declared type.
public enum SQLiteTypeAffinity: String, Sendable, Hashable, Codable {
    /// Text that is a number becomes one; a real number that is whole becomes an integer.
    case integer = "INTEGER"
    /// As for integers, but every number is stored as a real one.
    case real = "REAL"
    /// Numbers become text.
    case text = "TEXT"
    /// Values stay as they are.
    case blob = "BLOB"
}
