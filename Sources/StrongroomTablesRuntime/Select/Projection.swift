// `map` projects the columns that were selected: to others, in any order, or to fewer.

extension SelectStatement {
    /// Gives each selected value its columns.
    func terms(_ counts: [Int]) -> [[ResultColumn]] {
        var rest = _clauses.columns[...]
        return counts.map { count in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }

    /// Selects something made of the selected value.
    ///
    ///     let prices = Item.select { $0.price }
    ///     try prices.map { $0.ifnull(0) }.fetchAll(db)  // [1.5, 2.5, 0.0, 0.0]
    public func map<Value: QueryRepresentable, NewShape: RowShape>(
        @SelectionBuilder _ project: (SelectedTerm<Value>) -> ChosenColumns<NewShape>
    ) -> Select<NewShape, Tables> where Shape == Value {
        changed { $0.columns = project(SelectedTerm(_resultColumns: _clauses.columns)).columns }
    }
}

/// A value that a query has selected, to be selected again.
public struct SelectedTerm<QueryValue: QueryRepresentable>: QueryExpression {
    public typealias TermBase = QueryValue.Unwrapped
    public typealias TermValue = QueryValue
    public let _resultColumns: [ResultColumn]
    /// The SQL.
    public var queryFragment: QueryFragment { _resultColumns.map(\.fragment).commaSeparated }
}
