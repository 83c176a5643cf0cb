// Orders of values. Each comparison is a method and an operator.

extension QueryExpression {
    /// Whether this is smaller.
    ///
    ///     Item.where { $0.due.lt(Date(timeIntervalSince1970: 0)) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."due" < '1970-01-01 00:00:00.000'
    public func lt(
        _ other: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare("<", QueryValue.fragment(other))
    }

    /// Whether this is smaller.
    @_disfavoredOverload
    public func lt<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<QueryValue.ConditionValue> where Other.QueryValue == QueryValue {
        compare("<", other.operandFragment)
    }

    /// Whether this is smaller.
    @_disfavoredOverload
    public func lt<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<Bool?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        compare("<", other.operandFragment)
    }

    /// Whether this is smaller.
    public static func < (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        lhs.lt(rhs)
    }

    /// Whether this is smaller.
    @_disfavoredOverload
    public static func < <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue.ConditionValue> where Other.QueryValue == QueryValue {
        lhs.lt(rhs)
    }

    /// Whether this is smaller.
    @_disfavoredOverload
    public static func < <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<Bool?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        lhs.lt(rhs)
    }

    /// Whether this is smaller or equal.
    ///
    ///     Item.where { $0.price.lte(1.5) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."price" <= 1.5
    public func lte(
        _ other: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare("<=", QueryValue.fragment(other))
    }

    /// Whether this is smaller or equal.
    @_disfavoredOverload
    public func lte<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<QueryValue.ConditionValue> where Other.QueryValue == QueryValue {
        compare("<=", other.operandFragment)
    }

    /// Whether this is smaller or equal.
    @_disfavoredOverload
    public func lte<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<Bool?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        compare("<=", other.operandFragment)
    }

    /// Whether this is smaller or equal.
    public static func <= (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        lhs.lte(rhs)
    }

    /// Whether this is smaller or equal.
    @_disfavoredOverload
    public static func <= <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue.ConditionValue> where Other.QueryValue == QueryValue {
        lhs.lte(rhs)
    }

    /// Whether this is smaller or equal.
    @_disfavoredOverload
    public static func <= <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<Bool?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        lhs.lte(rhs)
    }

    /// Whether this is larger.
    ///
    ///     Item.where { $0.stars.gt(3) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."stars" > 3
    public func gt(
        _ other: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare(">", QueryValue.fragment(other))
    }

    /// Whether this is larger.
    @_disfavoredOverload
    public func gt<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<QueryValue.ConditionValue> where Other.QueryValue == QueryValue {
        compare(">", other.operandFragment)
    }

    /// Whether this is larger.
    @_disfavoredOverload
    public func gt<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<Bool?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        compare(">", other.operandFragment)
    }

    /// Whether this is larger.
    public static func > (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        lhs.gt(rhs)
    }

    /// Whether this is larger.
    @_disfavoredOverload
    public static func > <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue.ConditionValue> where Other.QueryValue == QueryValue {
        lhs.gt(rhs)
    }

    /// Whether this is larger.
    @_disfavoredOverload
    public static func > <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<Bool?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        lhs.gt(rhs)
    }

    /// Whether this is larger or equal.
    ///
    ///     Item.where { $0.stars.gte($0.year - 2022) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."stars" >= ("items"."year" - 2022)
    public func gte(
        _ other: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        compare(">=", QueryValue.fragment(other))
    }

    /// Whether this is larger or equal.
    @_disfavoredOverload
    public func gte<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<QueryValue.ConditionValue> where Other.QueryValue == QueryValue {
        compare(">=", other.operandFragment)
    }

    /// Whether this is larger or equal.
    @_disfavoredOverload
    public func gte<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<Bool?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        compare(">=", other.operandFragment)
    }

    /// Whether this is larger or equal.
    public static func >= (
        lhs: Self, rhs: QueryValue.Unwrapped.QueryOutput
    ) -> SQLQueryExpression<QueryValue.ConditionValue> {
        lhs.gte(rhs)
    }

    /// Whether this is larger or equal.
    @_disfavoredOverload
    public static func >= <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<QueryValue.ConditionValue> where Other.QueryValue == QueryValue {
        lhs.gte(rhs)
    }

    /// Whether this is larger or equal.
    @_disfavoredOverload
    public static func >= <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<Bool?>
    where Other.QueryValue.Unwrapped == QueryValue.Unwrapped {
        lhs.gte(rhs)
    }

}
