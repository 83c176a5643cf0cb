/// Columns of a table that refer to a row of another.
///
/// <https://www.sqlite.org/pragma.html#pragma_foreign_key_list>
public struct ForeignKeyInfo: Sendable {
    /// The number of the foreign key in its table.
    public var id: Int

    /// The referring columns, in the order of the key.
    public var originColumns: [String] { mapping.map(\.origin) }

    /// The referenced table.
    public let destinationTable: String

    /// The referenced columns, in the order of the key.
    public var destinationColumns: [String] { mapping.map(\.destination) }

    /// Which column refers to which.
    public let mapping: [(origin: String, destination: String)]
}
