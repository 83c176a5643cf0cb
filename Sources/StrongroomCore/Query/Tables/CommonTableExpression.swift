/// A query that has a name inside another, where it stands like a table.
///
///     let best = CommonTableExpression<Player>(
///         named: "best", request: Player.order(\.score.desc).limit(10))
///
///     // WITH "best" AS (SELECT * FROM "player" ORDER BY "score" DESC LIMIT 10)
///     // SELECT * FROM "best" WHERE "team" = 'red'
///     let request = best.all().with(best).filter(Column("team") == "red")
///
/// A recursive one refers to itself, and is written in SQL.
///
/// <https://www.sqlite.org/lang_with.html>
public struct CommonTableExpression<RowDecoder>: Sendable {
    let definition: CommonTableDefinition

    /// The name under which the query stands, without quotes.
    public var tableName: String { definition.name }

    /// Names a request.
    ///
    /// - Parameters:
    ///   - recursive: Whether the query refers to itself.
    ///   - tableName: The name of the expression in SQL.
    ///   - columns: The names of its columns; those that the query gives them if nil.
    ///   - request: The request that gives its rows.
    public init(
        recursive: Bool = false, named tableName: String, columns: [String]? = nil,
        request: some SQLSubqueryable
    ) {
        definition = CommonTableDefinition(
            name: tableName, columns: columns, isRecursive: recursive, query: request.sqlSubquery)
    }

    /// Names a query of trusted SQL.
    ///
    ///     let counter = CommonTableExpression(
    ///         recursive: true, named: "counter", columns: ["x"],
    ///         sql: "VALUES(1) UNION ALL SELECT x + 1 FROM counter WHERE x < ?", arguments: [10])
    ///
    /// - Parameters:
    ///   - recursive: Whether the query refers to itself.
    ///   - tableName: The name of the expression in SQL.
    ///   - columns: The names of its columns; those that the query gives them if nil.
    ///   - sql: The query that gives its rows.
    ///   - arguments: The values of the parameters in the SQL.
    public init(
        recursive: Bool = false, named tableName: String, columns: [String]? = nil, sql: String,
        arguments: StatementArguments = StatementArguments()
    ) {
        self.init(
            recursive: recursive, named: tableName, columns: columns,
            literal: SQL(sql: sql, arguments: arguments))
    }

    /// Names the query that a literal is.
    ///
    /// - Parameters:
    ///   - recursive: Whether the query refers to itself.
    ///   - tableName: The name of the expression in SQL.
    ///   - columns: The names of its columns; those that the query gives them if nil.
    ///   - literal: The query that gives its rows, with its arguments.
    public init(
        recursive: Bool = false, named tableName: String, columns: [String]? = nil, literal: SQL
    ) {
        self.init(
            recursive: recursive, named: tableName, columns: columns,
            request: SQLRequest<RowDecoder>(literal: literal))
    }

    /// The request for all its rows, which needs `with(_:)` to know it.
    public func all() -> QueryInterfaceRequest<RowDecoder> {
        QueryInterfaceRequest(query: SelectQuery(tableName: tableName, selection: [AllColumns()]))
    }

    /// Whether an expression is among the values that it gives: `IN "name"`.
    public func contains(_ element: some SQLExpressible) -> SQLExpression {
        SQLExpression(Membership(element: element.sqlExpression, candidates: .table(tableName)))
    }
}

extension CommonTableExpression where RowDecoder == Row {
    /// Names a request, whose rows are rows.
    public init(
        recursive: Bool = false, named tableName: String, columns: [String]? = nil,
        request: some SQLSubqueryable
    ) {
        definition = CommonTableDefinition(
            name: tableName, columns: columns, isRecursive: recursive, query: request.sqlSubquery)
    }

    /// Names a query of trusted SQL, whose rows are rows.
    public init(
        recursive: Bool = false, named tableName: String, columns: [String]? = nil, sql: String,
        arguments: StatementArguments = StatementArguments()
    ) {
        self.init(
            recursive: recursive, named: tableName, columns: columns,
            request: SQLRequest<Row>(sql: sql, arguments: arguments))
    }

    /// Names the query that a literal is, whose rows are rows.
    public init(
        recursive: Bool = false, named tableName: String, columns: [String]? = nil, literal: SQL
    ) {
        self.init(
            recursive: recursive, named: tableName, columns: columns,
            request: SQLRequest<Row>(literal: literal))
    }
}

/// What stands between `WITH` and the query that it is for.
struct CommonTableDefinition: SQLNode {
    let name: String
    let columns: [String]?
    let isRecursive: Bool
    let query: SQLSubquery

    var depth: Int { 1 + query.depth }

    func write(to sql: inout SQLGenerationContext) throws {
        sql.append(identifier: name)
        if let columns, !columns.isEmpty {
            sql.parenthesize { sql in
                sql.append(columns, separator: ", ") { $1.append(identifier: $0) }
            }
        }
        sql.append(sql: " AS ")
        try sql.parenthesize { try query.write(to: &$0) }
    }
}

extension SelectQuery {
    /// Adds a definition, in place of one of the same name.
    mutating func define(_ definition: CommonTableDefinition) {
        definitions.removeAll { $0.name.lowercased() == definition.name.lowercased() }
        definitions.append(definition)
    }

    /// Writes the definitions of what stands like tables in the query, if there are any.
    func writeDefinitions(to sql: inout SQLGenerationContext) throws {
        try Self.write(definitions, to: &sql)
    }

    static func write(
        _ definitions: [CommonTableDefinition], to sql: inout SQLGenerationContext
    ) throws {
        guard !definitions.isEmpty else { return }
        sql.append(sql: definitions.contains(where: \.isRecursive) ? "WITH RECURSIVE " : "WITH ")
        try sql.append(definitions, separator: ", ") { try $0.write(to: &$1) }
        sql.append(sql: " ")
    }
}

extension DerivableRequest where Self: QueryRequest {
    public func with(_ expression: CommonTableExpression<some Any>) -> Self {
        refined { $0.define(expression.definition) }
    }
}

extension TableRecord {
    /// A request for all rows, in which a common table expression stands like a table.
    public static func with(
        _ expression: CommonTableExpression<some Any>
    ) -> QueryInterfaceRequest<Self> {
        all().with(expression)
    }
}

extension Table {
    /// A request for all rows, in which a common table expression stands like a table.
    public func with(
        _ expression: CommonTableExpression<some Any>
    ) -> QueryInterfaceRequest<RowDecoder> {
        all().with(expression)
    }
}

extension SQLInterpolation {
    /// Adds the name of a common table expression, between quotes.
    public mutating func appendInterpolation(_ expression: CommonTableExpression<some Any>) {
        literal.append(sql: expression.tableName.quotedDatabaseIdentifier)
    }

    /// Adds the definition of a common table expression: `"name"("column") AS (SELECT …)`.
    public mutating func appendInterpolation(
        definitionFor expression: CommonTableExpression<some Any>
    ) {
        literal.append(node: expression.definition)
    }
}
