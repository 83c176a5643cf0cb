// Comparisons with the clock of SQLite: `$0.due < .now(.days(7))`.

extension QueryExpression where QueryValue.Unwrapped: _DateValue {
    /// Whether this is smaller.
    public static func < (
        lhs: Self, rhs: DateExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        lhs.compare("<", rhs.queryFragment)
    }

    /// Whether this is smaller or equal.
    public static func <= (
        lhs: Self, rhs: DateExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        lhs.compare("<=", rhs.queryFragment)
    }

    /// Whether this is larger.
    public static func > (
        lhs: Self, rhs: DateExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        lhs.compare(">", rhs.queryFragment)
    }

    /// Whether this is larger or equal.
    public static func >= (
        lhs: Self, rhs: DateExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        lhs.compare(">=", rhs.queryFragment)
    }

    /// Whether this is smaller.
    public func lt(
        _ other: DateExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare("<", other.queryFragment)
    }

    /// Whether this is smaller or equal.
    public func lte(
        _ other: DateExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare("<=", other.queryFragment)
    }

    /// Whether this is larger.
    public func gt(
        _ other: DateExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare(">", other.queryFragment)
    }

    /// Whether this is larger or equal.
    public func gte(
        _ other: DateExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare(">=", other.queryFragment)
    }

    /// Whether both are equal; NULL when one is NULL.
    public func eq(
        _ other: DateExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare("=", other.queryFragment)
    }

    /// Whether both differ. NULL, which leaves the row out, when one is NULL.
    public func neq(
        _ other: DateExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare("<>", other.queryFragment)
    }

    /// Whether this is between two dates that SQLite computes, or one of them.
    ///
    ///     Item.where { $0.due.between(.now, and: .now(.days(7))) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."due" BETWEEN datetime('now', 'subsec')
    ///     // AND datetime('now', '7 days', 'subsec')
    public func between(
        _ lower: DateExpression<QueryValue.Unwrapped>,
        and upper: DateExpression<QueryValue.Unwrapped>
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        between(lower.queryFragment, upper.queryFragment)
    }
}
