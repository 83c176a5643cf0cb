/// Terms of GROUP BY and ORDER BY: one or a tuple on each line.
@resultBuilder
public enum TermBuilder {
    public static func buildBlock(_ parts: [OrderingTerm]...) -> [OrderingTerm] {
        parts.flatMap { $0 }
    }
    public static func buildExpression(_ term: OrderingTerm) -> [OrderingTerm] { [term] }
    public static func buildExpression(_ term: ()?) -> [OrderingTerm] { [] }
    public static func buildExpression<A: OrderingExpression>(_ term: A) -> [OrderingTerm] {
        term._orderingTerms
    }
    public static func buildOptional(_ part: [OrderingTerm]?) -> [OrderingTerm] { part ?? [] }
    public static func buildEither(first part: [OrderingTerm]) -> [OrderingTerm] { part }
    public static func buildEither(second part: [OrderingTerm]) -> [OrderingTerm] { part }
    public static func buildArray(_ parts: [[OrderingTerm]]) -> [OrderingTerm] {
        parts.flatMap { $0 }
    }
}
