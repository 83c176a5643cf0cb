// Joins that need no condition: CROSS JOIN, USING, and by a foreign key.

extension SelectClauses {
    /// Adds the source and the tables of another query, joined by a column of both.
    fileprivate func using(_ names: [String], _ joined: JoinInProgress) -> SelectClauses {
        var joined = joined
        let first = joined.clauses.from.layouts[0]
        let last = joined.clauses.from.layouts[joined.clauses.from.layouts.count - 1]
        guard names.count == 1, first.columns.contains(where: { $0.name == names[0] }),
            last.columns.contains(where: { $0.name == names[0] })
        else {
            let message = "USING needs one column that both tables have"
            joined.join.source.append(QueryFragment(failure: message))
            return joined.on([])
        }
        if !joined.moved.isEmpty {
            let message = "USING takes no conditions of the outer side: give the join a condition"
            joined.join.source.append(QueryFragment(failure: message))
        }
        joined.join.using = names[0]
        return joined.on([])
    }
}

extension SelectStatement {
    /// All pairs of rows.
    public func crossJoin<Other: SelectStatement, A, B>(
        _ other: Other
    ) -> Select<WholeRows<Tables2<A, B>>, Tables2<A, B>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>, Shape: UnselectedShape,
        Other.Shape: UnselectedShape
    {
        Select(joining(.cross, other._clauses).on([]))
    }

    /// The pairs of rows that are equal in a column that both tables have.
    public func join<Other: SelectStatement, A, B, Column: TableColumnExpression>(
        _ other: Other, using path: KeyPath<A.SideColumns, Column>
    ) -> Select<WholeRows<Tables2<A, B>>, Tables2<A, B>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>, Shape: UnselectedShape,
        Other.Shape: UnselectedShape
    {
        let names = A._sideColumns(_clauses.from.tables[0])[keyPath: path]._columnNames
        return Select(_clauses.using(names, joining(.inner, other._clauses)))
    }

    /// All rows, with those of the other table that are equal in a column that both have.
    public func leftJoin<Other: SelectStatement, A, B, Column: TableColumnExpression>(
        _ other: Other, using path: KeyPath<A.SideColumns, Column>
    ) -> Select<WholeRows<Tables2<A, B.AsOuter>>, Tables2<A, B.AsOuter>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>, Shape: UnselectedShape,
        Other.Shape: UnselectedShape
    {
        let names = A._sideColumns(_clauses.from.tables[0])[keyPath: path]._columnNames
        return Select(_clauses.using(names, joining(.left, other._clauses)))
    }

    /// The pairs of rows where a column of the first table is the key of the other.
    public func join<Other: SelectStatement, A, B, Column: QueryExpression>(
        _ other: Other, by path: KeyPath<A.SideColumns, Column>
    ) -> Select<WholeRows<Tables2<A, B>>, Tables2<A, B>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>, Shape: UnselectedShape,
        Other.Shape: UnselectedShape, B: PrimaryKeyedTable,
        Column.QueryValue.Unwrapped == B.PrimaryKey.Unwrapped
    {
        let column = A._sideColumns(_clauses.from.tables[0])[keyPath: path]
        let key = KeyExpression<B.PrimaryKey>(B._layout, other._clauses.from.tables[0])
        let condition = QueryFragment.comparison(
            column.operandFragment, "=", key.operandFragment)
        return Select(joining(.inner, other._clauses).on([condition]))
    }

    /// All rows, with that of the other table whose key is a column of the first.
    public func leftJoin<Other: SelectStatement, A, B, Column: QueryExpression>(
        _ other: Other, by path: KeyPath<A.SideColumns, Column>
    ) -> Select<WholeRows<Tables2<A, B.AsOuter>>, Tables2<A, B.AsOuter>>
    where
        Tables == Tables1<A>, Other.Tables == Tables1<B>, Shape: UnselectedShape,
        Other.Shape: UnselectedShape, B: PrimaryKeyedTable,
        Column.QueryValue.Unwrapped == B.PrimaryKey.Unwrapped
    {
        let column = A._sideColumns(_clauses.from.tables[0])[keyPath: path]
        let key = KeyExpression<B.PrimaryKey>(B._layout, other._clauses.from.tables[0])
        let condition = QueryFragment.comparison(
            column.operandFragment, "=", key.operandFragment)
        return Select(joining(.left, other._clauses).on([condition]))
    }
}

extension SelectStatement {
    /// All pairs of rows.
    public func crossJoin<Other: SelectStatement, A, B, C>(
        _ other: Other
    ) -> Select<WholeRows<Tables3<A, B, C>>, Tables3<A, B, C>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>, Shape: UnselectedShape,
        Other.Shape: UnselectedShape
    {
        Select(joining(.cross, other._clauses).on([]))
    }

