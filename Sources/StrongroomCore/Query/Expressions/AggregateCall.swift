/// A call of an aggregate function: `COUNT(DISTINCT "name")`, `SUM("x") FILTER (WHERE "y" > 0)`.
///
/// <https://www.sqlite.org/lang_aggfunc.html>
struct AggregateCall: SQLNode {
    let name: String
    /// The argument; `*` if nil.
    let argument: SQLExpression?
    var isDistinct = false
    var ordering: SQLOrdering?
    var filter: SQLExpression?

    var isCall: Bool { true }

    var depth: Int { 1 + max(argument?.depth ?? 0, ordering?.depth ?? 0, filter?.depth ?? 0) }

    func write(to sql: inout SQLGenerationContext) throws {
        sql.append(sql: name)
        try sql.parenthesize { sql in
            if isDistinct { sql.append(sql: "DISTINCT ") }
            if let argument { try argument.write(to: &sql) } else { sql.append(sql: "*") }
            guard let ordering else { return }
            sql.append(sql: " ORDER BY ")
            try ordering.write(to: &sql)
        }
        guard let filter else { return }
        sql.append(sql: " FILTER ")
        try sql.parenthesize { sql in
            sql.append(sql: "WHERE ")
            try filter.write(to: &sql)
        }
    }
}
