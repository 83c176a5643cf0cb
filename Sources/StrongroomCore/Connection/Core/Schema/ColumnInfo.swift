/// A column of a table or view.
///
/// <https://www.sqlite.org/pragma.html#pragma_table_xinfo>
public struct ColumnInfo: Sendable {
    /// The name, without quotes.
    public let name: String

    /// The type as it was declared; empty if none was.
    public let type: String

    /// Whether the column is declared `NOT NULL`.
    public let isNotNull: Bool

    /// The SQL of the default value, if the column has one: `'O''Brien'`.
    public let defaultValueSQL: String?

    /// The position in the primary key, from 1; 0 if it is not part of the key.
    public let primaryKeyIndex: Int

    /// Whether the column is computed from others, so that it can't be written.
    package let isGenerated: Bool

    /// Reads a row of `PRAGMA table_xinfo`, or of `table_info`; traps on another.
    public init(row: Row) {
        name = row["name"]
        type = row["type"]
        isNotNull = row["notnull"]
        defaultValueSQL = row["dflt_value"]
        primaryKeyIndex = row["pk"]
        let hidden: Int? = row["hidden"]
        isGenerated = hidden == 2 || hidden == 3
    }
}
