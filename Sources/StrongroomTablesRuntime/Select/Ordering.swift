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
    /// The number of all rows, which needs no column.
    ///
    ///     Item.group(by: \.year).order { _ in .count() }.select(\.year)
    ///     // SELECT "items"."year" FROM "items" GROUP BY "items"."year" ORDER BY count(*)
    public static func count(filter: (any QueryExpression)? = nil) -> OrderingTerm {
        AggregateExpression.count(filter: filter)._orderingTerms[0]
    }
}

extension QueryExpression {
    public var _orderingTerms: [OrderingTerm] {
        [OrderingTerm(terms: _resultColumns.map { OrderTerm(term: $0.fragment.asTerm) })]
    }

    /// From the smallest to the largest.
    public func asc(nulls: NullOrdering? = nil) -> OrderingTerm {
        OrderingTerm(
            terms: _resultColumns.map {
                OrderTerm(term: $0.fragment.asTerm, direction: .ascending, nulls: nulls)
            })
    }

    /// From the largest to the smallest.
    public func desc(nulls: NullOrdering? = nil) -> OrderingTerm {
        OrderingTerm(
            terms: _resultColumns.map {
                OrderTerm(term: $0.fragment.asTerm, direction: .descending, nulls: nulls)
            })
    }
}

extension QueryFragment {
    /// The fragment as a term of GROUP BY and ORDER BY, where SQLite takes a number for that of a
    /// column of the result.
    var asTerm: QueryFragment {
        guard isConstantInteger else { return self }
        var term = QueryFragment([.text("CAST(")] + segments + [.text(" AS INTEGER)")])
        term.shape = .bare
        return term
    }

    /// Whether this is an integer of the library, maybe with a hint for SQLite's planner around it,
    /// through which SQLite looks. SQL of the user's is left alone: he may mean a column.
    private var isConstantInteger: Bool {
        guard shape == .bare, let first = segments.first else { return false }
        if segments.count == 1 {
            switch first {
            case .binding(.int), .moment(.int): return true
            case .text(let text): return text.allSatisfy(\.isNumber)
            default: return false
            }
        }
        guard case .text(let hint) = first,
            ["likely(", "unlikely(", "likelihood("].contains(hint)
        else { return false }
        return QueryFragment([segments[1]], shape: .bare).isConstantInteger
            && !segments.dropFirst(2).contains { !$0.isText }
    }
}

extension QueryFragment.Segment {
    fileprivate var isText: Bool {
        if case .text = self { true } else { false }
    }
}
