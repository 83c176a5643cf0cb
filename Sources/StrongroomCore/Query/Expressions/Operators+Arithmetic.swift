// Numbers and bits.

extension SQLSpecificExpressible {
    /// The sum of two numbers. Of texts too: they are joined by `.concat`.
    public static func + (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        AssociativeOperation.joining([lhs.sqlExpression, rhs.sqlExpression], by: .add)
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func + (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        AssociativeOperation.joining([lhs.sqlExpression, rhs.sqlExpression], by: .add)
    }

    /// The difference of two numbers.
    public static func - (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "-", rhs))
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func - (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "-", rhs))
    }

    /// The product of two numbers.
    public static func * (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        AssociativeOperation.joining([lhs.sqlExpression, rhs.sqlExpression], by: .multiply)
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func * (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        AssociativeOperation.joining([lhs.sqlExpression, rhs.sqlExpression], by: .multiply)
    }

    /// The quotient of two numbers; that of integers is an integer.
    public static func / (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "/", rhs))
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func / (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "/", rhs))
    }

    /// The bits that both integers have.
    public static func & (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        AssociativeOperation.joining([lhs.sqlExpression, rhs.sqlExpression], by: .bitwiseAnd)
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func & (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        AssociativeOperation.joining([lhs.sqlExpression, rhs.sqlExpression], by: .bitwiseAnd)
    }

    /// The bits that one of the integers has.
    public static func | (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        AssociativeOperation.joining([lhs.sqlExpression, rhs.sqlExpression], by: .bitwiseOr)
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func | (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        AssociativeOperation.joining([lhs.sqlExpression, rhs.sqlExpression], by: .bitwiseOr)
    }

    /// An integer with its bits moved to the left.
    public static func << (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "<<", rhs))
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func << (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, "<<", rhs))
    }

    /// An integer with its bits moved to the right.
    public static func >> (lhs: Self, rhs: some SQLExpressible) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, ">>", rhs))
    }

    /// The same, with a value on the left.
    @_disfavoredOverload
    public static func >> (lhs: some SQLExpressible, rhs: Self) -> SQLExpression {
        SQLExpression(BinaryOperation(lhs, ">>", rhs))
    }

    /// The number with the opposite sign.
    public static prefix func - (operand: Self) -> SQLExpression {
        SQLExpression(PrefixOperation(symbol: "-", operand: operand.sqlExpression))
    }

    /// The integer with all its bits changed.
    public static prefix func ~ (operand: Self) -> SQLExpression {
        SQLExpression(PrefixOperation(symbol: "~", operand: operand.sqlExpression))
    }
}
