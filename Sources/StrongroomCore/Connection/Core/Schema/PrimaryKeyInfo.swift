/// What tells the rows of a table apart.
///
/// <https://www.sqlite.org/lang_createtable.html#rowids_and_the_integer_primary_key>
public struct PrimaryKeyInfo: Sendable {
    /// The columns of the key, in its order: `["rowid"]` for a table without explicit key.
    public let columns: [String]

    /// The column that holds the number of the row, if one does: an `INTEGER PRIMARY KEY`.
    public let rowIDColumn: String?

    /// Whether the key is the number of the row, be it under the name of a column.
    public let isRowID: Bool

    /// Whether the table has row numbers at all: not so `WITHOUT ROWID`, nor views.
    package let tableHasRowID: Bool
}
