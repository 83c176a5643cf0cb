// Which case of an enum a row holds.

extension CaseColumns {
    /// Whether the row holds this case.
    public func `is`<Case: ColumnReference>(
        _ path: KeyPath<Self, Case>
    ) -> SQLQueryExpression<Bool> {
        self[keyPath: path].isSet
    }

    /// Whether the row holds another case, or none.
    public func isNot<Case: ColumnReference>(
        _ path: KeyPath<Self, Case>
    ) -> SQLQueryExpression<Bool> {
        self[keyPath: path].isMissing
    }
}

extension OuterColumnsProtocol where Inner: CaseColumns {
    /// Whether the row holds this case.
    public func `is`<Case: ColumnReference>(
        _ path: KeyPath<Self, Case>
    ) -> SQLQueryExpression<Bool> {
        self[keyPath: path].isSet
    }

    /// Whether the row holds another case, or none.
    public func isNot<Case: ColumnReference>(
        _ path: KeyPath<Self, Case>
    ) -> SQLQueryExpression<Bool> {
        self[keyPath: path].isMissing
    }
}

extension ColumnReference {
    fileprivate var isSet: SQLQueryExpression<Bool> { compare("IS NOT", QueryValue.nulls) }
    fileprivate var isMissing: SQLQueryExpression<Bool> { compare("IS", QueryValue.nulls) }
}

extension Assignments {
    /// Sets the columns of other cases to NULL, after those of one were assigned.
    mutating func keepOneCase(of layout: TableLayout, before: Assignments) {
        let changed = layout.columns.last { self[$0.name] != before[$0.name] }
        guard let changed else { return }
        for column in layout.columns where column.memberIndex != changed.memberIndex {
            self[column.name] = QueryFragment(.null)
        }
    }
}
