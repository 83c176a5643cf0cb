/// A request that is ready to run: the way to see its SQL.
///
///     let statement = try request.makePreparedRequest(db).statement
///     print(statement.sql, statement.arguments)
public struct PreparedRequest {
    /// The statement, with its arguments.
    public var statement: Statement

    /// Makes a request of a statement that has its arguments.
    public init(statement: Statement) {
        self.statement = statement
    }
}
