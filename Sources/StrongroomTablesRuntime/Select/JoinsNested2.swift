// Joins of two tables with a query that has a join itself.

extension SelectStatement {
    /// Keeps the combinations of rows that fulfil conditions.
    public func join<Other: SelectStatement, A, B, C, D>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns,
            B.SideColumns,
            C.SideColumns,
            D.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables4<A, B, C, D>>, Tables4<A, B, C, D>>
    where
        Tables == Tables2<A, B>,
        Other.Tables == Tables2<C, D>,
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
                    D._sideColumns(tables[3]))))
    }

    /// Keeps the combinations of rows that fulfil conditions.
    public func join<Other: SelectStatement, A, B, C, D>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns,
            B.SideColumns,
            C.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables4<A, B, C, D>>, Tables4<A, B, C, D>>
    where
        Tables == Tables2<A, B>,
        Other.Tables == Tables2<C, D>,
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

    /// Keeps all rows so far, with the rows of the other query that fulfil conditions.
    public func leftJoin<Other: SelectStatement, A, B, C, D>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns,
            B.SideColumns,
            C.SideColumns,
            D.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables4<A, B, C.AsOuter, D.AsOuter>>, Tables4<A, B, C.AsOuter, D.AsOuter>>
    where
        Tables == Tables2<A, B>,
        Other.Tables == Tables2<C, D>,
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
                    D._sideColumns(tables[3]))))
    }

    /// Keeps all rows so far, with the rows of the other query that fulfil conditions.
    public func leftJoin<Other: SelectStatement, A, B, C, D>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns,
            B.SideColumns,
            C.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables4<A, B, C.AsOuter, D.AsOuter>>, Tables4<A, B, C.AsOuter, D.AsOuter>>
    where
        Tables == Tables2<A, B>,
        Other.Tables == Tables2<C, D>,
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
}
