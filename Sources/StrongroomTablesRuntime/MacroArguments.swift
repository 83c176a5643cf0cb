/// How `@Table` makes the name of a table from the name of its type.
public enum TableNaming: Sendable {
    /// `Item` is stored in `items`.
    case plural
    /// `Item` is stored in `item`, as records of Strongroom have it.
    case singular
}

/// Which properties a draft may leave to the database.
public enum LazyColumns: Sendable {
    /// Those that say so.
    case none
    /// Those that are not optional and have no default.
    case withoutDefault
}

/// Which names a table has in JSON.
public enum TableCoding: Sendable {
    /// The names of the properties, as the compiler has them.
    case byCompiler
    /// The names of the columns.
    case columns
}

/// How a table that is a record is written as one.
public enum TableRecords: Sendable {
    /// By its columns and their representations.
    case columns
    /// By its own Codable conformance.
    case codable
}

/// How the database keeps a column that it computes.
public enum GeneratedStorage: Sendable {
    /// In the file, computed when the row is written.
    case stored
    /// Not at all: it is computed when it is read.
    case virtual
}
