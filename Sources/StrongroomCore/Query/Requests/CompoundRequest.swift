/// The rows of several requests put together by `UNION`, `INTERSECT` or `EXCEPT`.
///
///     let request = Player.select(\.name, as: String.self)
///         .except(Coach.select(\.name, as: String.self))
///         .order(Column("name"))
///         .limit(10)
///
/// `union(_:)`, `unionAll(_:)`, `intersect(_:)` and `except(_:)` make it; each puts another request
/// to the rows that those before give. It is ordered by its own columns, whatever table they came
/// from, and can be a subquery or a common table expression.
public struct CompoundRequest<RowDecoder> {
    var query: CompoundQuery

    init(
        _ first: some CombinableRequest, _ operation: CompoundQuery.Operator,
        _ second: some CombinableRequest
    ) {
        query = CompoundQuery(first: first._operand, operation: operation, second: second._operand)
    }

    private init(query: CompoundQuery) {
        self.query = query
    }

    private func refined(_ change: (inout CompoundQuery) -> Void) -> Self {
        var request = self
        change(&request.query)
        return request
    }
}

extension CompoundRequest {
    /// Orders the rows by their columns, or what is computed of these, instead of the order before.
    public func order(_ orderings: any SQLOrderingTerm...) -> Self {
        order(orderings)
    }

    /// Orders the rows by their columns, or what is computed of these, instead of the order before.
    public func order(_ orderings: [any SQLOrderingTerm]) -> Self {
        let orderings = orderings.map(\.sqlOrdering)
        return refined { $0.ordering = orderings }
    }

    /// Turns the order around, if there is one.
    ///
    ///     let request = Player.all().union(Player.all()).order(Column("name")).reversed()
    public func reversed() -> Self {
        refined { $0.ordering = $0.ordering?.map(\.reversed) }
    }

    /// Leaves the order to SQLite.
    ///
    ///     let request = Player.all().union(Player.all()).order(Column("name")).unordered()
    public func unordered() -> Self {
        refined { $0.ordering = nil }
    }

    /// Gives that many rows at most, instead of the limit before.
    ///
    ///     let request = Player.all().union(Player.all()).order(Column("name")).limit(10)
    ///
    /// - Parameters:
    ///   - limit: The largest number of rows.
    ///   - offset: How many rows are left out before.
    public func limit(_ limit: Int, offset: Int? = nil) -> Self {
        refined { $0.limit = SelectQuery.Limit(count: limit, offset: offset) }
    }

    /// The same request, whose rows become another type.
    ///
    ///     let request = Player.all().union(Player.all()).asRequest(of: Row.self)
    public func asRequest<T>(of type: T.Type) -> CompoundRequest<T> {
        CompoundRequest<T>(query: query)
    }
}

extension CompoundRequest where RowDecoder: TableRecord {
    /// Orders the rows by columns of the record type, instead of the order before.
    public func order(
        _ orderings: (RowDecoder.DatabaseComponents) throws -> [any SQLOrderingTerm]
    ) rethrows -> Self {
        try order(orderings(RowDecoder.databaseComponents))
    }

    /// Orders the rows by a column of the record type: `order(\.name)`.
    public func order(
        _ ordering: (RowDecoder.DatabaseComponents) throws -> any SQLOrderingTerm
    ) rethrows -> Self {
        try order([ordering(RowDecoder.databaseComponents)])
    }
}

extension CompoundRequest: FetchRequest {
    public var sqlSubquery: SQLSubquery { SQLSubquery(query) }

    public func makePreparedRequest(
        _ db: Database, forSingleResult singleResult: Bool = false
    ) throws -> PreparedRequest {
        let source = try makeSQL(db, forSingleResult: singleResult)
        let statement = try db.makeStatement(sql: source.sql)
        try statement.setArguments(source.arguments)
        return PreparedRequest(statement: statement, adapter: try adapter(db))
    }

    public func _fetchSource(_ db: Database, forSingleResult: Bool) throws -> FetchSource {
        let (sql, arguments) = try makeSQL(db, forSingleResult: forSingleResult)
        return FetchSource(sql: sql, arguments: arguments, adapter: try adapter(db))
    }

    private func makeSQL(
        _ db: Database, forSingleResult isSingle: Bool
    ) throws -> (sql: String, arguments: StatementArguments) {
        var query = query
        if isSingle, query.limit == nil { query.limit = SelectQuery.Limit(count: 1) }
        var sql = SQLGenerationContext(connection: db)
        try query.write(to: &sql)
        return (sql.sql, sql.arguments)
    }

    /// What presents the columns of joined tables as scopes, as the first request has them.
    private func adapter(_ db: Database) throws -> (any RowAdapter)? {
        guard let select = query.first.firstSelect, select.hasJoinedTables else { return nil }
        return try AssociatedRows(select, db).adapter
    }
}

/// Queries with operators between.
struct CompoundQuery: Sendable {
    let first: CompoundOperand
    let operation: Operator
    let second: CompoundOperand
    let depth: Int
    var ordering: [SQLOrdering]?
    var limit: SelectQuery.Limit?

    enum Operator: String, Sendable {
        case union = "UNION"
        case unionAll = "UNION ALL"
        case intersect = "INTERSECT"
        case except = "EXCEPT"
    }

    init(first: CompoundOperand, operation: Operator, second: CompoundOperand) {
        let depth = max(
            first.depth + (first.isFlatAsFirst ? 1 : NestedNode.queryDepth),
            second.depth + NestedNode.queryDepth)
        let isTooDeep = depth > NestedNode.depthLimit
        self.first = isTooDeep ? CompoundOperand(content: .tooDeep) : first
        self.second = isTooDeep ? CompoundOperand(content: .tooDeep) : second
        self.depth = min(depth, NestedNode.depthLimit)
        self.operation = operation
    }
}

extension CompoundQuery: SQLNode {
    func write(to sql: inout SQLGenerationContext) throws {
        try sql.enter()
        defer { sql.leave() }
        let orderings = ordering ?? []
        if orderings.allSatisfy(\.isOfColumn) {
            try writeOperands(to: &sql)
        } else {
            // SQLite orders such rows by their columns only, but any query by what it likes.
            sql.append(sql: "SELECT * FROM ")
            try sql.parenthesize { try writeOperands(to: &$0) }
        }
        if !orderings.isEmpty {
            sql.append(sql: " ORDER BY ")
            try sql.inTable(nil) { sql in
                try sql.append(orderings, separator: ", ") { try $0.write(to: &$1) }
            }
        }
        if let limit { SelectQuery.write(limit, to: &sql) }
    }

    // The operators have one precedence: without parentheses, the first ones come first.
    private func writeOperands(to sql: inout SQLGenerationContext) throws {
        try first.writeFirst(to: &sql)
        sql.append(sql: " \(operation.rawValue) ")
        try second.write(to: &sql)
    }
}