    /// The pairs of rows that are equal in a column that both tables have.
    public func join<Other: SelectStatement, A, B, C, Column: TableColumnExpression>(
        _ other: Other, using path: KeyPath<A.SideColumns, Column>
    ) -> Select<WholeRows<Tables3<A, B, C>>, Tables3<A, B, C>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>, Shape: UnselectedShape,
        Other.Shape: UnselectedShape
    {
        let names = A._sideColumns(_clauses.from.tables[0])[keyPath: path]._columnNames
        return Select(_clauses.using(names, joining(.inner, other._clauses)))
    }

    /// All rows, with those of the other table that are equal in a column that both have.
    public func leftJoin<Other: SelectStatement, A, B, C, Column: TableColumnExpression>(
        _ other: Other, using path: KeyPath<A.SideColumns, Column>
    ) -> Select<WholeRows<Tables3<A, B, C.AsOuter>>, Tables3<A, B, C.AsOuter>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>, Shape: UnselectedShape,
        Other.Shape: UnselectedShape
    {
        let names = A._sideColumns(_clauses.from.tables[0])[keyPath: path]._columnNames
        return Select(_clauses.using(names, joining(.left, other._clauses)))
    }

    /// The pairs of rows where a column of the first table is the key of the other.
    public func join<Other: SelectStatement, A, B, C, Column: QueryExpression>(
        _ other: Other, by path: KeyPath<A.SideColumns, Column>
    ) -> Select<WholeRows<Tables3<A, B, C>>, Tables3<A, B, C>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>, Shape: UnselectedShape,
        Other.Shape: UnselectedShape, C: PrimaryKeyedTable,
        Column.QueryValue.Unwrapped == C.PrimaryKey.Unwrapped
    {
        let column = A._sideColumns(_clauses.from.tables[0])[keyPath: path]
        let key = KeyExpression<C.PrimaryKey>(C._layout, other._clauses.from.tables[0])
        let condition = QueryFragment.comparison(
            column.operandFragment, "=", key.operandFragment)
        return Select(joining(.inner, other._clauses).on([condition]))
    }

    /// All rows, with that of the other table whose key is a column of the first.
    public func leftJoin<Other: SelectStatement, A, B, C, Column: QueryExpression>(
        _ other: Other, by path: KeyPath<A.SideColumns, Column>
    ) -> Select<WholeRows<Tables3<A, B, C.AsOuter>>, Tables3<A, B, C.AsOuter>>
    where
        Tables == Tables2<A, B>, Other.Tables == Tables1<C>, Shape: UnselectedShape,
        Other.Shape: UnselectedShape, C: PrimaryKeyedTable,
        Column.QueryValue.Unwrapped == C.PrimaryKey.Unwrapped
    {
        let column = A._sideColumns(_clauses.from.tables[0])[keyPath: path]
        let key = KeyExpression<C.PrimaryKey>(C._layout, other._clauses.from.tables[0])
        let condition = QueryFragment.comparison(
            column.operandFragment, "=", key.operandFragment)
        return Select(joining(.left, other._clauses).on([condition]))
    }
}

extension SelectStatement {
    /// All pairs of rows.
    public func crossJoin<Other: SelectStatement, A, B, C, D>(
        _ other: Other
    ) -> Select<WholeRows<Tables4<A, B, C, D>>, Tables4<A, B, C, D>>
    where
        Tables == Tables3<A, B, C>, Other.Tables == Tables1<D>, Shape: UnselectedShape,
        Other.Shape: UnselectedShape
    {
        Select(joining(.cross, other._clauses).on([]))
    }

    /// The pairs of rows that are equal in a column that both tables have.
    public func join<Other: SelectStatement, A, B, C, D, Column: TableColumnExpression>(
        _ other: Other, using path: KeyPath<A.SideColumns, Column>
    ) -> Select<WholeRows<Tables4<A, B, C, D>>, Tables4<A, B, C, D>>
    where
        Tables == Tables3<A, B, C>, Other.Tables == Tables1<D>, Shape: UnselectedShape,
        Other.Shape: UnselectedShape
    {
        let names = A._sideColumns(_clauses.from.tables[0])[keyPath: path]._columnNames
        return Select(_clauses.using(names, joining(.inner, other._clauses)))
    }

    /// All rows, with those of the other table that are equal in a column that both have.
    public func leftJoin<Other: SelectStatement, A, B, C, D, Column: TableColumnExpression>(
        _ other: Other, using path: KeyPath<A.SideColumns, Column>
    ) -> Select<WholeRows<Tables4<A, B, C, D.AsOuter>>, Tables4<A, B, C, D.AsOuter>>
    where
        Tables == Tables3<A, B, C>, Other.Tables == Tables1<D>, Shape: UnselectedShape,
        Other.Shape: UnselectedShape
    {
        let names = A._sideColumns(_clauses.from.tables[0])[keyPath: path]._columnNames
        return Select(_clauses.using(names, joining(.left, other._clauses)))
    }

