// Joins of a query on 5 tables; nothing selected yet.

extension SelectStatement {
    /// Joins the pairs of rows that fulfil conditions.
    public func join<Other: SelectStatement, A, B, C, D, E, F>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns, C.SideColumns, D.SideColumns, E.SideColumns, F.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables6<A, B, C, D, E, F>>, Tables6<A, B, C, D, E, F>>
    where
        Tables == Tables5<A, B, C, D, E>, Other.Tables == Tables1<F>,
        Shape: UnselectedShape, Other.Shape: UnselectedShape
    {
        let joined = joining(.inner, other._clauses)
        let tables = joined.clauses.from.tables
        return Select(
            joined.on(
                conditions(
                    A._sideColumns(tables[0]),
                    B._sideColumns(tables[1]),
                    C._sideColumns(tables[2]),
                    D._sideColumns(tables[3]),
                    E._sideColumns(tables[4]),
                    F._sideColumns(tables[5]))))
    }

    /// Keeps all rows so far, each with the matching rows of the other query, or nil.
    public func leftJoin<Other: SelectStatement, A, B, C, D, E, F>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns, C.SideColumns, D.SideColumns, E.SideColumns, F.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables6<A, B, C, D, E, F.AsOuter>>, Tables6<A, B, C, D, E, F.AsOuter>>
    where
        Tables == Tables5<A, B, C, D, E>, Other.Tables == Tables1<F>,
        Shape: UnselectedShape, Other.Shape: UnselectedShape
    {
        let joined = joining(.left, other._clauses)
        let tables = joined.clauses.from.tables
        return Select(
            joined.on(
                conditions(
                    A._sideColumns(tables[0]),
                    B._sideColumns(tables[1]),
                    C._sideColumns(tables[2]),
                    D._sideColumns(tables[3]),
                    E._sideColumns(tables[4]),
                    F._sideColumns(tables[5]))))
    }

    /// Keeps all rows of the other query, each with the matching rows so far, or nil.
    public func rightJoin<Other: SelectStatement, A, B, C, D, E, F>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns, C.SideColumns, D.SideColumns, E.SideColumns, F.SideColumns
        ) -> [QueryFragment]
    ) -> Select<
        WholeRows<Tables6<A.AsOuter, B.AsOuter, C.AsOuter, D.AsOuter, E.AsOuter, F>>,
        Tables6<A.AsOuter, B.AsOuter, C.AsOuter, D.AsOuter, E.AsOuter, F>
    >
    where
        Tables == Tables5<A, B, C, D, E>, Other.Tables == Tables1<F>,
        Shape: UnselectedShape, Other.Shape: UnselectedShape
    {
        let joined = joining(.right, other._clauses)
        let tables = joined.clauses.from.tables
        return Select(
            joined.on(
                conditions(
                    A._sideColumns(tables[0]),
                    B._sideColumns(tables[1]),
                    C._sideColumns(tables[2]),
                    D._sideColumns(tables[3]),
                    E._sideColumns(tables[4]),
                    F._sideColumns(tables[5]))))
    }

    /// Keeps all rows of both sides, in pairs where they match.
    public func fullJoin<Other: SelectStatement, A, B, C, D, E, F>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns, C.SideColumns, D.SideColumns, E.SideColumns, F.SideColumns
        ) -> [QueryFragment]
    ) -> Select<
        WholeRows<Tables6<A.AsOuter, B.AsOuter, C.AsOuter, D.AsOuter, E.AsOuter, F.AsOuter>>,
        Tables6<A.AsOuter, B.AsOuter, C.AsOuter, D.AsOuter, E.AsOuter, F.AsOuter>
    >
    where
        Tables == Tables5<A, B, C, D, E>, Other.Tables == Tables1<F>,
        Shape: UnselectedShape, Other.Shape: UnselectedShape
    {
        let joined = joining(.full, other._clauses)
        let tables = joined.clauses.from.tables
        return Select(
            joined.on(
                conditions(
                    A._sideColumns(tables[0]),
                    B._sideColumns(tables[1]),
                    C._sideColumns(tables[2]),
                    D._sideColumns(tables[3]),
                    E._sideColumns(tables[4]),
                    F._sideColumns(tables[5]))))
    }
}
