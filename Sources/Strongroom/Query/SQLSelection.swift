/// What a query selects: an opaque column, or several.
///
/// <https://www.sqlite.org/syntax/result-column.html>
public struct SQLSelection: Sendable, SQLNode {
    private let node: any SQLNode

    package init(_ node: some SQLNode) {
        self.node = node
    }

    package func write(to sql: inout SQLGenerationContext) throws {
        try node.write(to: &sql)
    }
}

extension SQLSelection: SQLSelectable {
    public var sqlSelection: SQLSelection { self }
}
