/// The rows around a row, from which a window function makes its value.
///
///     // RANK() OVER (PARTITION BY "team" ORDER BY "score" DESC)
///     rank().over(.partition(by: Column("team")).order(Column("score").desc))
///
///     // SUM("score") OVER (ORDER BY "day" ROWS BETWEEN 6 PRECEDING AND CURRENT ROW)
///     sum(Column("score")).over(.order(Column("day")).rows(from: .preceding(6)))
///
/// Without a frame it reaches from the first row of the partition to the current row and its equals
/// in the order, or over the whole partition when there is no order.
///
/// <https://www.sqlite.org/windowfunctions.html>
public struct SQLWindow: Sendable {
    private var partition: [SQLExpression] = []
    private var ordering: [SQLOrdering] = []
    private var frame: Frame?
    private var exclusion: Exclusion?

    private struct Frame: Sendable {
        let unit: String
        let start: Bound
        let end: Bound
    }

    /// Where a frame begins or ends.
    public enum Bound: Hashable, Sendable {
        /// At the first row of the partition.
        case start
        /// That many rows, groups, or that much of the ordering's value before the current row.
        case preceding(Int)
        /// At the current row.
        case currentRow
        /// That many rows, groups, or that much of the ordering's value after the current row.
        case following(Int)
        /// At the last row of the partition.
        case end
    }

    /// Which rows of the frame do not count.
    public enum Exclusion: String, Hashable, Sendable {
        /// The current row.
        case currentRow = "CURRENT ROW"
        /// The current row and those that are equal in the order.
        case group = "GROUP"
        /// Those that are equal to the current row in the order, but not itself.
        case ties = "TIES"
    }

    private init() {}

    /// All rows of the request.
    public static var all: SQLWindow { SQLWindow() }

    /// The rows that have these values in common.
    public static func partition(by expressions: any SQLExpressible...) -> SQLWindow {
        var window = SQLWindow()
        window.partition = expressions.map(\.sqlExpression)
        return window
    }

    /// All rows of the request, in an order.
    public static func order(_ orderings: any SQLOrderingTerm...) -> SQLWindow {
        SQLWindow().ordered(by: orderings)
    }

    /// The same rows in an order, instead of the one before.
    public func order(_ orderings: any SQLOrderingTerm...) -> SQLWindow {
        ordered(by: orderings)
    }

    private func ordered(by orderings: [any SQLOrderingTerm]) -> SQLWindow {
        var window = self
        window.ordering = orderings.map(\.sqlOrdering)
        return window
    }

    /// A number of rows around the current one: `ROWS`.
    public func rows(from start: Bound, to end: Bound = .currentRow) -> SQLWindow {
        framed("ROWS", start, end)
    }

    /// The rows whose value in the order is that near to the current row's: `RANGE`.
    public func range(from start: Bound, to end: Bound = .currentRow) -> SQLWindow {
        framed("RANGE", start, end)
    }

    /// A number of groups of rows that are equal in the order: `GROUPS`.
    public func groups(from start: Bound, to end: Bound = .currentRow) -> SQLWindow {
        framed("GROUPS", start, end)
    }

    private func framed(_ unit: String, _ start: Bound, _ end: Bound) -> SQLWindow {
        var window = self
        window.frame = Frame(unit: unit, start: start, end: end)
        return window
    }

    /// The same frame without some of its rows: `EXCLUDE`.
    public func excluding(_ exclusion: Exclusion) -> SQLWindow {
        var window = self
        window.exclusion = exclusion
        return window
    }
}

extension SQLWindow: SQLNode {
    package var depth: Int { 1 + max(partition.depth, ordering.depth) }

    package func write(to sql: inout SQLGenerationContext) throws {
        try sql.parenthesize { sql in
            var separator = ""
            if !partition.isEmpty {
                sql.append(sql: "PARTITION BY ")
                try sql.append(partition, separator: ", ") { try $0.write(to: &$1) }
                separator = " "
            }
            if !ordering.isEmpty {
                sql.append(sql: "\(separator)ORDER BY ")
                try sql.append(ordering, separator: ", ") { try $0.write(to: &$1) }
                separator = " "
            }
            if frame != nil || exclusion != nil {
                sql.append(sql: try separator + frameSQL())
            }
        }
    }

    private func frameSQL() throws -> String {
        // What is excluded is said behind a frame only: this is the one that there is without.
        let frame = frame ?? Frame(unit: "RANGE", start: .start, end: .currentRow)
        guard frame.start.position <= frame.end.position, frame.start != .end, frame.end != .start
        else { throw Self.misuse("its frame ends before it begins") }
        for case .preceding(let count) in [frame.start, frame.end] where count < 0 {
            throw Self.misuse("its frame reaches \(count) rows back")
        }
        for case .following(let count) in [frame.start, frame.end] where count < 0 {
            throw Self.misuse("its frame reaches \(count) rows on")
        }
        return "\(frame.unit) BETWEEN \(frame.start.sql) AND \(frame.end.sql)"
            + (exclusion.map { " EXCLUDE \($0.rawValue)" } ?? "")
    }

    private static func misuse(_ problem: String) -> DatabaseError {
        DatabaseError(
            resultCode: .SQLITE_MISUSE,
            message: "A window can't be: \(problem). Bounds count from 0, and the first one comes "
                + "first.")
    }
}

extension SQLWindow.Bound {
    fileprivate var sql: String {
        switch self {
        case .start: "UNBOUNDED PRECEDING"
        case .preceding(let count): "\(count) PRECEDING"
        case .currentRow: "CURRENT ROW"
        case .following(let count): "\(count) FOLLOWING"
        case .end: "UNBOUNDED FOLLOWING"
        }
    }

    /// Where it is among the kinds of bounds: of two of one kind, SQLite says what is between.
    fileprivate var position: Int {
        switch self {
        case .start: 0
        case .preceding: 1
        case .currentRow: 2
        case .following: 3
        case .end: 4
        }
    }
}
