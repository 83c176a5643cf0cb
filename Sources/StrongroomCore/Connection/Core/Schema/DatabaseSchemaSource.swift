/// Tells what the schema of a database can't: the primary keys of views.
///
///     struct MySchemaSource: DatabaseSchemaSource {
///         func columnsForPrimaryKey(
///             _ db: Database, inView view: DatabaseObjectID
///         ) throws -> [String]? {
///             view.name == "playerRanking" ? ["id"] : nil
///         }
///     }
///
/// Give it to `Configuration.schemaSource`.
public protocol DatabaseSchemaSource: Sendable {
    /// The columns by which the rows of a view are told apart; nil when it is not known.
    ///
    /// It is asked once for each view and schema, not for each use.
    ///
    /// - Throws: To make what needs the key of the view fail with that error.
    func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]?
}

extension DatabaseSchemaSource {
    public func columnsForPrimaryKey(
        _ db: Database, inView view: DatabaseObjectID
    ) throws -> [String]? { nil }

    /// A source that asks another one where this one does not know.
    public func then(_ next: some DatabaseSchemaSource) -> some DatabaseSchemaSource {
        ChainedSchemaSource(first: self, second: next)
    }
}

private struct ChainedSchemaSource: DatabaseSchemaSource {
    let first: any DatabaseSchemaSource
    let second: any DatabaseSchemaSource

    func columnsForPrimaryKey(
        _ db: Database, inView view: DatabaseObjectID
    ) throws -> [String]? {
        try first.columnsForPrimaryKey(db, inView: view)
            ?? second.columnsForPrimaryKey(db, inView: view)
    }
}