    /// The pairs of rows where a column of the first table is the key of the other.
    public func join<Other: SelectStatement, A, B, C, D, Column: QueryExpression>(
        _ other: Other, by path: KeyPath<A.SideColumns, Column>
    ) -> Select<WholeRows<Tables4<A, B, C, D>>, Tables4<A, B, C, D>>
    where
        Tables == Tables3<A, B, C>, Other.Tables == Tables1<D>, Shape: UnselectedShape,
        Other.Shape: UnselectedShape, D: PrimaryKeyedTable,
        Column.QueryValue.Unwrapped == D.PrimaryKey.Unwrapped
    {
        let column = A._sideColumns(_clauses.from.tables[0])[keyPath: path]
        let key = KeyExpression<D.PrimaryKey>(D._layout, other._clauses.from.tables[0])
        let condition = QueryFragment.comparison(
            column.operandFragment, "=", key.operandFragment)
        return Select(joining(.inner, other._clauses).on([condition]))
    }

    /// All rows, with that of the other table whose key is a column of the first.
    public func leftJoin<Other: SelectStatement, A, B, C, D, Column: QueryExpression>(
        _ other: Other, by path: KeyPath<A.SideColumns, Column>
    ) -> Select<WholeRows<Tables4<A, B, C, D.AsOuter>>, Tables4<A, B, C, D.AsOuter>>
    where
        Tables == Tables3<A, B, C>, Other.Tables == Tables1<D>, Shape: UnselectedShape,
        Other.Shape: UnselectedShape, D: PrimaryKeyedTable,
        Column.QueryValue.Unwrapped == D.PrimaryKey.Unwrapped
    {
        let column = A._sideColumns(_clauses.from.tables[0])[keyPath: path]
        let key = KeyExpression<D.PrimaryKey>(D._layout, other._clauses.from.tables[0])
        let condition = QueryFragment.comparison(
            column.operandFragment, "=", key.operandFragment)
        return Select(joining(.left, other._clauses).on([condition]))
    }
}

extension QuerySource {
    /// All pairs of rows.
    public static func crossJoin<Other: SelectStatement, B>(
        _ other: Other
    ) -> Select<WholeRows<Tables2<Self, B>>, Tables2<Self, B>>
    where Other.Tables == Tables1<B>, Other.Shape: UnselectedShape {
        Where().crossJoin(other)
    }

    /// The pairs of rows that are equal in a column that both tables have.
    public static func join<Other: SelectStatement, B, Column: TableColumnExpression>(
        _ other: Other, using path: KeyPath<SideColumns, Column>
    ) -> Select<WholeRows<Tables2<Self, B>>, Tables2<Self, B>>
    where Other.Tables == Tables1<B>, Other.Shape: UnselectedShape {
        Where().join(other, using: path)
    }

    /// All rows, with those of the other table that are equal in a column that both have.
    public static func leftJoin<Other: SelectStatement, B, Column: TableColumnExpression>(
        _ other: Other, using path: KeyPath<SideColumns, Column>
    ) -> Select<WholeRows<Tables2<Self, B.AsOuter>>, Tables2<Self, B.AsOuter>>
    where Other.Tables == Tables1<B>, Other.Shape: UnselectedShape {
        Where().leftJoin(other, using: path)
    }

    /// The pairs of rows where a column of this table is the key of the other.
    public static func join<Other: SelectStatement, B, Column: QueryExpression>(
        _ other: Other, by path: KeyPath<SideColumns, Column>
    ) -> Select<WholeRows<Tables2<Self, B>>, Tables2<Self, B>>
    where
        Other.Tables == Tables1<B>, Other.Shape: UnselectedShape, B: PrimaryKeyedTable,
        Column.QueryValue.Unwrapped == B.PrimaryKey.Unwrapped
    {
        Where().join(other, by: path)
    }

    /// All rows, with that of the other table whose key is a column of this one.
    public static func leftJoin<Other: SelectStatement, B, Column: QueryExpression>(
        _ other: Other, by path: KeyPath<SideColumns, Column>
    ) -> Select<WholeRows<Tables2<Self, B.AsOuter>>, Tables2<Self, B.AsOuter>>
    where
        Other.Tables == Tables1<B>, Other.Shape: UnselectedShape, B: PrimaryKeyedTable,
        Column.QueryValue.Unwrapped == B.PrimaryKey.Unwrapped
    {
        Where().leftJoin(other, by: path)
    }
}

extension PrimaryKeyedColumns where QueryValue: PrimaryKeyedTable {
    /// Whether a query has a row whose column is the key of this row.
    public func has<Other: SelectStatement, B: QuerySource, Column: QueryExpression>(
        _ other: Other, by path: KeyPath<B.SideColumns, Column>
    ) -> SQLQueryExpression<Bool>
    where
        Other.Tables == Tables1<B>,
        Column.QueryValue.Unwrapped == QueryValue.PrimaryKey.Unwrapped
    {
        let key = KeyExpression<QueryValue.PrimaryKey>(QueryValue._layout, _table)
        let column = B._sideColumns(other._clauses.from.tables[0])[keyPath: path]
        var clauses = other._clauses.resolved
        clauses.add([.comparison(column.operandFragment, "=", key.operandFragment)])
        return Select<Other.Shape, Other.Tables>(clauses).exists()
    }
}
