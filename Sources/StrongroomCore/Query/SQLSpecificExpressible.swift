/// A type that exists to be an SQL expression: columns, `SQL`, requests, `DatabaseValue`.
///
/// Unlike numbers and texts, it can also be selected, and rows can be ordered by it.
public protocol SQLSpecificExpressible: SQLExpressible, SQLSelectable, SQLOrderingTerm {}

extension SQLSpecificExpressible {
    public var sqlSelection: SQLSelection { SQLSelection(sqlExpression) }

    public var sqlOrdering: SQLOrdering { SQLOrdering(sqlExpression) }
}

extension SQLExpression: SQLSpecificExpressible {}

extension DatabaseValue: SQLSpecificExpressible {}

extension Optional: SQLSpecificExpressible where Wrapped: SQLSpecificExpressible {}
