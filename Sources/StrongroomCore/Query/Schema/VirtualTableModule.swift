/// What makes virtual tables, such as those for full-text search.
///
/// A module turns a definition in Swift into the arguments of `CREATE VIRTUAL TABLE`:
///
///     struct Ranges: VirtualTableModule {
///         final class TableDefinition { var columns: [String] = [] }
///
///         let moduleName = "rtree"
///
///         func makeTableDefinition(configuration: VirtualTableConfiguration) -> TableDefinition {
///             TableDefinition()
///         }
///
///         func moduleArguments(for definition: TableDefinition, in db: Database) -> [String] {
///             definition.columns.map(\.quotedDatabaseIdentifier)
///         }
///
///         func database(_ db: Database, didCreate name: String, using _: TableDefinition) {}
///     }
///
/// <https://www.sqlite.org/vtab.html>
public protocol VirtualTableModule {
    /// What describes a table, given to the closure of `create(virtualTable:using:_:)`.
    associatedtype TableDefinition

    /// The name of the module in SQL.
    var moduleName: String { get }

    /// Makes an empty definition.
    func makeTableDefinition(configuration: VirtualTableConfiguration) -> TableDefinition

    /// The arguments that stand for a definition, as SQL: names must be quoted here.
    ///
    /// - Throws: What is wrong with the definition; no table is created then.
    func moduleArguments(for definition: TableDefinition, in db: Database) throws -> [String]

    /// Completes a table that was created: fills it, or adds triggers.
    ///
    /// When it throws, the table is gone.
    ///
    /// - Throws: What keeps the table from being completed; `create(virtualTable:)` throws it on.
    func database(
        _ db: Database, didCreate tableName: String, using definition: TableDefinition) throws
}

/// How the virtual table is created for which a definition is made.
public struct VirtualTableConfiguration: Sendable {
    /// Whether only this connection will see the table.
    public let isTemporary: Bool

    /// Whether nothing happens if there is a table of that name already.
    public let ifNotExists: Bool
}
