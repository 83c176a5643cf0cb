/// What a fragment is, as far as it decides about parentheses.
enum OperandShape: Hashable, Sendable {
    /// A column, a value, a call or what is in parentheses already: it stands alone anywhere.
    case bare
    /// A comparison, LIKE, IN, IS or NOT: it stands alone beside AND and OR.
    case comparison
    case and, or
    /// A chain of one associative operator.
    case chain(Infix)
    /// Anything else.
    case other
}

/// An associative operator other than AND and OR.
enum Infix: String, Hashable, Sendable {
    case plus = "+"
    case times = "*"
    case concatenation = "||"
    case bitAnd = "&"
    case bitOr = "|"
}

extension QueryFragment {
    /// The fragment as an operand, in parentheses unless it stands alone.
    var operand: QueryFragment { shape == .bare ? self : parenthesized }

    var parenthesized: QueryFragment {
        QueryFragment([.text("(")] + segments + [.text(")")], shape: .bare)
    }

    /// A call of a function.
    static func call(_ name: String, _ arguments: [QueryFragment]) -> QueryFragment {
        let list = arguments.commaSeparated
        return QueryFragment([.text(name + "(")] + list.segments + [.text(")")], shape: .bare)
    }

    private static func joined(_ lhs: [Segment], _ text: String, _ rhs: [Segment]) -> [Segment] {
        var result: [Segment] = []
        result.reserveCapacity(lhs.count + 1 + rhs.count)
        result += lhs
        result.append(.text(text))
        result += rhs
        return result
    }

    /// Two operands and an operator between them.
    static func binary(
        _ lhs: QueryFragment, _ infix: String, _ rhs: QueryFragment, shape: OperandShape
    ) -> QueryFragment {
        let segments = joined(lhs.operand.segments, spaced(infix), rhs.operand.segments)
        return QueryFragment(segments, shape: shape)
    }

    /// An operator with a space on each side; those of most queries are texts of the program.
    private static func spaced(_ infix: String) -> String {
        switch infix {
        case "=": " = "
        case "<": " < "
        case ">": " > "
        case "<=": " <= "
        case ">=": " >= "
        default: " " + infix + " "
        }
    }

    static func comparison(
        _ lhs: QueryFragment, _ infix: String, _ rhs: QueryFragment
    ) -> QueryFragment {
        binary(lhs, infix, rhs, shape: .comparison)
    }

    /// A chain that stays flat on its left side.
    static func chain(
        _ lhs: QueryFragment, _ infix: Infix, _ rhs: QueryFragment
    ) -> QueryFragment {
        let left = lhs.shape == .chain(infix) ? lhs.segments : lhs.operand.segments
        let segments = joined(left, " " + infix.rawValue + " ", rhs.operand.segments)
        return QueryFragment(segments, shape: .chain(infix))
    }

    /// An operator before its operand.
    static func prefix(_ sign: String, _ operand: QueryFragment) -> QueryFragment {
        let shape: OperandShape = sign == "NOT " ? .comparison : .other
        return QueryFragment([.text(sign)] + operand.operand.segments, shape: shape)
    }

    private func term(of shape: OperandShape) -> [Segment] {
        switch self.shape {
        case .bare, .comparison, shape: segments
        default: parenthesized.segments
        }
    }

    static func and(_ lhs: QueryFragment, _ rhs: QueryFragment) -> QueryFragment {
        let segments = joined(lhs.term(of: .and), " AND ", rhs.term(of: .and))
        return QueryFragment(segments, shape: .and)
    }

    static func or(_ lhs: QueryFragment, _ rhs: QueryFragment) -> QueryFragment {
        let segments = joined(lhs.term(of: .or), " OR ", rhs.term(of: .or))
        return QueryFragment(segments, shape: .or)
    }
}

extension [QueryFragment] {
    /// The conditions joined by AND; nil when there are none.
    var conjunction: QueryFragment? { dropFirst().reduce(first) { QueryFragment.and($0!, $1) } }

    /// The conditions joined by OR; nil when there are none.
    var disjunction: QueryFragment? { dropFirst().reduce(first) { QueryFragment.or($0!, $1) } }
}
