/// A piece of SQL that writes itself: what is inside expressions, orderings, selections and
/// subqueries, which are opaque to users. The types that conform live in `Query`.
package protocol SQLNode: Sendable {
    /// Writes the piece at the end of the SQL being generated.
    func write(to sql: inout SQLGenerationContext) throws

    /// Writes the piece where operators or other SQL may stand around it: in parentheses, if it
    /// needs them to stay one.
    func writeOperand(to sql: inout SQLGenerationContext) throws

    /// How many pieces are inside of each other: 0 for one that has none in it.
    var depth: Int { get }

    /// The opposite condition, where SQL has one: `<>` for `=`. Nil where `NOT` says it.
    var negated: SQLExpression? { get }

    /// Whether the piece has one value for each row, so that it is no aggregate for sure.
    var isRowByRow: Bool { get }

    /// Whether the value is to be taken for JSON where JSON is built of it, not for a string.
    var isJSON: Bool { get }

    /// Whether the piece is the call of a function, behind which a window may stand.
    var isCall: Bool { get }

    /// Whether the piece is a whole number that stands in SQL as it is: where rows are ordered or
    /// grouped, it would be the number of a column.
    var isLiteralNumber: Bool { get }
}

extension SQLNode {
    package func writeOperand(to sql: inout SQLGenerationContext) throws {
        try write(to: &sql)
    }

    package var negated: SQLExpression? { nil }

    package var isRowByRow: Bool { false }

    package var isJSON: Bool { false }

    package var isCall: Bool { false }

    package var isLiteralNumber: Bool { false }
}

extension Sequence where Element: SQLNode {
    /// The depth of the deepest of the pieces.
    package var depth: Int { reduce(0) { Swift.max($0, $1.depth) } }
}
