/// The rows that a window function sees: `.partition(by: $0.folderID).order($0.due.desc())`.
public struct WindowSpec: Sendable {
    private var partitions: [QueryFragment] = []
    private var orders: [OrderTerm] = []
    private var frame = ""

    init() {}

    /// What stands between the parentheses of OVER or WINDOW.
    var fragment: QueryFragment {
        var parts: [QueryFragment] = []
        if !partitions.isEmpty {
            parts.append(QueryFragment(text: "PARTITION BY ") + partitions.commaSeparated)
        }
        if !orders.isEmpty {
            parts.append(QueryFragment(text: "ORDER BY ") + orders.map(\.fragment).commaSeparated)
        }
        if !frame.isEmpty { parts.append(QueryFragment(text: frame)) }
        return parts.joined(separator: QueryFragment(text: " ")).parenthesized
    }

    private func partitioned(_ terms: [OrderingTerm]...) -> WindowSpec {
        var copy = self
        copy.partitions += terms.flatMap { $0.fragments }
        return copy
    }

    private func ordered(_ terms: [OrderingTerm]...) -> WindowSpec {
        var copy = self
        copy.orders += terms.flatMap { $0.flatMap(\.terms) }
        return copy
    }

    /// The rows that are equal in a term.
    public static func partition<A: OrderingExpression>(by term: A) -> WindowSpec {
        WindowSpec().partitioned(term._orderingTerms)
    }
    /// The rows that are equal in these terms.
    public static func partition<A: OrderingExpression, B: OrderingExpression>(
        by terms: (A, B)
    ) -> WindowSpec {
        WindowSpec().partitioned(terms.0._orderingTerms, terms.1._orderingTerms)
    }
    /// The rows that are equal in these terms.
    public static func partition<
        A: OrderingExpression, B: OrderingExpression, C: OrderingExpression
    >(by terms: (A, B, C)) -> WindowSpec {
        WindowSpec().partitioned(
            terms.0._orderingTerms, terms.1._orderingTerms, terms.2._orderingTerms)
    }
    /// All rows, in an order.
    public static func order<A: OrderingExpression>(_ term: A) -> WindowSpec {
        WindowSpec().order(term)
    }
    /// All rows, in an order.
    public static func order<A: OrderingExpression, B: OrderingExpression>(
        _ terms: (A, B)
    ) -> WindowSpec {
        WindowSpec().order(terms)
    }
    /// All rows, in an order.
    public static func order<
        A: OrderingExpression, B: OrderingExpression, C: OrderingExpression
    >(_ terms: (A, B, C)) -> WindowSpec {
        WindowSpec().order(terms)
    }
    /// The rows in an order.
    public func order<A: OrderingExpression>(_ term: A) -> WindowSpec {
        ordered(term._orderingTerms)
    }
    /// The rows in an order.
    public func order<A: OrderingExpression, B: OrderingExpression>(
        _ terms: (A, B)
    ) -> WindowSpec {
        ordered(terms.0._orderingTerms, terms.1._orderingTerms)
    }
    /// The rows in an order.
    public func order<A: OrderingExpression, B: OrderingExpression, C: OrderingExpression>(
        _ terms: (A, B, C)
    ) -> WindowSpec {
        ordered(terms.0._orderingTerms, terms.1._orderingTerms, terms.2._orderingTerms)
    }

    private func framed(_ unit: String, _ start: FrameBound, _ end: FrameBound) -> WindowSpec {
        var copy = self
        copy.frame = "\(unit) BETWEEN \(start.text(isStart: true)) AND \(end.text(isStart: false))"
        return copy
    }

    /// The rows around the current one, counted one by one.
    public func rows(from start: FrameBound, to end: FrameBound) -> WindowSpec {
        framed("ROWS", start, end)
    }
    /// The rows around the current one, by their distance in the order.
    public func range(from start: FrameBound, to end: FrameBound) -> WindowSpec {
        framed("RANGE", start, end)
    }
    /// The rows around the current one, counted by groups that are equal in the order.
    public func groups(from start: FrameBound, to end: FrameBound) -> WindowSpec {
        framed("GROUPS", start, end)
    }
    /// Leaves rows of the frame out.
    public func excluding(_ rows: FrameExclusion) -> WindowSpec {
        var copy = self
        copy.frame += " EXCLUDE \(rows.rawValue)"
        return copy
    }
}

/// One end of the frame of a window.
public struct FrameBound: Sendable, Hashable {
    private let text: String

    func text(isStart: Bool) -> String {
        text == "UNBOUNDED" ? text + (isStart ? " PRECEDING" : " FOLLOWING") : text
    }

    /// The first row of the partition.
    public static let start = FrameBound(text: "UNBOUNDED")
    /// The last row of the partition.
    public static let end = FrameBound(text: "UNBOUNDED")
    /// The current row.
    public static let currentRow = FrameBound(text: "CURRENT ROW")
    /// So many rows before the current one.
    public static func preceding(_ count: Int) -> FrameBound { .init(text: "\(count) PRECEDING") }
    /// So many rows after the current one.
    public static func following(_ count: Int) -> FrameBound { .init(text: "\(count) FOLLOWING") }
}

/// The rows of a frame that a window function does not see.
public enum FrameExclusion: String, Sendable, Hashable {
    case currentRow = "CURRENT ROW"
    case group = "GROUP"
    case ties = "TIES"
    case noOthers = "NO OTHERS"
}
