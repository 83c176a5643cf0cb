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
        return _refined { $0.order(by: .known(orderings)) } ?? orderWhenConnected { _ in orderings }
    }

    /// Orders the rows by a literal, which can't be reversed.
    public func order(literal: SQL) -> Self {
        order([literal])
    }

    /// Orders the rows by trusted SQL, which can't be reversed.
    public func order(sql: String, arguments: StatementArguments = StatementArguments()) -> Self {
        order(literal: SQL(sql: sql, arguments: arguments))
    }
}

extension OrderedRequest where Self: QueryRequest {
    public func orderWhenConnected(
        _ orderings: @escaping @Sendable (Database) throws -> [any SQLOrderingTerm]
    ) -> Self {
        refined { $0.order(by: .whenConnected { try orderings($0).map(\.sqlOrdering) }) }
    }

    public func reversed() -> Self {
        refined { $0.reverseOrdering() }
    }

    public func withStableOrder() -> Self {
        refined { $0.stabilizeOrdering() }
    }

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
    ///
    ///     let request = Player.all().orderByPrimaryKey()
    public func orderByPrimaryKey() -> Self {
        orderWhenConnected { [databaseTableName] db in
            try db.primaryKey(databaseTableName).columns.map { Column($0) }
        }
    }
}
