/// A request that is ready to run: the way to see its SQL.
///
///     let statement = try request.makePreparedRequest(db).statement
///     print(statement.sql, statement.arguments)
///
/// The SQL that is generated for a request may change from release to release: look at it, but let
/// nothing depend on its text.
public struct PreparedRequest {
    /// The statement, with its arguments.
    public var statement: Statement

    /// What presents the columns of the statement in another way, if anything.
    public var adapter: (any RowAdapter)?

    /// Makes a request of a statement that has its arguments.
    public init(statement: Statement, adapter: (any RowAdapter)? = nil) {
        self.statement = statement
        self.adapter = adapter
    }
}
