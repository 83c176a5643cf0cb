/// An opaque query inside another.
///
/// <https://www.sqlite.org/syntax/select-stmt.html>
public struct SQLSubquery: Sendable, SQLNode {
    private let node: NestedNode

    package init(_ node: some SQLNode) {
        self.node = NestedNode(node)
    }

    package var depth: Int { NestedNode.queryDepth + node.depth }

    package func write(to sql: inout SQLGenerationContext) throws {
        // Columns of the query around it are none of its business.
        try sql.inTable(nil) { sql in try node.write(to: &sql) }
    }
}

extension SQLSubquery: SQLSubqueryable {
    public var sqlSubquery: SQLSubquery { self }
}
