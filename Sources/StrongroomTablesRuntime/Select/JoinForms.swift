// What joins by USING and by a foreign key have in common.

extension SelectClauses {
    /// Adds the source and the tables of another query, joined by a column of both.
    func using(_ names: [String], _ joined: JoinInProgress) -> SelectClauses {
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
