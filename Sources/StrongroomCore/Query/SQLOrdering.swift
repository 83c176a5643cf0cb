/// An opaque ordering of rows.
///
/// <https://www.sqlite.org/syntax/ordering-term.html>
public struct SQLOrdering: Sendable {
    private let content: Content

    private enum Content: Sendable {
        case expression(SQLExpression, Direction?)
        /// SQL, which may have several terms; so nobody can reverse it, and what was to be its
        /// opposite has no SQL.
        case literal(NestedNode, isReversed: Bool)
    }

    enum Direction: String, Sendable {
        case ascending = "ASC"
        case descending = "DESC"
        case ascendingNullsLast = "ASC NULLS LAST"
        case descendingNullsFirst = "DESC NULLS FIRST"

        var reversed: Direction {
            switch self {
            case .ascending: .descending
            case .descending: .ascending
            case .ascendingNullsLast: .descendingNullsFirst
            case .descendingNullsFirst: .ascendingNullsLast
            }
        }
    }

    init(_ expression: SQLExpression, _ direction: Direction? = nil) {
        content = .expression(expression, direction)
    }

    private init(_ content: Content) {
        self.content = content
    }

    /// The ordering that a literal is.
    init(literal: SQL) {
        content = .literal(NestedNode(literal), isReversed: false)
    }

    /// Whether it is by a column, told by its name alone.
    var isOfColumn: Bool {
        guard case .expression(let expression, _) = content else { return false }
        return expression.node(as: ColumnName.self) != nil
    }

    /// The ordering by another expression, made of this one's.
    func map(_ transform: (NestedNode) -> SQLExpression) -> SQLOrdering {
        switch content {
        case .expression(let expression, let direction):
            SQLOrdering(transform(NestedNode(expression)), direction)
        case .literal(let literal, let isReversed):
            SQLOrdering(.literal(NestedNode(transform(literal)), isReversed: isReversed))
        }
    }

    /// The opposite ordering. That of SQL, in which nobody knows where the terms end, throws when its
    /// own SQL is wanted.
    var reversed: SQLOrdering {
        switch content {
        case .expression(let expression, let direction):
            SQLOrdering(expression, (direction ?? .ascending).reversed)
        case .literal(let literal, let isReversed):
            SQLOrdering(.literal(literal, isReversed: !isReversed))
        }
    }
}

extension SQLOrdering: SQLNode {
    package var depth: Int {
        switch content {
        case .expression(let expression, _): expression.depth
        case .literal(let literal, _): literal.depth
        }
    }

    package func write(to sql: inout SQLGenerationContext) throws {
        switch content {
        case .expression(let expression, let direction):
            try expression.writeTerm(to: &sql)
            if let direction { sql.append(sql: " \(direction.rawValue)") }
        case .literal(let literal, isReversed: false): try literal.write(to: &sql)
        case .literal:
            throw DatabaseError(
                code: .SQLITE_MISUSE,
                message: """
                    an ordering that is SQL can't be reversed: use SQL(...).sqlExpression instead
                    """)
        }
    }
}

extension SQLOrdering: SQLOrderingTerm {
    public var sqlOrdering: SQLOrdering { self }
}

extension SQLSpecificExpressible {
    /// The lowest value first; NULL is the lowest.
    public var asc: SQLOrdering { SQLOrdering(sqlExpression, .ascending) }

    /// The highest value first; NULL is the lowest.
    public var desc: SQLOrdering { SQLOrdering(sqlExpression, .descending) }

    /// The lowest value first, and NULL last.
    public var ascNullsLast: SQLOrdering { SQLOrdering(sqlExpression, .ascendingNullsLast) }

    /// NULL first, and then the highest value.
    public var descNullsFirst: SQLOrdering { SQLOrdering(sqlExpression, .descendingNullsFirst) }
}
