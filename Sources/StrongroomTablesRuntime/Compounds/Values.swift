/// A row of values without a table.
///
///     Values(1, "a", true)  // SELECT 1, 'a', 1
public struct Values<Shape: RowShape>: ResultStatement {
    public typealias Row = Shape.RowValue
    let columns: [ResultColumn]

    public var query: QueryFragment { fragment(isFetched: false) }
    public var _fetchedQuery: QueryFragment { fragment(isFetched: true) }
    public var _singleQuery: QueryFragment { fragment(isFetched: true) }

    private func fragment(isFetched: Bool) -> QueryFragment {
        QueryFragment(text: "SELECT ") + columns.resultList(isFetched: isFetched)
    }

    /// A row of a table or selection.
    @_disfavoredOverload
    public init(_ row: Shape) where Shape: _ColumnGroup {
        columns = zip(row.encodedValues, Shape._layout.columns).map { value, column in
            ResultColumn(
                fragment: value.fragment, name: column.name, path: column.property,
                reading: column.reading, isNamed: true)
        }
    }

    /// A row of one value, or of a selection.
    ///
    ///     Values(name, Date(timeIntervalSince1970: 0))
    ///     // SELECT 'Milk', '1970-01-01 00:00:00.000'
    public init<A: QueryTerm>(_ value: A) where Shape == A.TermValue {
        columns = value._resultColumns
    }
}

extension Values: QueryTerm where Shape: ScalarShape {
    public typealias TermBase = Shape.SubqueryValue.Unwrapped
    public typealias TermValue = Shape.SubqueryValue
}

extension Values: OrderingExpression where Shape: ScalarShape {}

extension Values: AssignedExpression where Shape: ScalarShape {}

extension Values: QueryExpression where Shape: ScalarShape {
    public typealias QueryValue = Shape.SubqueryValue
    public typealias AssignedValue = Shape.SubqueryValue.Unwrapped
    /// The row in parentheses.
    public var queryFragment: QueryFragment { asOperand }
}
