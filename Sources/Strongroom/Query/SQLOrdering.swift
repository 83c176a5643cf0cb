/// An opaque ordering of rows.
///
/// <https://www.sqlite.org/syntax/ordering-term.html>
public struct SQLOrdering: Sendable, SQLNode {
    private let node: any SQLNode

    package init(_ node: some SQLNode) {
        self.node = node
    }

    package func write(to sql: inout SQLGenerationContext) throws {
        try node.write(to: &sql)
    }
}

extension SQLOrdering: SQLOrderingTerm {
    public var sqlOrdering: SQLOrdering { self }
}
