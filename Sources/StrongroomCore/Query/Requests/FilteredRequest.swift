extension FilteredRequest {
    /// Keeps the rows for which a condition holds; those before must hold too.
    ///
    ///     // SELECT * FROM "player" WHERE "score" > 1000
    ///     Player.all().filter(Column("score") > 1000)
    ///
    /// The parameter is no generic one: beside the closure's, that costs the compiler much time.
    public func filter(_ predicate: any SQLSpecificExpressible) -> Self {
        let predicate = predicate.sqlExpression
        return _refined { $0.filters.append(.known(predicate)) }
            ?? filterWhenConnected { _ in predicate }
    }

    /// Keeps the rows for which a literal holds; conditions before must hold too.
    public func filter(literal: SQL) -> Self {
        filter(literal)
    }

    /// Keeps the rows for which trusted SQL holds; conditions before must hold too.
    public func filter(sql: String, arguments: StatementArguments = StatementArguments()) -> Self {
        filter(literal: SQL(sql: sql, arguments: arguments))
    }

    /// Keeps all rows: the same request.
    ///
    ///     let everything = Player.filter(Column("score") > 100).all()
    public func all() -> Self { self }

    /// Keeps no row, whatever comes after.
    ///
    ///     let nothing = Player.all().none()
    public func none() -> Self {
        let none = _refined { query in
            query.filters = [.known(Constant.bool(false))]
            query.isNone = true
        }
        return none ?? filterWhenConnected { _ in Constant.bool(false) }
    }
}

extension FilteredRequest where Self: QueryRequest {
    public func filterWhenConnected(
        _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
    ) -> Self {
        refined { $0.filters.append(.whenConnected { try predicate($0).sqlExpression }) }
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
