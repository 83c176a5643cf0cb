// Operations on the bits of integers.

extension QueryExpression where QueryValue.Unwrapped: _BindableInteger {
    /// The remainder.
    public static func % (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.binary(lhs.queryFragment, "%", QueryValue.fragment(rhs), shape: .other))
    }

    /// The remainder.
    @_disfavoredOverload
    public static func % <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue> where Other.QueryValue == QueryValue {
        SQLQueryExpression(.binary(lhs.queryFragment, "%", rhs.queryFragment, shape: .other))
    }

    /// The remainder.
    @_disfavoredOverload
    public static func % <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue.Unwrapped?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        SQLQueryExpression(.binary(lhs.queryFragment, "%", rhs.queryFragment, shape: .other))
    }

    /// The bits that both have.
    public static func & (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.chain(lhs.queryFragment, .bitAnd, QueryValue.fragment(rhs)))
    }

    /// The bits that both have.
    @_disfavoredOverload
    public static func & <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue> where Other.QueryValue == QueryValue {
        SQLQueryExpression(.chain(lhs.queryFragment, .bitAnd, rhs.queryFragment))
    }

    /// The bits that both have.
    @_disfavoredOverload
    public static func & <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue.Unwrapped?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        SQLQueryExpression(.chain(lhs.queryFragment, .bitAnd, rhs.queryFragment))
    }

    /// The bits that one has.
    public static func | (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.chain(lhs.queryFragment, .bitOr, QueryValue.fragment(rhs)))
    }

    /// The bits that one has.
    @_disfavoredOverload
    public static func | <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue> where Other.QueryValue == QueryValue {
        SQLQueryExpression(.chain(lhs.queryFragment, .bitOr, rhs.queryFragment))
    }

    /// The bits that one has.
    @_disfavoredOverload
    public static func | <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue.Unwrapped?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        SQLQueryExpression(.chain(lhs.queryFragment, .bitOr, rhs.queryFragment))
    }

    /// The bits moved left.
    public static func << (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(
            .binary(lhs.queryFragment, "<<", QueryValue.fragment(rhs), shape: .other))
    }

    /// The bits moved left.
    @_disfavoredOverload
    public static func << <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue> where Other.QueryValue == QueryValue {
        SQLQueryExpression(.binary(lhs.queryFragment, "<<", rhs.queryFragment, shape: .other))
    }

    /// The bits moved left.
    @_disfavoredOverload
    public static func << <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue.Unwrapped?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        SQLQueryExpression(.binary(lhs.queryFragment, "<<", rhs.queryFragment, shape: .other))
    }

    /// The bits moved right.
    public static func >> (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(
            .binary(lhs.queryFragment, ">>", QueryValue.fragment(rhs), shape: .other))
    }

    /// The bits moved right.
    @_disfavoredOverload
    public static func >> <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue> where Other.QueryValue == QueryValue {
        SQLQueryExpression(.binary(lhs.queryFragment, ">>", rhs.queryFragment, shape: .other))
    }

    /// The bits moved right.
    @_disfavoredOverload
    public static func >> <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue.Unwrapped?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        SQLQueryExpression(.binary(lhs.queryFragment, ">>", rhs.queryFragment, shape: .other))
    }

}
