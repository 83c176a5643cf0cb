// Conditions joined and negated.

extension SQLSpecificExpressible {
    /// Whether both conditions hold.
    public static func && (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        AssociativeOperation.joining([lhs.sqlExpression, rhs.sqlExpression], by: .and)
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func && (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        AssociativeOperation.joining([lhs.sqlExpression, rhs.sqlExpression], by: .and)
    }

    /// Whether one of the conditions holds, or both.
    public static func || (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        AssociativeOperation.joining([lhs.sqlExpression, rhs.sqlExpression], by: .or)
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func || (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        AssociativeOperation.joining([lhs.sqlExpression, rhs.sqlExpression], by: .or)
    }

    /// Whether a condition does not hold: the opposite operator where SQL has one, else `NOT`.
    public static prefix func ! (condition: Self) -> SQLExpression {
        SQLExpression.not(condition)
    }
}

// What may be NULL in SQL. Not every `SQLSpecificExpressible`: optionals are some, and `??` on them
// is Swift's own.

extension SQLExpression {
    /// The value, or another one where it is NULL: `IFNULL`.
    public static func ?? (value: Self, replacement: some SQLExpressible) -> SQLExpression {
        SQLExpression(FunctionCall("IFNULL", value, replacement))
    }
}

extension ColumnExpression {
    /// The value of the column, or another one where it is NULL: `IFNULL`.
    public static func ?? (value: Self, replacement: some SQLExpressible) -> SQLExpression {
        value.sqlExpression ?? replacement
    }
}

extension SQL {
    /// The value, or another one where it is NULL: `IFNULL`.
    public static func ?? (value: Self, replacement: some SQLExpressible) -> SQLExpression {
        value.sqlExpression ?? replacement
    }
}

extension SQLSubqueryable {
    /// The value that the query gives, or another one where it is NULL: `IFNULL`.
    public static func ?? (value: Self, replacement: some SQLExpressible) -> SQLExpression {
        value.sqlExpression ?? replacement
    }
}
