/// The value of an expression, converted to a type of content.
///
///     // CAST("score" AS TEXT)
///     cast(Column("score"), as: .text)
///
/// <https://www.sqlite.org/lang_expr.html#castexpr>
public func cast(
    _ expression: some SQLSpecificExpressible, as storageClass: Database.StorageClass
) -> SQLExpression {
    SQLExpression(Cast(expression: expression.sqlExpression, storageClass: storageClass))
}

private struct Cast: SQLNode {
    let expression: SQLExpression
    let storageClass: Database.StorageClass

    var depth: Int { 1 + expression.depth }

    func write(to sql: inout SQLGenerationContext) throws {
        sql.append(sql: "CAST(")
        try expression.write(to: &sql)
        sql.append(sql: " AS \(storageClass.rawValue.plainOrQuotedName))")
    }

    var isRowByRow: Bool { expression.isRowByRow }
}
