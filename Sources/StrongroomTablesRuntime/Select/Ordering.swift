/// What ORDER BY takes: an expression, or one with a direction.
public protocol OrderingExpression {
    var _orderingTerms: [OrderingTerm] { get }
}

/// An expression with a direction.
public struct OrderingTerm: OrderingExpression, Sendable {
    var terms: [OrderTerm]
    public var _orderingTerms: [OrderingTerm] { [self] }
    /// Another order each time.
    public static var random: OrderingTerm {
        OrderingTerm(terms: [OrderTerm(term: QueryFragment(text: "random()", shape: .bare))])
    }
}

extension QueryExpression {
    public var _orderingTerms: [OrderingTerm] {
        [OrderingTerm(terms: _resultColumns.map { OrderTerm(term: $0.fragment) })]
    }

    /// From the smallest to the largest.
    public func asc(nulls: NullOrdering? = nil) -> OrderingTerm {
        OrderingTerm(
            terms: _resultColumns.map {
                OrderTerm(term: $0.fragment, direction: .ascending, nulls: nulls)
            })
    }

    /// From the largest to the smallest.
    public func desc(nulls: NullOrdering? = nil) -> OrderingTerm {
        OrderingTerm(
            terms: _resultColumns.map {
                OrderTerm(term: $0.fragment, direction: .descending, nulls: nulls)
            })
    }
}
