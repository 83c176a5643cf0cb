// Joins of a query on 1 table; nothing selected yet.

extension SelectStatement {
    /// Joins the pairs of rows that fulfil conditions.
    ///
    ///     let filed = Item.where { !$0.isDone }.join(Folder.all) { $0.folderID.eq($1.id) }
    ///     try filed.select { ($0.title, $1.title) }.fetchAll(db)
    ///     // [("Milk", "home"), ("Seeds", "garden")]
    public func join<Other: SelectStatement, A, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables2<A, B>>, Tables2<A, B>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>,
        Shape: UnselectedShape, Other.Shape: UnselectedShape
    {
        let joined = joining(.inner, other._clauses)
        let tables = joined.clauses.from.tables
        return Select(
            joined.on(
                conditions(
                    A._sideColumns(tables[0]),
                    B._sideColumns(tables[1]))))
    }

    /// Keeps all rows so far, each with the matching rows of the other query, or nil.
    ///
    ///     let open = Item.where { !$0.isDone }.leftJoin(Folder.all) { $0.folderID.eq($1.id) }
    ///     for (item, folder) in try open.fetchAll(db) { print(item.title, folder?.title ?? "-") }
    public func leftJoin<Other: SelectStatement, A, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables2<A, B.AsOuter>>, Tables2<A, B.AsOuter>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>,
        Shape: UnselectedShape, Other.Shape: UnselectedShape
    {
        let joined = joining(.left, other._clauses)
        let tables = joined.clauses.from.tables
        return Select(
            joined.on(
                conditions(
                    A._sideColumns(tables[0]),
                    B._sideColumns(tables[1]))))
    }

    /// Keeps all rows of the other query, each with the matching rows so far, or nil.
    ///
    ///     let shelves = Item.where(\.isDone).rightJoin(Folder.all) { $0.folderID.eq($1.id) }
    ///     try shelves.fetchCount(db)  // 2
    public func rightJoin<Other: SelectStatement, A, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables2<A.AsOuter, B>>, Tables2<A.AsOuter, B>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>,
        Shape: UnselectedShape, Other.Shape: UnselectedShape
    {
        let joined = joining(.right, other._clauses)
        let tables = joined.clauses.from.tables
        return Select(
            joined.on(
                conditions(
                    A._sideColumns(tables[0]),
                    B._sideColumns(tables[1]))))
    }

    /// Keeps all rows of both sides, in pairs where they match.
    ///
    ///     let all = Item.where(\.isDone).fullJoin(Folder.all) { $0.folderID.eq($1.id) }
    ///     try all.select { ($0.title, $1.title) }.fetchAll(db)
    ///     // [("Bread", "home"), (nil, "garden")]
    public func fullJoin<Other: SelectStatement, A, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables2<A.AsOuter, B.AsOuter>>, Tables2<A.AsOuter, B.AsOuter>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>,
        Shape: UnselectedShape, Other.Shape: UnselectedShape
    {
        let joined = joining(.full, other._clauses)
        let tables = joined.clauses.from.tables
        return Select(
            joined.on(
                conditions(
                    A._sideColumns(tables[0]),
                    B._sideColumns(tables[1]))))
    }
}
