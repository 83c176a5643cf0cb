/// Whether a query gives a row: `EXISTS`.
struct Exists: SQLNode {
    let subquery: SQLSubquery
    var isNegated = false

    var depth: Int { 1 + subquery.depth }

    func write(to sql: inout SQLGenerationContext) throws {
        sql.append(sql: isNegated ? "NOT EXISTS " : "EXISTS ")
        try sql.parenthesize { try subquery.write(to: &$0) }
    }

    func writeOperand(to sql: inout SQLGenerationContext) throws {
        guard isNegated else { return try write(to: &sql) }
        try sql.parenthesize { try write(to: &$0) }
    }

    var negated: SQLExpression? {
        SQLExpression(Self(subquery: subquery, isNegated: !isNegated))
    }
}

extension SQLSubqueryable {
    /// Whether the query gives a row: `EXISTS (SELECT …)`.
    ///
    ///     let team = TableAlias<Team>()
    ///     // SELECT "team".* FROM "team" WHERE EXISTS (SELECT * FROM "player" WHERE "teamId" = "team"."id")
    ///     Team.aliased(team).filter(Player.filter { $0.teamId == team.id }.exists())
    public func exists() -> SQLExpression {
        SQLExpression(Exists(subquery: sqlSubquery))
    }
}
