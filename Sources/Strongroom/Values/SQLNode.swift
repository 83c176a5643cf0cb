/// A piece of SQL that writes itself: what is inside expressions, orderings, selections and
/// subqueries, which are opaque to users. The types that conform live in `Query`.
package protocol SQLNode: Sendable {
    /// Writes the piece at the end of the SQL being generated.
    func write(to sql: inout SQLGenerationContext) throws

    /// Writes the piece where operators or other SQL may stand around it: in parentheses, if it
    /// needs them to stay one.
    func writeOperand(to sql: inout SQLGenerationContext) throws
}

extension SQLNode {
    package func writeOperand(to sql: inout SQLGenerationContext) throws {
        try write(to: &sql)
    }
}
