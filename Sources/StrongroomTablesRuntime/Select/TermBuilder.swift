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
    public static func buildExpression<
        A: OrderingExpression, B: OrderingExpression
    >(
        _ terms: (A, B)
    ) -> [OrderingTerm] {
        [terms.0._orderingTerms, terms.1._orderingTerms]
            .flatMap { $0 }
    }
    public static func buildExpression<
        A: OrderingExpression, B: OrderingExpression, C: OrderingExpression
    >(
        _ terms: (A, B, C)
    ) -> [OrderingTerm] {
        [terms.0._orderingTerms, terms.1._orderingTerms, terms.2._orderingTerms]
            .flatMap { $0 }
    }
    public static func buildExpression<
        A: OrderingExpression, B: OrderingExpression, C: OrderingExpression, D: OrderingExpression
    >(
        _ terms: (A, B, C, D)
    ) -> [OrderingTerm] {
        [
            terms.0._orderingTerms, terms.1._orderingTerms, terms.2._orderingTerms,
            terms.3._orderingTerms,
        ]
        .flatMap { $0 }
    }
    public static func buildExpression<
        A: OrderingExpression, B: OrderingExpression, C: OrderingExpression, D: OrderingExpression,
        E: OrderingExpression
    >(
        _ terms: (A, B, C, D, E)
    ) -> [OrderingTerm] {
        [
            terms.0._orderingTerms, terms.1._orderingTerms, terms.2._orderingTerms,
            terms.3._orderingTerms, terms.4._orderingTerms,
        ]
        .flatMap { $0 }
    }
    public static func buildExpression<
        A: OrderingExpression, B: OrderingExpression, C: OrderingExpression, D: OrderingExpression,
        E: OrderingExpression, F: OrderingExpression
    >(
        _ terms: (A, B, C, D, E, F)
    ) -> [OrderingTerm] {
        [
            terms.0._orderingTerms, terms.1._orderingTerms, terms.2._orderingTerms,
            terms.3._orderingTerms, terms.4._orderingTerms, terms.5._orderingTerms,
        ]
        .flatMap { $0 }
    }
    public static func buildExpression<
        A: OrderingExpression, B: OrderingExpression, C: OrderingExpression, D: OrderingExpression,
        E: OrderingExpression, F: OrderingExpression, G: OrderingExpression
    >(
        _ terms: (A, B, C, D, E, F, G)
    ) -> [OrderingTerm] {
        [
            terms.0._orderingTerms, terms.1._orderingTerms, terms.2._orderingTerms,
            terms.3._orderingTerms, terms.4._orderingTerms, terms.5._orderingTerms,
            terms.6._orderingTerms,
        ]
        .flatMap { $0 }
    }
    public static func buildExpression<
        A: OrderingExpression, B: OrderingExpression, C: OrderingExpression, D: OrderingExpression,
        E: OrderingExpression, F: OrderingExpression, G: OrderingExpression, H: OrderingExpression
    >(
        _ terms: (A, B, C, D, E, F, G, H)
    ) -> [OrderingTerm] {
        [
            terms.0._orderingTerms, terms.1._orderingTerms, terms.2._orderingTerms,
            terms.3._orderingTerms, terms.4._orderingTerms, terms.5._orderingTerms,
            terms.6._orderingTerms, terms.7._orderingTerms,
        ]
        .flatMap { $0 }
    }
    public static func buildOptional(_ part: [OrderingTerm]?) -> [OrderingTerm] { part ?? [] }
    public static func buildEither(first part: [OrderingTerm]) -> [OrderingTerm] { part }
    public static func buildEither(second part: [OrderingTerm]) -> [OrderingTerm] { part }
    public static func buildArray(_ parts: [[OrderingTerm]]) -> [OrderingTerm] {
        parts.flatMap { $0 }
    }
}
