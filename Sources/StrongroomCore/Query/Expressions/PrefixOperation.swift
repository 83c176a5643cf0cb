/// An operator before one expression: `NOT`, `-`, `~`.
struct PrefixOperation: SQLNode {
    let symbol: String
    let operand: SQLExpression

    var depth: Int { 1 + operand.depth }

    func write(to sql: inout SQLGenerationContext) throws {
        sql.append(sql: symbol)
        try operand.writeOperand(to: &sql)
    }

    func writeOperand(to sql: inout SQLGenerationContext) throws {
        try sql.parenthesize { try write(to: &$0) }
    }

    var isRowByRow: Bool { operand.isRowByRow }

    var isLiteralNumber: Bool { operand.isLiteralNumber }
}

extension SQLExpression {
    /// The opposite condition: a negated operator where there is one, or else `NOT`.
    static func not(_ condition: some SQLExpressible) -> SQLExpression {
        let condition = condition.sqlExpression
        return condition.negated
            ?? SQLExpression(PrefixOperation(symbol: "NOT ", operand: condition))
    }
}
