// Operators of computed values that are never NULL. See `ColumnArithmetic.swift`.

extension SQLQueryExpression where QueryValue: _BindableNumber {
    /// The sum.
    public static func + (
        lhs: Self, rhs: TableColumn<QueryValue>
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.chain(lhs.queryFragment, .plus, rhs.queryFragment))
    }

    /// The sum.
    public static func + (
        lhs: Self, rhs: SQLQueryExpression<QueryValue>
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.chain(lhs.queryFragment, .plus, rhs.queryFragment))
    }

    /// The difference.
    public static func - (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.binary(lhs.queryFragment, "-", QueryValue.fragment(rhs), shape: .other))
    }

    /// The difference.
    public static func - (
        lhs: QueryValue.Unwrapped.QueryOutput, rhs: Self
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.binary(QueryValue.fragment(lhs), "-", rhs.queryFragment, shape: .other))
    }

    /// The difference.
    public static func - (
        lhs: Self, rhs: TableColumn<QueryValue>
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.binary(lhs.queryFragment, "-", rhs.queryFragment, shape: .other))
    }

    /// The difference.
    public static func - (
        lhs: Self, rhs: SQLQueryExpression<QueryValue>
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.binary(lhs.queryFragment, "-", rhs.queryFragment, shape: .other))
    }

    /// The product.
    public static func * (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.chain(lhs.queryFragment, .times, QueryValue.fragment(rhs)))
    }

    /// The product.
    public static func * (
        lhs: QueryValue.Unwrapped.QueryOutput, rhs: Self
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.chain(QueryValue.fragment(lhs), .times, rhs.queryFragment))
    }

    /// The product.
    public static func * (
        lhs: Self, rhs: TableColumn<QueryValue>
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.chain(lhs.queryFragment, .times, rhs.queryFragment))
    }

    /// The product.
    public static func * (
        lhs: Self, rhs: SQLQueryExpression<QueryValue>
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.chain(lhs.queryFragment, .times, rhs.queryFragment))
    }

    /// The quotient.
    public static func / (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.binary(lhs.queryFragment, "/", QueryValue.fragment(rhs), shape: .other))
    }

    /// The quotient.
    public static func / (
        lhs: QueryValue.Unwrapped.QueryOutput, rhs: Self
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.binary(QueryValue.fragment(lhs), "/", rhs.queryFragment, shape: .other))
    }

    /// The quotient.
    public static func / (
        lhs: Self, rhs: TableColumn<QueryValue>
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.binary(lhs.queryFragment, "/", rhs.queryFragment, shape: .other))
    }

    /// The quotient.
    public static func / (
        lhs: Self, rhs: SQLQueryExpression<QueryValue>
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.binary(lhs.queryFragment, "/", rhs.queryFragment, shape: .other))
    }
}
