/// Conditions on lines, joined by AND.
@resultBuilder
public enum ConditionBuilder {
    /// A condition; NULL counts as false.
    public static func buildExpression<Condition: QueryExpression>(
        _ condition: Condition
    ) -> [QueryFragment] where Condition.QueryValue.Unwrapped == Bool {
        [condition.queryFragment]
    }
    /// The literals `true` and `false` alone are conditions of Swift's own.
    @available(*, unavailable, message: "use 'eq', 'is' or 'isNot'")
    public static func buildExpression(_ condition: Bool) -> [QueryFragment] { [] }
    /// No condition.
    public static func buildExpression(_ condition: ()?) -> [QueryFragment] { [] }
    public static func buildBlock(_ parts: [QueryFragment]...) -> [QueryFragment] {
        parts.flatMap { $0 }
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
