// Joins of a query of which columns are selected.

extension SelectStatement {
    /// Joins the pairs of rows that fulfil conditions.
    public func join<Other: SelectStatement, A, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<Shape, Tables2<A, B>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>,
        Shape: SelectedShape, Other.Shape: UnselectedShape
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
    public func leftJoin<Other: SelectStatement, A, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<Shape, Tables2<A, B.AsOuter>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>,
        Shape: SelectedShape, Other.Shape: UnselectedShape
    {
        let joined = joining(.left, other._clauses)
        let tables = joined.clauses.from.tables
        return Select(
            joined.on(
                conditions(
                    A._sideColumns(tables[0]),
                    B._sideColumns(tables[1]))))
    }

    /// Joins the pairs of rows that fulfil conditions.
    public func join<Other: SelectStatement, A, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns, C.SideColumns
        ) -> [QueryFragment]
    ) -> Select<Shape, Tables3<A, B, C>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>,
        Shape: SelectedShape, Other.Shape: UnselectedShape
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
    ) -> Select<Shape, Tables3<A, B, C.AsOuter>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>,
        Shape: SelectedShape, Other.Shape: UnselectedShape
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

    /// Joins the pairs of rows that fulfil conditions.
    public func join<Other: SelectStatement, A, B, C, D>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns, C.SideColumns, D.SideColumns
        ) -> [QueryFragment]
    ) -> Select<Shape, Tables4<A, B, C, D>>
    where
        Tables == Tables3<A, B, C>, Other.Tables == Tables1<D>,
        Shape: SelectedShape, Other.Shape: UnselectedShape
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

    /// Keeps all rows so far, each with the matching rows of the other query, or nil.
    public func leftJoin<Other: SelectStatement, A, B, C, D>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns, C.SideColumns, D.SideColumns
        ) -> [QueryFragment]
    ) -> Select<Shape, Tables4<A, B, C, D.AsOuter>>
    where
        Tables == Tables3<A, B, C>, Other.Tables == Tables1<D>,
        Shape: SelectedShape, Other.Shape: UnselectedShape
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
}
