/// Columns of a table that name a row of another.
///
/// <https://www.sqlite.org/pragma.html#pragma_foreign_key_list>
public struct ForeignKeyInfo: Sendable {
    /// The number of the foreign key in its table.
    public var id: Int

    /// The columns that refer, in the order of the key.
    public var originColumns: [String] { mapping.map(\.origin) }

    /// The table that is referred to.
    public let destinationTable: String

    /// The columns that are referred to, in the order of the key.
    public var destinationColumns: [String] { mapping.map(\.destination) }

    /// Which column refers to which.
    public let mapping: [(origin: String, destination: String)]
}
