// `map` projects the columns that were selected: to others, in any order, or to fewer.

extension SelectStatement {
    /// Gives each selected value its columns.
    private func terms(_ counts: [Int]) -> [[ResultColumn]] {
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

    /// Selects something made of the selected values.
    public func map<A, B, NewShape: RowShape>(
        @SelectionBuilder _ project: (
            SelectedTerm<A>, SelectedTerm<B>
        ) -> ChosenColumns<NewShape>
    ) -> Select<NewShape, Tables> where Shape == Tuple2<A, B> {
        let t = terms([A._columnCount, B._columnCount])
        let projected = project(
            .init(_resultColumns: t[0]), .init(_resultColumns: t[1]))
        return changed { $0.columns = projected.columns }
    }

    /// Selects something made of the selected values.
    public func map<A, B, C, NewShape: RowShape>(
        @SelectionBuilder _ project: (
            SelectedTerm<A>, SelectedTerm<B>, SelectedTerm<C>
        ) -> ChosenColumns<NewShape>
    ) -> Select<NewShape, Tables> where Shape == Tuple3<A, B, C> {
        let t = terms([A._columnCount, B._columnCount, C._columnCount])
        let projected = project(
            .init(_resultColumns: t[0]), .init(_resultColumns: t[1]), .init(_resultColumns: t[2]))
        return changed { $0.columns = projected.columns }
    }

    /// Selects something made of the selected values.
    public func map<A, B, C, D, NewShape: RowShape>(
        @SelectionBuilder _ project: (
            SelectedTerm<A>, SelectedTerm<B>, SelectedTerm<C>, SelectedTerm<D>
        ) -> ChosenColumns<NewShape>
    ) -> Select<NewShape, Tables> where Shape == Tuple4<A, B, C, D> {
        let t = terms([A._columnCount, B._columnCount, C._columnCount, D._columnCount])
        let projected = project(
            .init(_resultColumns: t[0]), .init(_resultColumns: t[1]), .init(_resultColumns: t[2]),
            .init(_resultColumns: t[3]))
        return changed { $0.columns = projected.columns }
    }

    /// Selects something made of the selected values.
    public func map<A, B, C, D, E, NewShape: RowShape>(
        @SelectionBuilder _ project: (
            SelectedTerm<A>, SelectedTerm<B>, SelectedTerm<C>, SelectedTerm<D>, SelectedTerm<E>
        ) -> ChosenColumns<NewShape>
    ) -> Select<NewShape, Tables> where Shape == Tuple5<A, B, C, D, E> {
        let t = terms([
            A._columnCount, B._columnCount, C._columnCount, D._columnCount, E._columnCount,
        ])
        let projected = project(
            .init(_resultColumns: t[0]), .init(_resultColumns: t[1]), .init(_resultColumns: t[2]),
            .init(_resultColumns: t[3]), .init(_resultColumns: t[4]))
        return changed { $0.columns = projected.columns }
    }

    /// Selects something made of the selected values.
    public func map<A, B, C, D, E, F, NewShape: RowShape>(
        @SelectionBuilder _ project: (
            SelectedTerm<A>, SelectedTerm<B>, SelectedTerm<C>, SelectedTerm<D>, SelectedTerm<E>,
            SelectedTerm<F>
        ) -> ChosenColumns<NewShape>
    ) -> Select<NewShape, Tables> where Shape == Tuple6<A, B, C, D, E, F> {
        let t = terms([
            A._columnCount, B._columnCount, C._columnCount, D._columnCount, E._columnCount,
            F._columnCount,
        ])
        let projected = project(
            .init(_resultColumns: t[0]), .init(_resultColumns: t[1]), .init(_resultColumns: t[2]),
            .init(_resultColumns: t[3]), .init(_resultColumns: t[4]), .init(_resultColumns: t[5]))
        return changed { $0.columns = projected.columns }
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
