/// An operator between two expressions, which does not associate: `=`, `<`, `-`, `IS`.
///
/// <https://www.sqlite.org/lang_expr.html#operators_and_parse_affecting_attributes>
struct BinaryOperation: SQLNode {
    let lhs: SQLExpression
    let symbol: String
    let rhs: SQLExpression

    init(_ lhs: some SQLExpressible, _ symbol: String, _ rhs: some SQLExpressible) {
        self.lhs = lhs.sqlExpression
        self.symbol = symbol
        self.rhs = rhs.sqlExpression
    }

    var depth: Int { 1 + max(lhs.depth, rhs.depth) }

    func write(to sql: inout SQLGenerationContext) throws {
        guard let collation, isComparison else {
            return try write(lhs, rhs, to: &sql)
        }
        // A collation at the end is the one that SQLite uses, of whichever side it was.
        try write(lhs.uncollated, rhs.uncollated, to: &sql)
        sql.append(sql: " COLLATE \(collation.plainOrQuotedName)")
    }

    private func write(
        _ lhs: SQLExpression, _ rhs: SQLExpression, to sql: inout SQLGenerationContext
    ) throws {
        try lhs.writeOperand(to: &sql)
        sql.append(sql: " ")
        sql.append(sql: symbol)
        sql.append(sql: " ")
        try rhs.writeOperand(to: &sql)
    }

    func writeOperand(to sql: inout SQLGenerationContext) throws {
        try sql.parenthesize { try write(to: &$0) }
    }

    var isRowByRow: Bool { lhs.isRowByRow && rhs.isRowByRow }

    var negated: SQLExpression? {
        Self.opposites[symbol].map { SQLExpression(BinaryOperation(lhs, $0, rhs)) }
    }

    var isComparison: Bool { Self.comparisons.contains(symbol) }

    private var collation: String? {
        lhs.node(as: Collated.self)?.collation ?? rhs.node(as: Collated.self)?.collation
    }

    private static let comparisons: Set = ["=", "<>", "IS", "IS NOT", "<", "<=", ">", ">="]

    // Not those of order: what is neither less nor equal may be NULL.
    private static let opposites = ["=": "<>", "<>": "=", "IS": "IS NOT", "IS NOT": "IS"]
}

extension BinaryOperation {
    /// Equality, which for NULL is `IS NULL`.
    static func equal(_ lhs: some SQLExpressible, _ rhs: some SQLExpressible) -> SQLExpression {
        comparing(lhs, "=", rhs, forNull: "IS")
    }

    /// Inequality, which for NULL is `IS NOT NULL`.
    static func notEqual(_ lhs: some SQLExpressible, _ rhs: some SQLExpressible) -> SQLExpression {
        comparing(lhs, "<>", rhs, forNull: "IS NOT")
    }

    private static func comparing(
        _ lhs: some SQLExpressible, _ symbol: String, _ rhs: some SQLExpressible,
        forNull symbolForNull: String
    ) -> SQLExpression {
        let (lhs, rhs) = (lhs.sqlExpression, rhs.sqlExpression)
        if rhs.value?.isNull == true { return SQLExpression(Self(lhs, symbolForNull, rhs)) }
        if lhs.value?.isNull == true { return SQLExpression(Self(rhs, symbolForNull, lhs)) }
        return SQLExpression(Self(lhs, symbol, rhs))
    }
}
