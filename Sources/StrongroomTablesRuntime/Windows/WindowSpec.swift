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
    ///
    ///     Item.select { ($0.title, $0.stars.avg().over(.partition(by: $0.folderID))) }
    ///     // SELECT "items"."title", avg("items"."stars") OVER (PARTITION BY
    ///     // "items"."folderID") FROM "items"
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
    ///
    ///     Item.select { rank().over(.order($0.price.desc(nulls: .last))) }
    ///     // SELECT rank() OVER (ORDER BY "items"."price" DESC NULLS LAST) FROM "items"
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
    ///
    ///     // The mean of each item and its neighbours.
    ///     let near = WindowSpec.order(Item.id).rows(from: .preceding(1), to: .following(1))
    ///     try Item.select { $0.stars.avg().over(near) }.fetchAll(db)
    ///     // [3.5, 4.0, 3.3333333333333335, 3.0]
    public func rows(from start: FrameBound, to end: FrameBound) -> WindowSpec {
        framed("ROWS", start, end)
    }
    /// The rows around the current one, by their distance in the order.
    ///
    ///     let years = WindowSpec.order(Item.year).range(from: .preceding(1), to: .currentRow)
    ///     try Item.select { $0.id.count().over(years) }.fetchAll(db)  // [1, 4, 4, 4]
    public func range(from start: FrameBound, to end: FrameBound) -> WindowSpec {
        framed("RANGE", start, end)
    }
    /// The rows around the current one, counted by groups that are equal in the order.
    ///
    ///     let before = WindowSpec.order(Item.year).groups(from: .preceding(1), to: .preceding(1))
    ///     try Item.select { $0.id.count().over(before) }.fetchAll(db)  // [0, 1, 1, 1]
    public func groups(from start: FrameBound, to end: FrameBound) -> WindowSpec {
        framed("GROUPS", start, end)
    }
    /// Leaves rows of the frame out.
    ///
    ///     let all = WindowSpec.order(Item.id).rows(from: .start, to: .end)
    ///     let others = all.excluding(.currentRow)
    ///     try Item.select { $0.stars.sum().over(others) }.fetchAll(db)  // [10, 9, 8, 12]
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
    /// This many rows before the current one.
    ///
    ///     let week = WindowSpec.order(Item.id).rows(from: .preceding(6), to: .currentRow)
    ///     Item.select { $0.price.total().over(week) }
    ///     // SELECT total("items"."price") OVER (ORDER BY "items"."id" ROWS BETWEEN 6
    ///     // PRECEDING AND CURRENT ROW) FROM "items"
    public static func preceding(_ count: Int) -> FrameBound { .init(text: "\(count) PRECEDING") }
    /// This many rows after the current one.
    ///
    ///     let rest = WindowSpec.order(Item.id).rows(from: .following(1), to: .end)
    ///     try Item.select { $0.id.count().over(rest) }.fetchAll(db)  // [3, 2, 1, 0]
    public static func following(_ count: Int) -> FrameBound { .init(text: "\(count) FOLLOWING") }
}

/// The rows of a frame that a window function does not see.
public enum FrameExclusion: String, Sendable, Hashable {
    /// The current row.
    case currentRow = "CURRENT ROW"
    /// The current row, and those that are equal to it in the order.
    case group = "GROUP"
    /// The rows that are equal to the current one in the order, but not itself.
    case ties = "TIES"
    /// No row.
    case noOthers = "NO OTHERS"
}
