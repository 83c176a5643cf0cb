/// Conditions on lines, joined by AND.
@resultBuilder
public enum ConditionBuilder {
    /// A condition; NULL counts as false.
    @_disfavoredOverload
    public static func buildExpression<Condition: QueryExpression>(
        _ condition: Condition
    ) -> [QueryFragment] where Condition.QueryValue.Unwrapped == Bool {
        [condition.queryFragment]
    }
    /// A condition whose type only the builder tells: `#bind(flag)`.
    @_disfavoredOverload
    public static func buildExpression(
        _ condition: SQLQueryExpression<Bool>
    ) -> [QueryFragment] {
        [condition.queryFragment]
    }
    /// `true` or `false`.
    public static func buildExpression(_ literal: _BoolLiteral) -> [QueryFragment] {
        [QueryFragment(literal.value.queryBinding)]
    }
    /// Swift's own truth values are no conditions: the blocks refuse what this makes of them.
    @_disfavoredOverload
    public static func buildExpression(_ condition: Bool) -> _RefusedCondition {
        _RefusedCondition()
    }
    @available(*, unavailable, message: "use 'eq', 'is' or 'isNot'")
    @_disfavoredOverload
    public static func buildBlock(_ parts: Any...) -> [QueryFragment] { [] }
    /// No condition.
    public static func buildExpression(_ condition: ()?) -> [QueryFragment] { [] }
    public static func buildBlock(_ parts: [QueryFragment]...) -> [QueryFragment] {
        parts.count == 1 ? parts[0] : parts.flatMap { $0 }
    }
    public static func buildOptional(_ part: [QueryFragment]?) -> [QueryFragment] { part ?? [] }
    public static func buildEither(first part: [QueryFragment]) -> [QueryFragment] { part }
    public static func buildEither(second part: [QueryFragment]) -> [QueryFragment] { part }
    public static func buildArray(_ parts: [[QueryFragment]]) -> [QueryFragment] {
        parts.flatMap { $0 }
    }
    public static func buildLimitedAvailability(_ part: [QueryFragment]) -> [QueryFragment] {
        part
    }
}

/// The literals `true` and `false`, which are conditions.
public struct _BoolLiteral: ExpressibleByBooleanLiteral {
    let value: Bool
    public init(booleanLiteral value: Bool) { self.value = value }
}

/// A truth value of Swift where a condition of SQL is wanted.
public struct _RefusedCondition {}

/// A number of rows, or none.
@resultBuilder
public enum LimitBuilder {
    public static func buildExpression(_ count: some QueryExpression<Int>) -> QueryFragment? {
        count.queryFragment
    }
    public static func buildBlock(_ part: QueryFragment?) -> QueryFragment? { part }
    public static func buildOptional(_ part: QueryFragment??) -> QueryFragment? { part ?? nil }
    public static func buildEither(first part: QueryFragment?) -> QueryFragment? { part }
    public static func buildEither(second part: QueryFragment?) -> QueryFragment? { part }
}
