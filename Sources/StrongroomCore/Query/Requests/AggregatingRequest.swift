extension AggregatingRequest {
    /// Makes one row of those that have these values in common, instead of the groups before.
    ///
    /// <https://www.sqlite.org/lang_select.html#resultset>
    ///
    ///     let bestOfTeams = Player.select(max(Column("score"))).group(Column("teamId"))
    public func group(_ expressions: any SQLExpressible...) -> Self {
        group(expressions)
    }

    /// Makes one row of those that have these values in common, instead of the groups before.
    public func group(_ expressions: [any SQLExpressible]) -> Self {
        let expressions = expressions.map(\.sqlExpression)
        return _refined { $0.groups = .known(expressions) }
            ?? groupWhenConnected { _ in expressions }
    }

    /// Makes one row of those that have in common what a literal says.
    public func group(literal: SQL) -> Self {
        // Not as an operand: it may be several expressions.
        let expression = SQLExpression(WrittenAsIs(literal: literal))
        return _refined { $0.groups = .known([expression]) }
            ?? groupWhenConnected { _ in [expression] }
    }

    /// Makes one row of those that have in common what trusted SQL says.
    public func group(sql: String, arguments: StatementArguments = StatementArguments()) -> Self {
        group(literal: SQL(sql: sql, arguments: arguments))
    }

    /// Keeps the groups for which a condition holds; those before must hold too.
    public func having(_ predicate: any SQLExpressible) -> Self {
        let predicate = predicate.sqlExpression
        return _refined { $0.groupFilters.append(.known(predicate)) }
            ?? havingWhenConnected { _ in predicate }
    }

    /// Keeps the groups for which a literal holds; conditions before must hold too.
    public func having(literal: SQL) -> Self {
        having(literal)
    }

    /// Keeps the groups for which trusted SQL holds; conditions before must hold too.
    public func having(sql: String, arguments: StatementArguments = StatementArguments()) -> Self {
        having(literal: SQL(sql: sql, arguments: arguments))
    }
}

extension AggregatingRequest where Self: QueryRequest {
    public func groupWhenConnected(
        _ expressions: @escaping @Sendable (Database) throws -> [any SQLExpressible]
    ) -> Self {
        refined { $0.groups = .whenConnected { try expressions($0).map(\.sqlExpression) } }
    }

    public func havingWhenConnected(
        _ predicate: @escaping @Sendable (Database) throws -> any SQLExpressible
    ) -> Self {
        refined { $0.groupFilters.append(.whenConnected { try predicate($0).sqlExpression }) }
    }
}

extension AggregatingRequest where Self: TypedRequest, RowDecoder: TableRecord {
    /// Makes one row of those that have these values in common.
    public func group(
        _ expressions: (RowDecoder.DatabaseComponents) throws -> [any SQLExpressible]
    ) rethrows -> Self {
        try group(expressions(RowDecoder.databaseComponents))
    }

    /// Makes one row of those that have a value in common: `group(\.teamId)`.
    public func group(
        _ expression: (RowDecoder.DatabaseComponents) throws -> any SQLExpressible
    ) rethrows -> Self {
        try group([expression(RowDecoder.databaseComponents)])
    }

    /// Keeps the groups for which a condition holds; those before must hold too.
    public func having(
        _ predicate: (RowDecoder.DatabaseComponents) throws -> SQLExpression
    ) rethrows -> Self {
        try having(predicate(RowDecoder.databaseComponents).sqlExpression)
    }

    /// The same for a column or a value of Swift: `having { _ in true }`.
    ///
    /// It is a method of its own, so that `$0.a == $0.b` is never taken for a `Bool`, and because
    /// the compiler finds the operators of long conditions soon when it knows what they make.
    @_disfavoredOverload
    public func having(
        _ predicate: (RowDecoder.DatabaseComponents) throws -> any SQLExpressible
    ) rethrows -> Self {
        try having(predicate(RowDecoder.databaseComponents).sqlExpression)
    }
}

extension AggregatingRequest where Self: TableRequest {
    /// Makes one row of those that have the primary key in common: useful with joined tables.
    ///
    ///     let request = Team.joining(optional: Team.players).groupByPrimaryKey()
    public func groupByPrimaryKey() -> Self {
        groupWhenConnected { [databaseTableName] db in
            try db.rowIdentity(of: databaseTableName).map { Column($0) }
        }
    }
}

/// A literal that stands alone between commas or keywords.
struct WrittenAsIs: SQLNode {
    let literal: SQL

    var depth: Int { 1 + literal.depth }

    func write(to sql: inout SQLGenerationContext) throws {
        try literal.write(to: &sql)
    }
}
