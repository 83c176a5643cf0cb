// Truth values. NULL in, NULL out: the result is optional when an operand is.

extension QueryExpression where QueryValue == Bool {
    /// Whether both are true.
    public static func && (
        lhs: Self, rhs: some QueryExpression<Bool>
    ) -> SQLQueryExpression<Bool> {
        SQLQueryExpression(.and(lhs.queryFragment, rhs.queryFragment))
    }

    /// Whether one of both is true.
    public static func || (
        lhs: Self, rhs: some QueryExpression<Bool>
    ) -> SQLQueryExpression<Bool> {
        SQLQueryExpression(.or(lhs.queryFragment, rhs.queryFragment))
    }

    /// Whether both are true.
    ///
    ///     Item.where { $0.isDone.and($0.stars.gt(3)) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."isDone" AND "items"."stars" > 3
    public func and(_ other: some QueryExpression<Bool>) -> SQLQueryExpression<Bool> {
        self && other
    }

    /// Whether one of both is true.
    ///
    ///     Item.where { $0.isDone.or($0.stars.gt(3)) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."isDone" OR "items"."stars" > 3
    public func or(_ other: some QueryExpression<Bool>) -> SQLQueryExpression<Bool> {
        self || other
    }
}

extension QueryExpression where QueryValue.Unwrapped == Bool {
    /// Whether both are true; NULL where that is not known.
    @_disfavoredOverload
    public static func && <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<Bool?> where Other.QueryValue.Unwrapped == Bool {
        SQLQueryExpression(.and(lhs.queryFragment, rhs.queryFragment))
    }

    /// Whether one of both is true; NULL where that is not known.
    @_disfavoredOverload
    public static func || <Other: QueryExpression>(
        lhs: Self, rhs: Other
    ) -> SQLQueryExpression<Bool?> where Other.QueryValue.Unwrapped == Bool {
        SQLQueryExpression(.or(lhs.queryFragment, rhs.queryFragment))
    }

    /// Whether this is false.
    public static prefix func ! (operand: Self) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.prefix("NOT ", operand.queryFragment))
    }

    /// Whether both are true; NULL where that is not known.
    @_disfavoredOverload
    public func and<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<Bool?> where Other.QueryValue.Unwrapped == Bool {
        self && other
    }

    /// Whether one of both is true; NULL where that is not known.
    @_disfavoredOverload
    public func or<Other: QueryExpression>(
        _ other: Other
    ) -> SQLQueryExpression<Bool?> where Other.QueryValue.Unwrapped == Bool {
        self || other
    }

    /// Whether this is false.
    ///
    ///     Item.where { $0.isDone.not() }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE NOT "items"."isDone"
    public func not() -> SQLQueryExpression<QueryValue> { !self }

    private func hint(_ name: String) -> SQLQueryExpression<QueryValue> {
        SQLQueryExpression(.call(name, [queryFragment]))
    }
    /// Tells SQLite that the condition is true for most rows.
    ///
    ///     Item.where { $0.folderID.isNot(nil).likely() }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE likely("items"."folderID" IS NOT NULL)
    public func likely() -> SQLQueryExpression<QueryValue> { hint("likely") }
    /// Tells SQLite that the condition is false for most rows.
    ///
    ///     Item.where { $0.isDone.unlikely() && $0.stars > 1 }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE unlikely("items"."isDone") AND
    ///     // "items"."stars" > 1
    public func unlikely() -> SQLQueryExpression<QueryValue> { hint("unlikely") }
    /// Tells SQLite the share of rows for which the condition is true.
    ///
    ///     // One item in a hundred is done, as SQLite cannot know.
    ///     Item.where { $0.isDone.likelihood(0.01) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE likelihood("items"."isDone", 0.01)
    public func likelihood(_ share: Double) -> SQLQueryExpression<QueryValue> {
        let share = QueryFragment(text: QueryBinding.double(share).literal)
        return SQLQueryExpression(.call("likelihood", [queryFragment, share]))
    }
}

extension SQLQueryExpression: ExpressibleByBooleanLiteral where QueryValue == Bool {
    /// 1 or 0.
    public init(booleanLiteral value: Bool) { self.init(QueryFragment(value.queryBinding)) }
}
