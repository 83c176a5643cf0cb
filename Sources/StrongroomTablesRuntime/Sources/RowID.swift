// The number that SQLite gives each row of a table.

extension TableColumnsProtocol where QueryValue: Table {
    /// The number of the row, which tables WITHOUT ROWID and views do not have.
    public var rowid: SQLQueryExpression<Int64> {
        SQLQueryExpression(_table.rowid(of: QueryValue._layout))
    }
}

extension OuterColumnsProtocol where QueryValue.Unwrapped: Table {
    /// The number of the row, which tables WITHOUT ROWID and views do not have.
    public var rowid: SQLQueryExpression<Int64?> {
        SQLQueryExpression(_table.rowid(of: QueryValue.Unwrapped._layout))
    }
}

extension TableReference {
    fileprivate func rowid(of layout: TableLayout) -> QueryFragment {
        guard layout.kind == .table else {
            return QueryFragment(failure: "\"\(name)\" has no rowid")
        }
        return QueryFragment([.column(self, "rowid")], shape: .bare)
    }
}
