/// A number or word that stands in SQL as it is, because it is our own.
struct Constant: SQLNode, Hashable {
    let text: String

    var depth: Int { 0 }

    func write(to sql: inout SQLGenerationContext) {
        sql.append(sql: text)
    }

    var isRowByRow: Bool { true }

    var isLiteralNumber: Bool { Int(text) != nil }

    /// A truth value as SQLite has them: 1 or 0.
    static func bool(_ value: Bool) -> SQLExpression {
        SQLExpression(Constant(text: value ? "1" : "0"))
    }

    static func number(_ value: Int) -> SQLExpression {
        SQLExpression(Constant(text: "\(value)"))
    }

    /// A text without quotes in it.
    static func text(_ value: StaticString) -> SQLExpression {
        SQLExpression(Constant(text: "'\(value)'"))
    }

    var negated: SQLExpression? {
        switch text {
        case "0": Constant.bool(true)
        case "1": Constant.bool(false)
        default: nil
        }
    }
}
