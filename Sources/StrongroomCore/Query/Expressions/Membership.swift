/// Whether an expression is among others: `IN`.
///
/// <https://www.sqlite.org/lang_expr.html#in_op>
struct Membership: SQLNode {
    var element: SQLExpression
    let candidates: Candidates
    var isNegated = false

    enum Candidates: Sendable {
        case expressions([SQLExpression])
        case subquery(SQLSubquery)
        case table(String)
    }

    /// Whether an expression is one of a list; an equality when the list has one element.
    static func of(_ element: some SQLExpressible, in list: [SQLExpression]) -> SQLExpression {
        switch list.count {
        case 0: Constant.bool(false)
        // A NULL in a list is never found: it must not become IS NULL.
        case 1 where list[0].value?.isNull != true: BinaryOperation.equal(element, list[0])
        default:
            SQLExpression(Self(element: element.sqlExpression, candidates: .expressions(list)))
        }
    }

    var depth: Int {
        switch candidates {
        case .expressions(let expressions): 1 + max(element.depth, expressions.depth)
        case .subquery(let subquery): 1 + max(element.depth, subquery.depth)
        case .table: 1 + element.depth
        }
    }

    func write(to sql: inout SQLGenerationContext) throws {
        try element.writeOperand(to: &sql)
        sql.append(sql: isNegated ? " NOT IN " : " IN ")
        switch candidates {
        case .expressions(let expressions):
            try sql.parenthesize { sql in
                try sql.append(expressions, separator: ", ") { try $0.write(to: &$1) }
            }
        case .subquery(let subquery): try sql.parenthesize { try subquery.write(to: &$0) }
        case .table(let name): sql.append(identifier: name)
        }
    }

    func writeOperand(to sql: inout SQLGenerationContext) throws {
        try sql.parenthesize { try write(to: &$0) }
    }

    var negated: SQLExpression? {
        SQLExpression(Self(element: element, candidates: candidates, isNegated: !isNegated))
    }

    var isRowByRow: Bool {
        guard case .expressions(let expressions) = candidates else { return element.isRowByRow }
        return element.isRowByRow && expressions.allSatisfy(\.isRowByRow)
    }
}

extension Sequence where Element: SQLExpressible {
    /// Whether an expression is one of the elements: `IN`, or `=` when there is but one.
    public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
        Membership.of(element, in: map(\.sqlExpression))
    }
}

extension Sequence where Element == any SQLExpressible {
    /// Whether an expression is one of the elements: `IN`, or `=` when there is but one.
    public func contains(_ element: some SQLSpecificExpressible) -> SQLExpression {
        Membership.of(element, in: map(\.sqlExpression))
    }
}

extension SQLSubqueryable {
    /// Whether an expression is among the values that the query gives: `IN (SELECT …)`.
    ///
    ///     let teams = Player.select(Column("teamId"))
    ///     let request = Team.filter(teams.contains(Column("id")))
    public func contains(_ element: some SQLExpressible) -> SQLExpression {
        SQLExpression(
            Membership(element: element.sqlExpression, candidates: .subquery(sqlSubquery)))
    }
}
