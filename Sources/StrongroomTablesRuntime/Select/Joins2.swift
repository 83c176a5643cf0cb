// Joins of a query on 2 tables; nothing selected yet.

extension SelectStatement {
    /// Joins the pairs of rows that fulfil conditions.
    public func join<Other: SelectStatement, A, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns, C.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables3<A, B, C>>, Tables3<A, B, C>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>,
        Shape: UnselectedShape, Other.Shape: UnselectedShape
    {
        let joined = joining(.inner, other._clauses)
        let tables = joined.clauses.from.tables
        return Select(
            joined.on(
                conditions(
                    A._sideColumns(tables[0]),
                    B._sideColumns(tables[1]),
                    C._sideColumns(tables[2]))))
    }

    /// Keeps all rows so far, each with the matching rows of the other query, or nil.
    public func leftJoin<Other: SelectStatement, A, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns, C.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables3<A, B, C.AsOuter>>, Tables3<A, B, C.AsOuter>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>,
        Shape: UnselectedShape, Other.Shape: UnselectedShape
    {
        let joined = joining(.left, other._clauses)
        let tables = joined.clauses.from.tables
        return Select(
            joined.on(
                conditions(
                    A._sideColumns(tables[0]),
                    B._sideColumns(tables[1]),
                    C._sideColumns(tables[2]))))
    }

    /// Keeps all rows of the other query, each with the matching rows so far, or nil.
    public func rightJoin<Other: SelectStatement, A, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns, C.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables3<A.AsOuter, B.AsOuter, C>>, Tables3<A.AsOuter, B.AsOuter, C>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>,
        Shape: UnselectedShape, Other.Shape: UnselectedShape
    {
        let joined = joining(.right, other._clauses)
        let tables = joined.clauses.from.tables
        return Select(
            joined.on(
                conditions(
                    A._sideColumns(tables[0]),
                    B._sideColumns(tables[1]),
                    C._sideColumns(tables[2]))))
    }

    /// Keeps all rows of both sides, in pairs where they match.
    public func fullJoin<Other: SelectStatement, A, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns, C.SideColumns
        ) -> [QueryFragment]
    ) -> Select<
        WholeRows<Tables3<A.AsOuter, B.AsOuter, C.AsOuter>>,
        Tables3<A.AsOuter, B.AsOuter, C.AsOuter>
    >
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>,
        Shape: UnselectedShape, Other.Shape: UnselectedShape
    {
        let joined = joining(.full, other._clauses)
        let tables = joined.clauses.from.tables
        return Select(
            joined.on(
                conditions(
                    A._sideColumns(tables[0]),
                    B._sideColumns(tables[1]),
                    C._sideColumns(tables[2]))))
    }
}
