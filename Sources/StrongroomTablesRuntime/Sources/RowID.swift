// The number that SQLite gives each row of a table.

/// Rows with a number of their own.
public enum _NumberedRows {}

/// Rows of a view, or of a table WITHOUT ROWID.
public enum _UnnumberedRows {}

extension TableColumnsProtocol where QueryValue: Table, QueryValue._Rows == _NumberedRows {
    /// The number of the row, which tables WITHOUT ROWID and views do not have.
    public var rowid: SQLQueryExpression<Int64> {
        SQLQueryExpression(_table.rowid(of: QueryValue._layout))
    }
}

extension OuterColumnsProtocol
where QueryValue.Unwrapped: Table, QueryValue.Unwrapped._Rows == _NumberedRows {
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
