// Joins with a query that has joins itself: "a" LEFT JOIN ("b" JOIN "c" ON …) ON …
// The condition may leave out the last table.

extension SelectStatement {
    /// Keeps the combinations of rows that fulfil conditions.
    public func join<Other: SelectStatement, A, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns,
            B.SideColumns,
            C.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables3<A, B, C>>, Tables3<A, B, C>>
    where
        Tables == Tables1<A>,
        Other.Tables == Tables2<B, C>,
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

    /// Keeps the combinations of rows that fulfil conditions.
    public func join<Other: SelectStatement, A, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns,
            B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables3<A, B, C>>, Tables3<A, B, C>>
    where
        Tables == Tables1<A>,
        Other.Tables == Tables2<B, C>,
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

    /// Keeps all rows so far, with the rows of the other query that fulfil conditions.
    public func leftJoin<Other: SelectStatement, A, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns,
            B.SideColumns,
            C.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables3<A, B.AsOuter, C.AsOuter>>, Tables3<A, B.AsOuter, C.AsOuter>>
    where
        Tables == Tables1<A>,
        Other.Tables == Tables2<B, C>,
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

    /// Keeps all rows so far, with the rows of the other query that fulfil conditions.
    public func leftJoin<Other: SelectStatement, A, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns,
            B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables3<A, B.AsOuter, C.AsOuter>>, Tables3<A, B.AsOuter, C.AsOuter>>
    where
        Tables == Tables1<A>,
        Other.Tables == Tables2<B, C>,
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
    public func rightJoin<Other: SelectStatement, A, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns,
            B.SideColumns,
            C.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables3<A.AsOuter, B, C>>, Tables3<A.AsOuter, B, C>>
    where
        Tables == Tables1<A>,
        Other.Tables == Tables2<B, C>,
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

    /// Keeps all rows of the other query, each with the matching rows so far, or nil.
    public func rightJoin<Other: SelectStatement, A, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns,
            B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables3<A.AsOuter, B, C>>, Tables3<A.AsOuter, B, C>>
    where
        Tables == Tables1<A>,
        Other.Tables == Tables2<B, C>,
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

    /// Keeps all rows of both queries, together where they fulfil conditions.
    public func fullJoin<Other: SelectStatement, A, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns,
            B.SideColumns,
            C.SideColumns
        ) -> [QueryFragment]
    ) -> Select<
        WholeRows<Tables3<A.AsOuter, B.AsOuter, C.AsOuter>>,
        Tables3<A.AsOuter, B.AsOuter, C.AsOuter>
    >
    where
        Tables == Tables1<A>,
        Other.Tables == Tables2<B, C>,
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

    /// Keeps all rows of both queries, together where they fulfil conditions.
    public func fullJoin<Other: SelectStatement, A, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns,
            B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<
        WholeRows<Tables3<A.AsOuter, B.AsOuter, C.AsOuter>>,
        Tables3<A.AsOuter, B.AsOuter, C.AsOuter>
    >
    where
        Tables == Tables1<A>,
        Other.Tables == Tables2<B, C>,
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
        Tables == Tables1<A>,
        Other.Tables == Tables3<B, C, D>,
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
            B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<WholeRows<Tables4<A, B, C, D>>, Tables4<A, B, C, D>>
    where
        Tables == Tables1<A>,
        Other.Tables == Tables3<B, C, D>,
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

    /// Keeps all rows so far, with the rows of the other query that fulfil conditions.
    public func leftJoin<Other: SelectStatement, A, B, C, D>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns,
            B.SideColumns,
            C.SideColumns,
            D.SideColumns
        ) -> [QueryFragment]
    ) -> Select<
        WholeRows<Tables4<A, B.AsOuter, C.AsOuter, D.AsOuter>>,
        Tables4<A, B.AsOuter, C.AsOuter, D.AsOuter>
    >
    where
        Tables == Tables1<A>,
        Other.Tables == Tables3<B, C, D>,
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
            B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<
        WholeRows<Tables4<A, B.AsOuter, C.AsOuter, D.AsOuter>>,
        Tables4<A, B.AsOuter, C.AsOuter, D.AsOuter>
    >
    where
        Tables == Tables1<A>,
        Other.Tables == Tables3<B, C, D>,
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
}
