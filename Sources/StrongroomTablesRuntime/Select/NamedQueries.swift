// Queries that a table declares as static members go on from any query on it: `Item.all.open`.

extension Where {
    /// The rows that a query declared by the table keeps, too.
    public subscript(dynamicMember path: KeyPath<From.Type, Where<From>>) -> Where<From> {
        Where(_clauses.followed(by: From.self[keyPath: path]._clauses))
    }

    /// The clauses of a query declared by the table, after those so far.
    public subscript<Shape, Tables>(
        dynamicMember path: KeyPath<From.Type, Select<Shape, Tables>>
    ) -> Select<Shape, Tables> where Tables.First == From {
        Select(_clauses.followed(by: From.self[keyPath: path]._clauses))
    }
}

extension Where where From: TableDraft {
    /// The rows that a query declared by the table keeps, too.
    public subscript(
        dynamicMember path: KeyPath<From.DraftedTable.Type, Where<From.DraftedTable>>
    ) -> Where<From> {
        Where(_clauses.followed(by: From.DraftedTable.self[keyPath: path]._clauses))
    }
}

extension TableDraft {
    /// The rows that a query declared by the table keeps, as drafts.
    public static subscript(
        dynamicMember path: KeyPath<DraftedTable.Type, Where<DraftedTable>>
    ) -> Where<Self> {
        Where(Where<Self>()._clauses.followed(by: DraftedTable.self[keyPath: path]._clauses))
    }
}

extension Select where Tables.First: QuerySource {
    /// The rows that a query declared by the first table keeps, too.
    public subscript(
        dynamicMember path: KeyPath<Tables.First.Type, Where<Tables.First>>
    ) -> Select<Shape, Tables> {
        Select(_clauses.followed(by: Tables.First.self[keyPath: path]._clauses))
    }
}

extension Select where Tables: SeveralTables, Tables.First: QuerySource {
    /// The clauses of a query declared by the first table, after those so far.
    public subscript<Other: UnselectedShape>(
        dynamicMember path: KeyPath<Tables.First.Type, Select<Other, Tables1<Tables.First>>>
    ) -> Select<Shape, Tables> {
        Select(_clauses.followed(by: Tables.First.self[keyPath: path]._clauses))
    }
}

extension Select where Shape: UnselectedShape {
    /// The clauses of a query declared by the table, after those so far.
    public subscript<From, NewShape, NewTables>(
        dynamicMember path: KeyPath<From.Type, Select<NewShape, NewTables>>
    ) -> Select<NewShape, NewTables> where Tables == Tables1<From>, NewTables.First == From {
        Select<NewShape, NewTables>(_clauses.followed(by: From.self[keyPath: path]._clauses))
    }
}

extension SelectClauses {
    /// These clauses, and those of a query on the same table, which may have joins of its own.
    fileprivate func followed(by other: SelectClauses) -> SelectClauses {
        let alias = from.tables[0].alias
        let next = alias == other.from.tables[0].alias ? other : other.renamed(alias ?? "")
        var result = self
        result.from.joins += next.from.joins
        result.from.tables += next.from.tables.dropFirst()
        result.from.layouts += next.from.layouts.dropFirst()
        result.windows += next.windows
        result.concatenate(next)
        return result
    }
}
