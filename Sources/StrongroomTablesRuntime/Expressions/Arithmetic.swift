// Arithmetic. Operands have one type; the result is optional when an operand is.

extension QueryExpression where QueryValue.Unwrapped: _BindableNumber {
    /// The sum.
    public static func + (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.chain(lhs.queryFragment, .plus, QueryValue.fragment(rhs)))
    }

    /// The sum.
    @_disfavoredOverload
    public static func + <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue> where Other.QueryValue == QueryValue {
        SQLQueryExpression(.chain(lhs.queryFragment, .plus, rhs.queryFragment))
    }

    /// The sum.
    @_disfavoredOverload
    public static func + <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue.Unwrapped?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        SQLQueryExpression(.chain(lhs.queryFragment, .plus, rhs.queryFragment))
    }

    /// The difference.
    public static func - (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.binary(lhs.queryFragment, "-", QueryValue.fragment(rhs), shape: .other))
    }

    /// The difference.
    @_disfavoredOverload
    public static func - <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue> where Other.QueryValue == QueryValue {
        SQLQueryExpression(.binary(lhs.queryFragment, "-", rhs.queryFragment, shape: .other))
    }

    /// The difference.
    @_disfavoredOverload
    public static func - <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue.Unwrapped?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        SQLQueryExpression(.binary(lhs.queryFragment, "-", rhs.queryFragment, shape: .other))
    }

    /// The product.
    public static func * (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.chain(lhs.queryFragment, .times, QueryValue.fragment(rhs)))
    }

    /// The product.
    @_disfavoredOverload
    public static func * <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue> where Other.QueryValue == QueryValue {
        SQLQueryExpression(.chain(lhs.queryFragment, .times, rhs.queryFragment))
    }

    /// The product.
    @_disfavoredOverload
    public static func * <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue.Unwrapped?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        SQLQueryExpression(.chain(lhs.queryFragment, .times, rhs.queryFragment))
    }

    /// The quotient.
    public static func / (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.binary(lhs.queryFragment, "/", QueryValue.fragment(rhs), shape: .other))
    }

    /// The quotient.
    @_disfavoredOverload
    public static func / <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue> where Other.QueryValue == QueryValue {
        SQLQueryExpression(.binary(lhs.queryFragment, "/", rhs.queryFragment, shape: .other))
    }

    /// The quotient.
    @_disfavoredOverload
    public static func / <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue.Unwrapped?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        SQLQueryExpression(.binary(lhs.queryFragment, "/", rhs.queryFragment, shape: .other))
    }

}
