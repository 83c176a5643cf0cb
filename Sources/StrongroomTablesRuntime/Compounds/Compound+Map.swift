// `map` makes other rows of those of a compound: of their columns in another order, or of fewer.

/// Rows made of the columns of a compound.
public struct MappedCompound<Shape: RowShape>: ResultStatement {
    public typealias Row = Shape.RowValue
    let compound: QueryFragment
    /// The number of columns that the compound has.
    let count: Int
    let columns: [ResultColumn]

    /// The SQL, with bound values apart.
    public var query: QueryFragment { fragment(isFetched: false) }
    public var _fetchedQuery: QueryFragment { fragment(isFetched: true) }
    public var _singleQuery: QueryFragment {
        let query = fragment(isFetched: true)
        return query.isEmpty ? query : query + QueryFragment(text: " LIMIT 1")
    }

    private func fragment(isFetched: Bool) -> QueryFragment {
        if compound.isEmpty { return QueryFragment() }
        // The columns of a compound may have any names: here they get their own.
        let names = (1...count).map { "c\($0)".quotedIdentifier }.joined(separator: ", ")
        return QueryFragment(text: "WITH \(mappedName) (\(names)) AS ")
            + QueryFragment([.subquery(compound.segments)]) + QueryFragment(text: " SELECT ")
            + columns.resultList(isFetched: isFetched)
            + QueryFragment(text: " FROM \(mappedName)")
    }
}

private let mappedName = "\"compound\""

/// Gives out the columns of a compound from left to right.
struct MappedColumns {
    var count = 0

    mutating func next<Value: QueryRepresentable>(
        _ type: Value.Type
    ) -> SelectedTerm<Value> {
        var descriptions = ColumnDescriptions()
        descriptions.add("column", type)
        let columns = descriptions.columns.map { column in
            count += 1
            let name = "c\(count)".quotedIdentifier
            return ResultColumn(
                fragment: QueryFragment(text: mappedName + "." + name, shape: .bare),
                reading: column.reading)
        }
        return SelectedTerm(_resultColumns: columns)
    }
}

extension Compound {
    func mapped<NewShape: RowShape>(
        _ columns: MappedColumns, _ chosen: ChosenColumns<NewShape>
    ) -> MappedCompound<NewShape> {
        MappedCompound(compound: query, count: columns.count, columns: chosen.columns)
    }
}

extension Compound where Shape: QueryRepresentable {
    /// Makes something else of the value of each row.
    ///
    ///     let names = Folder.select(\.title).union(Item.select(\.title)).map { $0.upper() }
    ///     try names.fetchAll(db).contains("GARDEN")  // true
    public func map<NewShape: RowShape>(
        @SelectionBuilder _ project: (SelectedTerm<Shape>) -> ChosenColumns<NewShape>
    ) -> MappedCompound<NewShape> {
        var next = MappedColumns()
        let a = next.next(Shape.self)
        return mapped(next, project(a))
    }
}

extension MappedCompound: QueryTerm where Shape: ScalarShape {
    public typealias TermBase = Shape.SubqueryValue.Unwrapped
    public typealias TermValue = Shape.SubqueryValue.Unwrapped?
}

extension MappedCompound: OrderingExpression where Shape: ScalarShape {}

extension MappedCompound: AssignedExpression where Shape: ScalarShape {}

extension MappedCompound: QueryExpression where Shape: ScalarShape {
    public typealias QueryValue = Shape.SubqueryValue.Unwrapped?
    public typealias AssignedValue = Shape.SubqueryValue.Unwrapped
    /// The query in parentheses.
    public var queryFragment: QueryFragment { asOperand }
}
