/// An expression with the collation by which it is compared and ordered.
struct Collated: SQLNode {
    let base: SQLExpression
    let collation: String

    var depth: Int { 1 + base.depth }

    func write(to sql: inout SQLGenerationContext) throws {
        try base.writeOperand(to: &sql)
        sql.append(sql: " COLLATE \(collation.plainOrQuotedName)")
    }

    func writeOperand(to sql: inout SQLGenerationContext) throws {
        try sql.parenthesize { try write(to: &$0) }
    }

    var isRowByRow: Bool { base.isRowByRow }

    var isLiteralNumber: Bool { base.isLiteralNumber }
}

extension SQLExpression {
    var uncollated: SQLExpression { node(as: Collated.self)?.base ?? self }

    /// The expression with a collation: a comparison compares by it, as its own value is a number.
    fileprivate func collated(by collation: String) -> SQLExpression {
        if var membership = node(as: Membership.self) {
            membership.element = membership.element.collated(by: collation)
            return SQLExpression(membership)
        }
        if let comparison = node(as: BinaryOperation.self), comparison.isComparison {
            let lhs = comparison.lhs.collated(by: collation)
            return SQLExpression(BinaryOperation(lhs, comparison.symbol, comparison.rhs))
        }
        return SQLExpression(Collated(base: self, collation: collation))
    }
}

extension SQLSpecificExpressible {
    /// The expression, compared and ordered by a collation.
    ///
    ///     // "name" = ? COLLATE NOCASE
    ///     Column("name").collating(.nocase) == "arthur"
    ///
    /// <https://www.sqlite.org/datatype3.html#collation>
    public func collating(_ collation: Database.CollationName) -> SQLExpression {
        sqlExpression.collated(by: collation.rawValue)
    }

    /// The expression, compared and ordered by a collation of the app.
    public func collating(_ collation: DatabaseCollation) -> SQLExpression {
        sqlExpression.collated(by: collation.name)
    }
}
