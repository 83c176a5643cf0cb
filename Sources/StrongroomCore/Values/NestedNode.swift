/// A piece of SQL inside another. How deep such pieces are nested is limited where they are made, so
/// that whatever walks through them, or destroys them, finds room on the stack of any thread.
package struct NestedNode: Sendable {
    /// What SQLite takes at most: <https://www.sqlite.org/limits.html#max_expr_depth>.
    package static let depthLimit = 1000

    /// What a query counts, or a closure that makes a part of one. They need more of the stack.
    package static let queryDepth = 5

    /// To this depth, pieces tell what they are. Deeper ones are taken for what may be anything.
    package static let inspectedDepth = 100

    package let node: any SQLNode
    private let storedDepth: Int16

    /// Holds a piece; one that throws in its place, if it is nested too deep.
    package init(_ node: some SQLNode) {
        let depth = node.depth
        if depth <= Self.depthLimit {
            self.node = node
            storedDepth = Int16(depth)
        } else {
            self.node = TooDeepNode()
            storedDepth = Int16(Self.depthLimit)
        }
    }
}

extension NestedNode: SQLNode {
    package var depth: Int { Int(storedDepth) }

    package func write(to sql: inout SQLGenerationContext) throws {
        try sql.enter()
        defer { sql.leave() }
        try node.write(to: &sql)
    }

    package func writeOperand(to sql: inout SQLGenerationContext) throws {
        try sql.enter()
        defer { sql.leave() }
        try node.writeOperand(to: &sql)
    }

    package var negated: SQLExpression? { node.negated }

    package var isRowByRow: Bool { depth <= Self.inspectedDepth && node.isRowByRow }

    package var isJSON: Bool { node.isJSON }

    package var isCall: Bool { node.isCall }

    package var isLiteralNumber: Bool { depth <= Self.inspectedDepth && node.isLiteralNumber }
}

/// Stands for what is nested too deep.
package struct TooDeepNode: SQLNode {
    package init() {}

    package var depth: Int { NestedNode.depthLimit }

    package func write(to sql: inout SQLGenerationContext) throws { throw DatabaseError.tooDeep }
}

extension DatabaseError {
    /// A query is nested deeper than SQLite, or the stack of the thread, can take.
    package static var tooDeep: DatabaseError {
        DatabaseError(code: .SQLITE_ERROR, message: "expression tree is too deep")
    }

    /// - Throws: `tooDeep` when the stack of the thread is nearly full.
    package static func requireStackSpace() throws(DatabaseError) {
        // Enough for SQLite to compile a small statement: generation asks about the schema.
        guard StackSpace.bytesLeft > 128 << 10 else { throw tooDeep }
    }
}
