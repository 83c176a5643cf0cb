extension FilteredRequest {
    /// Keeps the rows for which a condition holds; those before must hold too.
    ///
    ///     // SELECT * FROM "player" WHERE "score" > 1000
    ///     Player.all().filter(Column("score") > 1000)
    ///
    /// The parameter is no generic one: beside the closure's, that costs the compiler much time.
    public func filter(_ predicate: any SQLSpecificExpressible) -> Self {
        let predicate = predicate.sqlExpression
        return refined { $0.filters.append(.known(predicate)) }
    }

    /// Keeps the rows for which a literal holds; conditions before must hold too.
    public func filter(literal: SQL) -> Self {
        filter(literal)
    }

    /// Keeps the rows for which trusted SQL holds; conditions before must hold too.
    public func filter(sql: String, arguments: StatementArguments = StatementArguments()) -> Self {
        filter(literal: SQL(sql: sql, arguments: arguments))
    }

    /// Keeps the rows for which holds what a closure says when the request is turned into SQL.
    public func filterWhenConnected(
        _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
    ) -> Self {
        refined { $0.filters.append(.whenConnected { try predicate($0).sqlExpression }) }
    }

    /// Keeps all rows: the same request.
    public func all() -> Self { self }

    /// Keeps no row, whatever comes after.
    public func none() -> Self {
        refined { query in
            query.filters = [.known(Constant.bool(false))]
            query.isNone = true
        }
    }
}

extension FilteredRequest where Self: TypedRequest, RowDecoder: TableRecord {
    /// Keeps the rows for which a condition holds; those before must hold too.
    ///
    ///     // SELECT * FROM "player" WHERE "score" > 1000
    ///     Player.all().filter { $0.score > 1000 }
    public func filter(
        _ predicate: (RowDecoder.DatabaseComponents) throws -> SQLExpression
    ) rethrows -> Self {
        try filter(predicate(RowDecoder.databaseComponents).sqlExpression)
    }

    /// The same for a column or a value of Swift: `filter { _ in true }`.
    ///
    /// It is a method of its own, so that `$0.a == $0.b` is never taken for a `Bool`, and because
    /// the compiler finds the operators of long conditions soon when it knows what they make.
    @_disfavoredOverload
    public func filter(
        _ predicate: (RowDecoder.DatabaseComponents) throws -> any SQLExpressible
    ) rethrows -> Self {
        try filter(predicate(RowDecoder.databaseComponents).sqlExpression)
    }
}
