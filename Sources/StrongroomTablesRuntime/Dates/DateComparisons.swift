// Comparisons with the clock of SQLite: `$0.due < .now(.days(7))`.

extension QueryExpression where QueryValue.Unwrapped: _DateValue {
    /// Whether this is smaller.
    @_disfavoredOverload
    public static func < (
        lhs: Self, rhs: DateExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        lhs.compare("<", rhs.queryFragment)
    }

    /// Whether this is smaller or equal.
    @_disfavoredOverload
    public static func <= (
        lhs: Self, rhs: DateExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        lhs.compare("<=", rhs.queryFragment)
    }

    /// Whether this is larger.
    @_disfavoredOverload
    public static func > (
        lhs: Self, rhs: DateExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        lhs.compare(">", rhs.queryFragment)
    }

    /// Whether this is larger or equal.
    @_disfavoredOverload
    public static func >= (
        lhs: Self, rhs: DateExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        lhs.compare(">=", rhs.queryFragment)
    }
}
