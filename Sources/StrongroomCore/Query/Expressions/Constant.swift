/// A number or word that stands in SQL as it is, because it is our own.
struct Constant: SQLNode, Hashable {
    let text: String
    /// Whether it stands where SQLite may simplify what is around it, such as `0 AND x`, to a number.
    var mayBeAllThatIsLeft = true

    var depth: Int { 0 }

    func write(to sql: inout SQLGenerationContext) {
        // SQLite would take the number that is left of a term for that of a column.
        let isHidden = sql.isInTerm && mayBeAllThatIsLeft && isLiteralNumber
        sql.append(sql: isHidden ? "CAST(\(text) AS INTEGER)" : text)
    }

    var isRowByRow: Bool { true }

    var isLiteralNumber: Bool { Int(text) != nil }

    /// A truth value as SQLite has them: 1 or 0.
    static func bool(_ value: Bool) -> SQLExpression {
        SQLExpression(Constant(text: value ? "1" : "0"))
    }

    /// A truth value with which something is compared.
    static func comparedBool(_ value: Bool) -> SQLExpression {
        number(value ? 1 : 0)
    }

    /// A number that is compared, or given to a function.
    static func number(_ value: Int) -> SQLExpression {
        SQLExpression(Constant(text: "\(value)", mayBeAllThatIsLeft: false))
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
