/// Selects that UNION, INTERSECT or EXCEPT join, from left to right.
///
/// Invariant: `parts` has no empty part, and is empty itself when the whole gives no row.
public struct Compound<Shape: RowShape>: ResultStatement {
    public typealias Row = Shape.RowValue

    struct Part: Sendable {
        /// What stands before the part; nothing before the first.
        var keyword: String
        var stored: QueryFragment
        var fetched: QueryFragment
        /// Whether the part ends with the name of a table.
        var endsWithTable: Bool
    }

    var parts: [Part]
    var orders: [OrderTerm] = []
    var limit: QueryFragment?
    var offset: QueryFragment?

    init<Left: ResultStatement, Right: ResultStatement>(
        _ left: Left, _ keyword: CompoundKeyword, _ right: Right
    ) {
        let first = Self.parts(of: left)
        guard let second = Self.part(of: right, keyword.rawValue) else {
            parts = keyword == .intersect ? [] : first
            return
        }
        if first.isEmpty {
            parts = keyword.isUnion ? [Part(second, keyword: "")] : []
        } else {
            parts = first + [second]
        }
    }

    public var query: QueryFragment { fragment(\.stored) }
    public var _fetchedQuery: QueryFragment { fragment(\.fetched) }
    public var _singleQuery: QueryFragment {
        var copy = self
        copy.limit = limit ?? 1.queryFragment
        return copy._fetchedQuery
    }
    public var _endsInOrder: Bool { !orders.isEmpty || limit != nil || offset != nil }

    private func fragment(_ text: (Part) -> QueryFragment) -> QueryFragment {
        var result = QueryFragment()
        guard !parts.isEmpty else { return result }
        for part in parts {
            if !part.keyword.isEmpty { result.append(text: part.keyword) }
            result.append(text(part))
        }
        result.appendEnd(orders: orders, limit: limit, offset: offset)
        return result
    }

    /// The parts of a statement at the left, which are those of a compound without an end.
    private static func parts<S: ResultStatement>(of statement: S) -> [Part] {
        if let compound = statement as? any CompoundStatement, !statement._endsInOrder {
            let last = compound.flatParts.count - 1
            return compound.flatParts.enumerated().map { number, part in
                Part(
                    keyword: part.0, stored: part.1, fetched: part.2,
                    endsWithTable: number == last && statement.endsWithTable)
            }
        }
        return part(of: statement, "").map { [$0] } ?? []
    }

    private static func part<S: ResultStatement>(of statement: S, _ keyword: String) -> Part? {
        let stored = statement.query
        if stored.isEmpty { return nil }
        let isCompound = statement is any CompoundStatement
        guard statement._endsInOrder || isCompound && !keyword.isEmpty else {
            return Part(
                keyword: keyword, stored: stored, fetched: statement._fetchedQuery,
                endsWithTable: statement.endsWithTable)
        }
        return Part(
            keyword: keyword, stored: .selectAll(stored),
            fetched: .selectAll(statement._fetchedQuery), endsWithTable: true)
    }
}

extension Compound.Part {
    fileprivate init(_ part: Self, keyword: String) {
        self = part
        self.keyword = keyword
    }
}

/// What stands between two parts of a compound.
enum CompoundKeyword: String {
    case union = " UNION "
    case unionAll = " UNION ALL "
    case intersect = " INTERSECT "
    case except = " EXCEPT "

    var isUnion: Bool { self == .union || self == .unionAll }
}

/// A compound of any shape.
protocol CompoundStatement {
    var flatParts: [(String, QueryFragment, QueryFragment)] { get }
}

extension Compound: TableEnding {
    var lastEndsWithTable: Bool { !_endsInOrder && parts.last?.endsWithTable ?? false }
}

extension Compound: CompoundStatement {
    var flatParts: [(String, QueryFragment, QueryFragment)] {
        parts.map { ($0.keyword, $0.stored, $0.fetched) }
    }
}

extension QueryFragment {
    fileprivate static func selectAll(_ inner: QueryFragment) -> QueryFragment {
        QueryFragment(text: "SELECT * FROM ") + QueryFragment([.subquery(inner.segments)])
    }

    /// ORDER BY, LIMIT and OFFSET.
    mutating func appendEnd(
        orders: [OrderTerm], limit: QueryFragment?, offset: QueryFragment?
    ) {
        if !orders.isEmpty {
            append(text: " ORDER BY ")
            append(orders.map(\.fragment).commaSeparated)
        }
        if let limit {
            append(text: " LIMIT ")
            append(limit)
        } else if offset != nil {
            append(text: " LIMIT -1")
        }
        if let offset {
            append(text: " OFFSET ")
            append(offset)
        }
    }
}

extension Compound: QueryTerm where Shape: ScalarShape {
    public typealias TermBase = Shape.SubqueryValue.Unwrapped
    public typealias TermValue = Shape.SubqueryValue.Unwrapped?
}

extension Compound: OrderingExpression where Shape: ScalarShape {}

extension Compound: AssignedExpression where Shape: ScalarShape {}

extension Compound: QueryExpression where Shape: ScalarShape {
    public typealias QueryValue = Shape.SubqueryValue.Unwrapped?
    public typealias AssignedValue = Shape.SubqueryValue.Unwrapped
    /// The compound in parentheses.
    public var queryFragment: QueryFragment { asOperand }
}
