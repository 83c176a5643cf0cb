/// Whether a text is like a pattern.
struct Like: SQLNode {
    let text: SQLExpression
    let pattern: SQLExpression
    let escape: SQLExpression?
    var isNegated = false

    var depth: Int { 1 + max(text.depth, pattern.depth, escape?.depth ?? 0) }

    func write(to sql: inout SQLGenerationContext) throws {
        try text.writeOperand(to: &sql)
        sql.append(sql: isNegated ? " NOT LIKE " : " LIKE ")
        try pattern.writeOperand(to: &sql)
        guard let escape else { return }
        sql.append(sql: " ESCAPE ")
        try escape.writeOperand(to: &sql)
    }

    func writeOperand(to sql: inout SQLGenerationContext) throws {
        try sql.parenthesize { try write(to: &$0) }
    }

    var negated: SQLExpression? {
        SQLExpression(Self(text: text, pattern: pattern, escape: escape, isNegated: !isNegated))
    }

    var isRowByRow: Bool {
        text.isRowByRow && pattern.isRowByRow && escape?.isRowByRow ?? true
    }
}

extension SQLSpecificExpressible {
    /// Whether the text is like a pattern, where `%` stands for anything and `_` for a character.
    ///
    /// SQLite takes capital letters of ASCII for small ones here, and no others.
    ///
    ///     // "email" LIKE '%@example.com'
    ///     Column("email").like("%@example.com")
    ///
    /// - Parameters:
    ///   - pattern: The pattern that the text must match.
    ///   - escape: A character that makes the `%`, `_` or itself after it stand for themselves.
    ///
    /// <https://www.sqlite.org/lang_expr.html#the_like_glob_regexp_match_and_extract_operators>
    public func like(
        _ pattern: some SQLExpressible, escape: (any SQLExpressible)? = nil
    ) -> SQLExpression {
        SQLExpression(
            Like(
                text: sqlExpression, pattern: pattern.sqlExpression,
                escape: escape?.sqlExpression))
    }
}
