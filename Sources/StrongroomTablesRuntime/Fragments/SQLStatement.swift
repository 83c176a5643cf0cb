public import StrongroomCore

/// SQL that gives no rows, one statement or several: what `#sql` makes without a type.
public struct SQLStatement: Sendable {
    /// The SQL.
    public let queryFragment: QueryFragment

    /// Makes a statement of SQL.
    public init(_ fragment: QueryFragment) { queryFragment = fragment }

    /// The SQL, with bound values apart.
    public var query: QueryFragment { queryFragment }

    /// Runs the statements in their order.
    ///
    ///     try #sql("UPDATE items SET stars = \(bind: 5) WHERE title = \(bind: name)").execute(db)
    ///     try Item.where { $0.title.eq(name) }.select(\.stars).fetchOne(db)  // 5
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func execute(_ db: Database) throws {
        if let failure = queryFragment.failure { throw failure }
        let (sql, bindings) = queryFragment.prepare { _ in "?" }
        try db.execute(
            sql: sql, arguments: StatementArguments(unchecked: bindings.map(\.databaseValue)))
    }
}

extension SQLStatement: Statement {
    public typealias Row = Void
    public typealias Shape = NoRows
}

extension SQLStatement: OrderingExpression {
    public var _orderingTerms: [OrderingTerm] {
        [OrderingTerm(terms: [OrderTerm(term: queryFragment)])]
    }
}

extension ConditionBuilder {
    /// A condition in SQL.
    public static func buildExpression(_ condition: SQLStatement) -> [QueryFragment] {
        [condition.queryFragment]
    }
}

/// SQL that gives rows of several values.
public struct SQLRows<Shape: RowShape>: ResultStatement {
    public typealias Row = Shape.RowValue
    /// The SQL, with bound values apart.
    public let query: QueryFragment
    public var _checksNames: Bool { true }
}

extension SQLQueryExpression: Statement {
    public typealias Row = QueryValue.QueryOutput
    public typealias Shape = QueryValue
    /// The SQL, with bound values apart.
    public var query: QueryFragment { queryFragment }
    public var _checksNames: Bool { true }
}

/// What `#sql` makes of SQL with a type.
public func _sql<Value: QueryRepresentable>(
    _ fragment: QueryFragment, as type: Value.Type = Value.self
) -> SQLQueryExpression<Value> {
    SQLQueryExpression(fragment)
}

/// What `#sql` makes of SQL without a type.
public func _sql(_ fragment: QueryFragment) -> SQLStatement { SQLStatement(fragment) }
