/// An expression whose description is easily taken for SQL.
public protocol _DescribedExpression: QueryExpression, CustomStringConvertible {}

extension _DescribedExpression {
    /// The SQL, with values as literals.
    public var description: String { queryFragment.description }
}

extension TableColumn: _DescribedExpression {}
extension GeneratedColumn: _DescribedExpression {}
extension SQLQueryExpression: _DescribedExpression {
    /// The SQL, with values as literals.
    public var description: String { queryFragment.description }
}
extension AggregateExpression: _DescribedExpression {}
extension DateExpression: _DescribedExpression {}

extension DefaultStringInterpolation {
    /// Appends the description of an expression, which is no SQL that a query runs.
    @available(
        *, deprecated,
        message: "this makes a description, no SQL: use '+' for text in SQL, '#sql' for SQL"
    )
    public mutating func appendInterpolation(_ expression: some _DescribedExpression) {
        appendLiteral(expression.description)
    }
}
