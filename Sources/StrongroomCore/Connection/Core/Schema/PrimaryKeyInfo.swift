/// The columns that identify the rows of a table.
///
/// <https://www.sqlite.org/lang_createtable.html#rowids_and_the_integer_primary_key>
public struct PrimaryKeyInfo: Sendable {
    /// The columns of the key, in order: `["rowid"]` for a table without an explicit key.
    public let columns: [String]

    /// The column that holds the row number, if there is one: an `INTEGER PRIMARY KEY`.
    public let rowIDColumn: String?

    /// Whether the key is the row number, even if a column names it.
    public let isRowID: Bool

    /// Whether the table has row numbers at all: not so `WITHOUT ROWID`, nor views.
    package let tableHasRowID: Bool
}
