/// A call of an SQL function.
struct FunctionCall: SQLNode {
    let name: String
    let arguments: [SQLExpression]

    func write(to sql: inout SQLGenerationContext) throws {
        sql.append(sql: name.plainOrQuotedName)
        sql.append(sql: "(")
        try sql.append(arguments, separator: ", ") { argument, sql in
            try argument.write(to: &sql)
        }
        sql.append(sql: ")")
    }
}
