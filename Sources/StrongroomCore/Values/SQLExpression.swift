/// An SQL expression: `score + 1`, `name`, or a value.
///
/// It is opaque. Functions that build one should return it, and take `some SQLExpressible`:
///
///     func double(_ value: some SQLSpecificExpressible) -> SQLExpression {
///         SQL("2 * \(value)").sqlExpression
///     }
///
/// <https://www.sqlite.org/syntax/expr.html>
public struct SQLExpression: Sendable {
    private let content: Content

    private enum Content: Sendable {
        case value(DatabaseValue)
        case node(NestedNode)
    }

    /// The expression that is a value: a placeholder, or NULL.
    package init(value: DatabaseValue) {
        content = .value(value)
    }

    /// The expression that a piece of SQL writes.
    package init(_ node: some SQLNode) {
        content = .node(NestedNode(node))
    }

    /// The value, if the expression is one.
    package var value: DatabaseValue? {
        guard case .value(let value) = content else { return nil }
        return value
    }

    /// What the expression is made of, if it is of this type.
    package func node<Node: SQLNode>(as type: Node.Type = Node.self) -> Node? {
        guard case .node(let node) = content else { return nil }
        return node.node as? Node
    }
}

extension SQLExpression: SQLNode {
    package var depth: Int {
        switch content {
        case .value: 0
        case .node(let node): node.depth
        }
    }

    package func write(to sql: inout SQLGenerationContext) throws {
        switch content {
        case .value(let value): sql.append(value: value)
        case .node(let node): try node.write(to: &sql)
        }
    }

    package func writeOperand(to sql: inout SQLGenerationContext) throws {
        switch content {
        case .value(let value): sql.append(value: value)
        case .node(let node): try node.writeOperand(to: &sql)
        }
    }

    package var negated: SQLExpression? {
        guard case .node(let node) = content else { return nil }
        return node.negated
    }

    package var isRowByRow: Bool {
        switch content {
        case .value: true
        case .node(let node): node.isRowByRow
        }
    }

    package var isJSON: Bool {
        guard case .node(let node) = content else { return false }
        return node.isJSON
    }

    package var isCall: Bool {
        guard case .node(let node) = content else { return false }
        return node.isCall
    }

    package var isLiteralNumber: Bool {
        guard case .node(let node) = content else { return false }
        return node.isLiteralNumber
    }

    /// Writes the expression as a term by which rows are ordered or grouped. A literal number, the
    /// same for all rows, would be taken for a column: NULL does what it means.
    package func writeTerm(to sql: inout SQLGenerationContext) throws {
        guard !isLiteralNumber else { return sql.append(sql: "NULL") }
        try sql.writingTerm { try write(to: &$0) }
    }
}
