/// A type that can stand as a query inside another: requests.
///
///     let best: SQLRequest<Int> = "SELECT MAX(score) FROM player"
///     let request: SQLRequest<Row> = "SELECT * FROM player WHERE score = (\(best))"
public protocol SQLSubqueryable: SQLSpecificExpressible {
    /// The query.
    var sqlSubquery: SQLSubquery { get }
}

extension SQLSubqueryable {
    /// The query between parentheses: the first column of its first row.
    public var sqlExpression: SQLExpression { SQLExpression(ScalarSubquery(subquery: sqlSubquery)) }
}
