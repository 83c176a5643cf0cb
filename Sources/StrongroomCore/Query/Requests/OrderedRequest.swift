extension OrderedRequest {
    /// Orders the rows, instead of the ordering before.
    ///
    ///     // SELECT * FROM "player" ORDER BY "score" DESC, "name"
    ///     Player.all().order(Column("score").desc, Column("name"))
    public func order(_ orderings: any SQLOrderingTerm...) -> Self {
        order(orderings)
    }

    /// Orders the rows, instead of the ordering before.
    public func order(_ orderings: [any SQLOrderingTerm]) -> Self {
        let orderings = orderings.map(\.sqlOrdering)
        return refined { $0.order(by: .known(orderings)) }
    }

    /// Orders the rows by a literal, which can't be reversed.
    public func order(literal: SQL) -> Self {
        order([literal])
    }

    /// Orders the rows by trusted SQL, which can't be reversed.
    public func order(sql: String, arguments: StatementArguments = StatementArguments()) -> Self {
        order(literal: SQL(sql: sql, arguments: arguments))
    }

    /// Orders the rows by what a closure says when the request is turned into SQL.
    public func orderWhenConnected(
        _ orderings: @escaping @Sendable (Database) throws -> [any SQLOrderingTerm]
    ) -> Self {
        refined { $0.order(by: .whenConnected { try orderings($0).map(\.sqlOrdering) }) }
    }

    /// Turns the ordering around; without one it changes nothing.
    ///
    /// An ordering that is SQL can't be: the request throws `SQLITE_MISUSE` when its SQL is made.
    /// `SQL("…").sqlExpression` can be turned.
    public func reversed() -> Self {
        refined { $0.reverseOrdering() }
    }

    /// Orders rows that the ordering leaves open by their primary key.
    public func withStableOrder() -> Self {
        refined { $0.stabilizeOrdering() }
    }

    /// Leaves the order of rows open.
    public func unordered() -> Self {
        refined { $0.removeOrdering() }
    }
}

extension OrderedRequest where Self: TypedRequest, RowDecoder: TableRecord {
    /// Orders the rows, instead of the ordering before.
    ///
    ///     // SELECT * FROM "player" ORDER BY "score" DESC, "name"
    ///     Player.all().order { [$0.score.desc, $0.name] }
    public func order(
        _ orderings: (RowDecoder.DatabaseComponents) throws -> [any SQLOrderingTerm]
    ) rethrows -> Self {
        try order(orderings(RowDecoder.databaseComponents))
    }

    /// Orders the rows, instead of the ordering before: `order(\.score.desc)`.
    public func order(
        _ ordering: (RowDecoder.DatabaseComponents) throws -> any SQLOrderingTerm
    ) rethrows -> Self {
        try order([ordering(RowDecoder.databaseComponents)])
    }
}

extension OrderedRequest where Self: TableRequest {
    /// Orders the rows by their primary key, or by their number where there is none.
    public func orderByPrimaryKey() -> Self {
        refined { $0.orderByPrimaryKey() }
    }
}
