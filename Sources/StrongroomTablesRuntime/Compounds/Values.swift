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

    /// A row of 2 values.
    public init<A: QueryTerm, B: QueryTerm>(
        _ a: A, _ b: B
    ) where Shape == Tuple2<A.TermValue, B.TermValue> {
        columns = [a._resultColumns, b._resultColumns].flatMap { $0 }
    }

    /// A row of 3 values.
    public init<A: QueryTerm, B: QueryTerm, C: QueryTerm>(
        _ a: A, _ b: B, _ c: C
    ) where Shape == Tuple3<A.TermValue, B.TermValue, C.TermValue> {
        columns = [a._resultColumns, b._resultColumns, c._resultColumns].flatMap { $0 }
    }

    /// A row of 4 values.
    public init<A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm>(
        _ a: A, _ b: B, _ c: C, _ d: D
    ) where Shape == Tuple4<A.TermValue, B.TermValue, C.TermValue, D.TermValue> {
        columns = [a._resultColumns, b._resultColumns, c._resultColumns, d._resultColumns].flatMap {
            $0
        }
    }

    /// A row of 5 values.
    public init<A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
    ) where Shape == Tuple5<A.TermValue, B.TermValue, C.TermValue, D.TermValue, E.TermValue> {
        columns = [
            a._resultColumns, b._resultColumns, c._resultColumns, d._resultColumns,
            e._resultColumns,
        ].flatMap { $0 }
    }

    /// A row of 6 values.
    public init<A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm, F: QueryTerm>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F
    )
    where
        Shape == Tuple6<
            A.TermValue, B.TermValue, C.TermValue, D.TermValue, E.TermValue, F.TermValue
        >
    {
        columns = [
            a._resultColumns, b._resultColumns, c._resultColumns, d._resultColumns,
            e._resultColumns, f._resultColumns,
        ].flatMap { $0 }
    }

    /// A row of 7 values.
    public init<
        A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm, F: QueryTerm,
        G: QueryTerm
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
    )
    where
        Shape == Tuple7<
            A.TermValue, B.TermValue, C.TermValue, D.TermValue, E.TermValue, F.TermValue,
            G.TermValue
        >
    {
        columns = [
            a._resultColumns, b._resultColumns, c._resultColumns, d._resultColumns,
            e._resultColumns, f._resultColumns, g._resultColumns,
        ].flatMap { $0 }
    }

    /// A row of 8 values.
    public init<
        A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm, F: QueryTerm,
        G: QueryTerm, H: QueryTerm
    >(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
    )
    where
        Shape == Tuple8<
            A.TermValue, B.TermValue, C.TermValue, D.TermValue, E.TermValue, F.TermValue,
            G.TermValue, H.TermValue
        >
    {
        columns = [
            a._resultColumns, b._resultColumns, c._resultColumns, d._resultColumns,
            e._resultColumns, f._resultColumns, g._resultColumns, h._resultColumns,
        ].flatMap { $0 }
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
