// The columns of a result.

extension SelectStatement where Shape: UnselectedShape {
    /// Selects columns.
    ///
    ///     let notes = Item.where { $0.note.isNot(nil) }.select { ($0.title, $0.note) }
    ///     for (title, note) in try notes.fetchAll(db) { print(title, note ?? "") }
    public func select<NewShape: RowShape>(
        @SelectionBuilder _ columns: (Tables.Arguments) -> ChosenColumns<NewShape>
    ) -> Select<NewShape, Tables> {
        changed { $0.columns += columns(arguments).columns }
    }

    /// Selects a column.
    public func select<Column: QueryExpression>(
        _ path: KeyPath<Tables.First.SideColumns, Column>
    ) -> Select<Column.QueryValue, Tables> {
        changed { $0.columns += firstColumns[keyPath: path]._resultColumns }
    }
}

extension SelectStatement where Shape: UnselectedShape, Tables: SeveralTables {
    /// Selects columns of the first table.
    public func select<NewShape: RowShape>(
        @SelectionBuilder _ columns: (Tables.First.SideColumns) -> ChosenColumns<NewShape>
    ) -> Select<NewShape, Tables> {
        changed { $0.columns += columns(firstColumns).columns }
    }
}

extension SelectStatement where Shape: QueryRepresentable {
    /// Selects one more column.
    public func select<Column: QueryRepresentable>(
        @SelectionBuilder _ columns: (Tables.Arguments) -> ChosenColumns<Column>
    ) -> Select<Tuple2<Shape, Column>, Tables> {
        changed { $0.columns += columns(arguments).columns }
    }

    /// Selects two more columns.
    public func select<B, C>(
        @SelectionBuilder _ columns: (Tables.Arguments) -> ChosenColumns<Tuple2<B, C>>
    ) -> Select<Tuple3<Shape, B, C>, Tables> {
        changed { $0.columns += columns(arguments).columns }
    }

    /// Selects one more column.
    public func select<Column: QueryExpression>(
        _ path: KeyPath<Tables.First.SideColumns, Column>
    ) -> Select<Tuple2<Shape, Column.QueryValue>, Tables> {
        changed { $0.columns += firstColumns[keyPath: path]._resultColumns }
    }

    /// Selects the number of rows as one more column.
    public func count() -> Select<Tuple2<Shape, Int>, Tables> {
        changed { $0.columns.append(.count) }
    }
}

extension SelectStatement {
    /// Selects one more column.
    public func select<A, B, Column: QueryRepresentable>(
        @SelectionBuilder _ columns: (Tables.Arguments) -> ChosenColumns<Column>
    ) -> Select<Tuple3<A, B, Column>, Tables> where Shape == Tuple2<A, B> {
        changed { $0.columns += columns(arguments).columns }
    }

    /// Selects one more column.
    public func select<A, B, Column: QueryExpression>(
        _ path: KeyPath<Tables.First.SideColumns, Column>
    ) -> Select<Tuple3<A, B, Column.QueryValue>, Tables> where Shape == Tuple2<A, B> {
        changed { $0.columns += firstColumns[keyPath: path]._resultColumns }
    }

    /// Selects the number of rows as one more column.
    public func count<A, B>() -> Select<Tuple3<A, B, Int>, Tables> where Shape == Tuple2<A, B> {
        changed { $0.columns.append(.count) }
    }
}

extension SelectStatement where Shape == WholeRows<Tables> {
    /// Selects the number of rows.
    ///
    ///     Item.where(\.isDone).count()  // SELECT count(*) FROM "items" WHERE "items"."isDone"
    public func count() -> Select<CertainValue<Int>, Tables> {
        changed { $0.columns = [.count] }
    }

    /// Selects the number of rows that fulfil a condition.
    public func count<Condition: QueryExpression>(
        _ condition: (Tables.Arguments) -> Condition
    ) -> Select<CertainValue<Int>, Tables> where Condition.QueryValue.Unwrapped == Bool {
        changed { clauses in
            var count = QueryFragment(text: "count(*) FILTER (WHERE ")
            count.append(condition(arguments).queryFragment)
            count.append(text: ")")
            clauses.columns = [ResultColumn(fragment: count, isAggregate: true)]
        }
    }
}

extension ResultColumn {
    static var count: ResultColumn {
        ResultColumn(
            fragment: QueryFragment(text: "count(*)", shape: .bare), isAggregate: true)
    }
}

// A select of one value is an expression.

extension Select: QueryTerm where Shape: ScalarShape {
    public typealias TermBase = Shape.SubqueryValue.Unwrapped
    public typealias TermValue = Shape.SubqueryValue
}

extension Select: OrderingExpression where Shape: ScalarShape {}

extension Select: AssignedExpression where Shape: ScalarShape {}

extension Select: QueryExpression where Shape: ScalarShape {
    public typealias QueryValue = Shape.SubqueryValue
    /// A subquery without a row is NULL, which a column without NULLs refuses.
    public typealias AssignedValue = Shape.SubqueryValue.Unwrapped
    /// The query in parentheses.
    public var queryFragment: QueryFragment { asOperand }
}
