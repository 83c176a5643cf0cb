// Joins with a query of which a column is selected.

extension SelectStatement {
    /// Joins the pairs of rows that fulfil conditions.
    public func join<Other: SelectStatement, A, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<Other.Shape, Tables2<A, B>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>,
        Shape: UnselectedShape, Other.Shape: ScalarShape
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
    ) -> Select<Other.Shape.SubqueryValue, Tables2<A, B.AsOuter>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>,
        Shape: UnselectedShape, Other.Shape: ScalarShape
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
    public func rightJoin<Other: SelectStatement, A, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<Other.Shape, Tables2<A.AsOuter, B>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>,
        Shape: UnselectedShape, Other.Shape: ScalarShape
    {
        let joined = joining(.right, other._clauses)
        let tables = joined.clauses.from.tables
        return Select(
            joined.on(
                conditions(
                    A._sideColumns(tables[0]),
                    B._sideColumns(tables[1]))))
    }

    /// Joins the pairs of rows that fulfil conditions.
    public func join<Other: SelectStatement, A, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<Tuple2<Shape, Other.Shape>, Tables2<A, B>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>,
        Shape: QueryRepresentable, Other.Shape: QueryRepresentable
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
    ) -> Select<Tuple2<Shape, Other.Shape.SubqueryValue>, Tables2<A, B.AsOuter>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>,
        Shape: QueryRepresentable, Other.Shape: QueryRepresentable
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
    public func rightJoin<Other: SelectStatement, A, B>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns
        ) -> [QueryFragment]
    ) -> Select<Tuple2<Shape.SubqueryValue, Other.Shape>, Tables2<A.AsOuter, B>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>,
        Shape: QueryRepresentable, Other.Shape: QueryRepresentable
    {
        let joined = joining(.right, other._clauses)
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
    ) -> Select<Other.Shape, Tables3<A, B, C>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>,
        Shape: UnselectedShape, Other.Shape: ScalarShape
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
    ) -> Select<Other.Shape.SubqueryValue, Tables3<A, B, C.AsOuter>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>,
        Shape: UnselectedShape, Other.Shape: ScalarShape
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
    ) -> Select<Other.Shape, Tables3<A.AsOuter, B.AsOuter, C>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>,
        Shape: UnselectedShape, Other.Shape: ScalarShape
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

    /// Joins the pairs of rows that fulfil conditions.
    public func join<Other: SelectStatement, A, B, C>(
        _ other: Other,
        @ConditionBuilder on conditions: (
            A.SideColumns, B.SideColumns, C.SideColumns
        ) -> [QueryFragment]
    ) -> Select<Tuple2<Shape, Other.Shape>, Tables3<A, B, C>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>,
        Shape: QueryRepresentable, Other.Shape: QueryRepresentable
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
    ) -> Select<Tuple2<Shape, Other.Shape.SubqueryValue>, Tables3<A, B, C.AsOuter>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>,
        Shape: QueryRepresentable, Other.Shape: QueryRepresentable
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
    ) -> Select<Tuple2<Shape.SubqueryValue, Other.Shape>, Tables3<A.AsOuter, B.AsOuter, C>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>,
        Shape: QueryRepresentable, Other.Shape: QueryRepresentable
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
}
