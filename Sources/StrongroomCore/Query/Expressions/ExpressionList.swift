/// Expressions between parentheses, as at the right of `IN`.
struct ExpressionList: SQLNode {
    private let expressions: [SQLExpression]

    init(_ expressions: [SQLExpression]) {
        self.expressions = expressions
    }

    var depth: Int { 1 + expressions.depth }

    func write(to sql: inout SQLGenerationContext) throws {
        if expressions.isEmpty {
            // `IN ()` is SQLite's own, but `()` is not valid elsewhere.
            sql.append(sql: "(SELECT NULL WHERE NULL)")
            return
        }
        try sql.parenthesize { sql in
            try sql.append(expressions, separator: ",") { try $0.write(to: &$1) }
        }
    }
}
