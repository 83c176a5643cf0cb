public import StrongroomCore

/// A statement that gives rows and changes nothing: it stands in compounds, subqueries and CTEs.
///
/// It is a request of Strongroom: `Row.fetchAll(db, query)`, `db.dumpRequest(query)`.
public protocol ResultStatement<Row>: Statement, FetchRequest
where RowDecoder == DecodedRow<Shape> {
    /// Whether ORDER BY or LIMIT ends the statement: a part of a compound is a subquery then.
    var _endsInOrder: Bool { get }
    /// The statement that gives one row where this one gives any.
    var _existsQuery: QueryFragment { get }
    /// The statement that counts the rows.
    var _countQuery: QueryFragment { get }
}

extension ResultStatement {
    public var _endsInOrder: Bool { false }

    public var _existsQuery: QueryFragment { selecting("1") }

    public var _countQuery: QueryFragment { selecting("count(*)") }

    private func selecting(_ column: String) -> QueryFragment {
        let inner = query
        if inner.isEmpty { return inner }
        return QueryFragment(text: "SELECT \(column) FROM ")
            + QueryFragment([.subquery(inner.segments)])
    }

    /// Whether there is a row.
    ///
    ///     // Users who are somebody's boss.
    ///     let bosses = User.where { user in
    ///         User.as(Boss.self).where { $0.bossID.eq(user.id) }.exists()
    ///     }
    ///     try bosses.select(\.name).fetchAll(db)  // ["Ada"]
    public func exists() -> SQLQueryExpression<Bool> {
        let inner = _existsQuery
        if inner.isEmpty { return SQLQueryExpression(QueryFragment(.int(0))) }
        return SQLQueryExpression(
            QueryFragment([.text("EXISTS "), .subquery(inner.segments)], shape: .bare))
    }

    /// The statement in parentheses, as an expression; NULL where there is no statement.
    var asOperand: QueryFragment {
        let inner = query
        if inner.isEmpty { return QueryFragment(.null) }
        return QueryFragment([.subquery(inner.segments)], shape: .bare)
    }

    /// Counts the rows that the statement would give.
    ///
    ///     let open = try Item.where { !$0.isDone }.fetchCount(db)  // 3
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func fetchCount(_ db: Database) throws -> Int {
        guard let run = try run(db, _countQuery), try run.step() else { return 0 }
        return try run.decode { try Int(decoder: &$0) }
    }

    /// Whether the statement gives a row.
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func exists(_ db: Database) throws -> Bool {
        let inner = _existsQuery
        if inner.isEmpty { return false }
        let query = QueryFragment([.text("SELECT EXISTS "), .subquery(inner.segments)])
        guard let run = try run(db, query), try run.step() else { return false }
        return try run.decode { try Bool(decoder: &$0) }
    }

    /// Whether the statement gives no row.
    ///
    ///     let isClear = try Item.where { $0.stars > 5 }.isEmpty(db)  // true
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func isEmpty(_ db: Database) throws -> Bool { try !exists(db) }
}

extension SelectStatement {
    public var _endsInOrder: Bool {
        let clauses = _clauses.resolved
        return !clauses.orders.isEmpty || clauses.limit != nil || clauses.offset != nil
    }

    public var _existsQuery: QueryFragment {
        var clauses = _clauses.resolved
        if clauses.isEmpty { return QueryFragment() }
        if clauses.groups.isEmpty { clauses.orders = [] }
        clauses.columns = [ResultColumn(fragment: QueryFragment(text: "1"))]
        return clauses.fragment(isFetched: false)
    }

    public var _countQuery: QueryFragment { _clauses.resolved.countingQuery }
}
