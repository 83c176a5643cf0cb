// Texts put together.

extension QueryExpression where QueryValue.Unwrapped: _BindableText {
    /// One text after the other.
    public static func + (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.chain(lhs.queryFragment, .concatenation, QueryValue.fragment(rhs)))
    }

    /// One text after the other.
    @_disfavoredOverload
    public static func + <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue> where Other.QueryValue == QueryValue {
        SQLQueryExpression(.chain(lhs.queryFragment, .concatenation, rhs.queryFragment))
    }

    /// One text after the other.
    @_disfavoredOverload
    public static func + <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue.Unwrapped?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        SQLQueryExpression(.chain(lhs.queryFragment, .concatenation, rhs.queryFragment))
    }
}

// As in `Variadic/ColumnArithmetic.swift`: the type checker takes this one immediately.
extension SQLQueryExpression where QueryValue: _BindableText {
    /// One text after the other.
    public static func + (
        lhs: QueryValue.Unwrapped.QueryOutput, rhs: Self
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.chain(QueryValue.fragment(lhs), .concatenation, rhs.queryFragment))
    }
}
