// Static queries of a type, as members of other queries on it: `Item.order(by: \.title).open`.

extension Where {
    /// The rows that a query of the type has, too.
    ///
    /// ```swift
    /// extension Item { static let open = Self.where { !$0.isDone } }
    /// let open = Item.where { $0.stars > 2 }.open
    /// ```
    public subscript(dynamicMember path: KeyPath<From.Type, Where<From>>) -> Where<From> {
        and(From.self[keyPath: path])
    }
}

extension Select where Tables.First: QuerySource {
    /// The clauses of a query of the first table, after those so far.
    public subscript(
        dynamicMember path: KeyPath<Tables.First.Type, Where<Tables.First>>
    ) -> Select<Shape, Tables> {
        changed { $0.concatenate(Tables.First.self[keyPath: path]._clauses) }
    }
}

extension TableDraft {
    /// The rows of a query of the table, as drafts.
    public static subscript(
        dynamicMember path: KeyPath<DraftedTable.Type, Where<DraftedTable>>
    ) -> Where<Self> {
        Where(DraftedTable.self[keyPath: path]._clauses)
    }
}

extension Where where From: TableDraft {
    /// The rows that a query of the table has, too.
    public subscript(
        dynamicMember path: KeyPath<From.DraftedTable.Type, Where<From.DraftedTable>>
    ) -> Where<From> {
        and(Where(From.DraftedTable.self[keyPath: path]._clauses))
    }
}
