// Comparisons, for which a type that exists for SQL stands on one side at least.
//
// The second of each pair is for values on the left; where it would do as well, the first is taken.

extension SQLSpecificExpressible {
    /// Whether two expressions are equal; `IS NULL` when one is nil.
    public static func == (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        BinaryOperation.equal(lhs, rhs)
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func == (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        BinaryOperation.equal(lhs, rhs)
    }

    /// Whether two expressions are equal; `IS NULL` when one is nil.
    public static func == (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
        BinaryOperation.equal(lhs, rhs.orNull)
    }

    /// The same, with a value on the left.
    public static func == (lhs: (any SQLExpressible)?, rhs: Self) -> SQLExpression {
        BinaryOperation.equal(lhs.orNull, rhs)
    }

    /// Whether an expression is 1, for true, or 0.
    public static func == (lhs: Self, rhs: Bool) -> SQLExpression {
        BinaryOperation.equal(lhs, Constant.comparedBool(rhs))
    }

    /// Whether an expression is 1, for true, or 0.
    public static func == (lhs: Bool, rhs: Self) -> SQLExpression {
        BinaryOperation.equal(Constant.comparedBool(lhs), rhs)
    }

    /// Whether two expressions differ; `IS NOT NULL` when one is nil.
    public static func != (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        BinaryOperation.notEqual(lhs, rhs)
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func != (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        BinaryOperation.notEqual(lhs, rhs)
    }

    /// Whether two expressions differ; `IS NOT NULL` when one is nil.
    public static func != (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
        BinaryOperation.notEqual(lhs, rhs.orNull)
    }

    /// The same, with a value on the left.
    public static func != (lhs: (any SQLExpressible)?, rhs: Self) -> SQLExpression {
        BinaryOperation.notEqual(lhs.orNull, rhs)
    }

    /// Whether an expression is not 1, for true, or 0.
    public static func != (lhs: Self, rhs: Bool) -> SQLExpression {
        BinaryOperation.notEqual(lhs, Constant.comparedBool(rhs))
    }

    /// Whether an expression is not 1, for true, or 0.
    public static func != (lhs: Bool, rhs: Self) -> SQLExpression {
        BinaryOperation.notEqual(Constant.comparedBool(lhs), rhs)
    }

    /// Whether two expressions are equal, or both NULL: `IS`.
    public static func === (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "IS", rhs))
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func === (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "IS", rhs))
    }

    /// Whether two expressions are equal, or both NULL: `IS`.
    public static func === (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "IS", rhs.orNull))
    }

    /// The same, with a value on the left.
    public static func === (lhs: (any SQLExpressible)?, rhs: Self) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs.orNull, "IS", rhs))
    }

    /// Whether two expressions differ, NULL being a value like others: `IS NOT`.
    public static func !== (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "IS NOT", rhs))
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func !== (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "IS NOT", rhs))
    }

    /// Whether two expressions differ, NULL being a value like others: `IS NOT`.
    public static func !== (lhs: Self, rhs: (any SQLExpressible)?) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "IS NOT", rhs.orNull))
    }

    /// The same, with a value on the left.
    public static func !== (lhs: (any SQLExpressible)?, rhs: Self) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs.orNull, "IS NOT", rhs))
    }

    /// Whether an expression is less than another.
    public static func < (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "<", rhs))
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func < (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "<", rhs))
    }

    /// Whether an expression is less than another, or equal.
    public static func <= (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "<=", rhs))
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func <= (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "<=", rhs))
    }

    /// Whether an expression is greater than another.
    public static func > (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, ">", rhs))
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func > (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, ">", rhs))
    }

    /// Whether an expression is greater than another, or equal.
    public static func >= (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, ">=", rhs))
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func >= (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, ">=", rhs))
    }
}

extension (any SQLExpressible)? {
    fileprivate var orNull: SQLExpression { self?.sqlExpression ?? SQLExpression(value: .null) }
}
