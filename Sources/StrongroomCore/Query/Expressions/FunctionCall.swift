/// A call of an SQL function.
///
/// <https://www.sqlite.org/syntax/expr.html>
struct FunctionCall: SQLNode {
    let name: String
    let arguments: [SQLExpression]
    /// Whether the function is known to give a value for each row.
    private let isScalar: Bool

    /// A call of a function that gives a value for each row.
    init(_ name: String, _ arguments: any SQLExpressible...) {
        self.name = name
        self.arguments = arguments.map(\.sqlExpression)
        isScalar = true
    }

    /// A call of any function, be it an aggregate.
    init(name: String, arguments: [SQLExpression], isScalar: Bool = false) {
        self.name = name
        self.arguments = arguments
        self.isScalar = isScalar
    }

    var isCall: Bool { true }

    var depth: Int { 1 + arguments.depth }

    func write(to sql: inout SQLGenerationContext) throws {
        sql.append(sql: name.plainOrQuotedName)
        try sql.parenthesize { sql in
            try sql.append(arguments, separator: ", ") { try $0.write(to: &$1) }
        }
    }

    var isRowByRow: Bool { isScalar && arguments.allSatisfy(\.isRowByRow) }
}
