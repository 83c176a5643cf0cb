/// A type whose values can stand in SQL as expressions: numbers, texts, dates, columns, requests.
///
/// A type that exists for the database alone adopts `SQLSpecificExpressible` instead.
public protocol SQLExpressible {
    /// The expression; for a database value, the value itself.
    var sqlExpression: SQLExpression { get }
}

extension DatabaseValueConvertible {
    public var sqlExpression: SQLExpression { SQLExpression(value: databaseValue) }
}

extension SQLExpression: SQLExpressible {
    public var sqlExpression: SQLExpression { self }
}

extension Optional: SQLExpressible where Wrapped: SQLExpressible {
    public var sqlExpression: SQLExpression {
        self?.sqlExpression ?? SQLExpression(value: .null)
    }
}
