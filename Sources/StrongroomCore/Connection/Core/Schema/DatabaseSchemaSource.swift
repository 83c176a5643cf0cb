/// A source of the primary keys of views, which the schema does not contain.
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
    /// The columns that identify the rows of a view; nil if unknown.
    ///
    /// It is called once for each view and schema, not for each use.
    ///
    /// - Throws: An error with which operations that need the view's key then fail.
    func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws -> [String]?
}

extension DatabaseSchemaSource {
    public func columnsForPrimaryKey(
        _ db: Database, inView view: DatabaseObjectID
    ) throws -> [String]? { nil }

    /// A source that asks another one if this one does not know a key.
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
