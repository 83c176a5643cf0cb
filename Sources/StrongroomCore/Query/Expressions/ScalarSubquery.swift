/// A query as a value.
struct ScalarSubquery: SQLNode {
    let subquery: SQLSubquery

    var depth: Int { 1 + subquery.depth }

    func write(to sql: inout SQLGenerationContext) throws {
        sql.append(sql: "(")
        try subquery.write(to: &sql)
        sql.append(sql: ")")
    }
}
