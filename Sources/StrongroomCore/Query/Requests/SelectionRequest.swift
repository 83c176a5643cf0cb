extension SelectionRequest {
    /// Selects these columns in place of those before.
    ///
    ///     // SELECT "name", "score" FROM "player"
    ///     Player.all().select(Column("name"), Column("score"))
    public func select(_ selection: any SQLSelectable...) -> Self {
        select(selection)
    }

    /// Selects these columns in place of those before.
    public func select(_ selection: [any SQLSelectable]) -> Self {
        let selection = selection.map(\.sqlSelection)
        return _refined { $0.selection = .known(selection) }
            ?? selectWhenConnected { _ in selection }
    }

    /// Selects what a literal says, which may be several columns.
    public func select(literal: SQL) -> Self {
        select([literal])
    }

    /// Selects what trusted SQL says, which may be several columns.
    public func select(sql: String, arguments: StatementArguments = StatementArguments()) -> Self {
        select(literal: SQL(sql: sql, arguments: arguments))
    }

    /// Selects these columns besides those before.
    ///
    ///     let request = Player.all().annotated(with: [Column("score") * 2])
    public func annotated(with selection: any SQLSelectable...) -> Self {
        annotated(with: selection)
    }

    /// Selects these columns besides those before.
    public func annotated(with selection: [any SQLSelectable]) -> Self {
        let selection = selection.map(\.sqlSelection)
        return _refined { $0.selection = $0.selection.map { $0 + selection } }
            ?? annotatedWhenConnected { _ in selection }
    }
}

extension SelectionRequest where Self: QueryRequest {
    public func selectWhenConnected(
        _ selection: @escaping @Sendable (Database) throws -> [any SQLSelectable]
    ) -> Self {
        refined { $0.selection = .whenConnected { try selection($0).map(\.sqlSelection) } }
    }

    public func annotatedWhenConnected(
        with selection: @escaping @Sendable (Database) throws -> [any SQLSelectable]
    ) -> Self {
        refined { query in
            let before = query.selection
            query.selection = .whenConnected(after: before.depth) { db in
                try before.value(in: SQLGenerationContext(connection: db))
                    + selection(db).map(\.sqlSelection)
            }
        }
    }
}

extension SelectionRequest where Self: TypedRequest, RowDecoder: TableRecord {
    /// Selects these columns in place of those before.
    ///
    ///     // SELECT "name", MAX("score") FROM "player"
    ///     Player.all().select { [$0.name, max($0.score)] }
    public func select(
        _ selection: (RowDecoder.DatabaseComponents) throws -> [any SQLSelectable]
    ) rethrows -> Self {
        try select(selection(RowDecoder.databaseComponents))
    }

    /// Selects a column in place of those before: `select(\.name)`.
    public func select(
        _ selection: (RowDecoder.DatabaseComponents) throws -> any SQLSelectable
    ) rethrows -> Self {
        try select([selection(RowDecoder.databaseComponents)])
    }

    /// Selects these columns besides those before.
    public func annotated(
        with selection: (RowDecoder.DatabaseComponents) throws -> [any SQLSelectable]
    ) rethrows -> Self {
        try annotated(with: selection(RowDecoder.databaseComponents))
    }

    /// Selects a column besides those before.
    public func annotated(
        with selection: (RowDecoder.DatabaseComponents) throws -> any SQLSelectable
    ) rethrows -> Self {
        try annotated(with: [selection(RowDecoder.databaseComponents)])
    }
}

extension DerivableRequest where Self: QueryRequest {
    public func distinct() -> Self {
        refined { $0.isDistinct = true }
    }
}
