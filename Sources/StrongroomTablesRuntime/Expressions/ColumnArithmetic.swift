// Operators of columns that are never NULL.
//
// The overloads for all expressions suffice. But the compiler prefers overloads whose types it knows:
// with these, several operators in one expression take it milliseconds instead of seconds.

extension TableColumn where QueryValue: _BindableNumber {
    /// The sum.
    public static func + (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.chain(lhs.queryFragment, .plus, QueryValue.fragment(rhs)))
    }

    /// The sum.
    public static func + (
        lhs: Self, rhs: TableColumn<QueryValue>
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
