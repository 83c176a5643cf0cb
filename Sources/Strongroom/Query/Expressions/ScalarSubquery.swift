/// A query as a value.
struct ScalarSubquery: SQLNode {
    let subquery: SQLSubquery

    func write(to sql: inout SQLGenerationContext) throws {
        sql.append(sql: "(")
        try subquery.write(to: &sql)
        sql.append(sql: ")")
    }
}
