// UNION, INTERSECT and EXCEPT of statements with rows of one type; one of two values may be optional.

extension ResultStatement {
    /// The rows of both statements; with `all`, rows that both have stay twice.
    ///
    ///     let names = Item.select(\.title).union(Folder.select(\.title)).order { $0 }
    ///     try names.limit(3).fetchAll(db)  // ["Bread", "Call Ada", "Milk"]
    public func union<Other: ResultStatement>(
        all: Bool = false, _ other: Other
    ) -> Compound<Shape> where Other.Row == Row {
        Compound(self, all ? .unionAll : .union, other)
    }

    /// The rows that both statements have.
    ///
    ///     // Years with something done and something open.
    ///     let done = Item.where(\.isDone).select(\.year)
    ///     try Item.where { !$0.isDone }.select(\.year).intersect(done).fetchAll(db)  // [2026]
    public func intersect<Other: ResultStatement>(
        _ other: Other
    ) -> Compound<Shape> where Other.Row == Row {
        Compound(self, .intersect, other)
    }

    /// The rows that the other statement does not have.
    ///
    ///     // Folders without items.
    ///     let used = Item.select(\.folderID)
    ///     try Folder.select(\.id).except(used).fetchAll(db)  // []
    public func except<Other: ResultStatement>(
        _ other: Other
    ) -> Compound<Shape> where Other.Row == Row {
        Compound(self, .except, other)
    }
}

extension ResultStatement where Shape: ScalarShape {
    /// The values of both statements; with `all`, values that both have stay twice.
    @_disfavoredOverload
    public func union<Other: ResultStatement>(
        all: Bool = false, _ other: Other
    ) -> Compound<Shape.SubqueryValue.Unwrapped?>
    where
        Other.Shape: ScalarShape,
        Other.Shape.SubqueryValue.Unwrapped == Shape.SubqueryValue.Unwrapped
    {
        Compound(self, all ? .unionAll : .union, other)
    }

    /// The values that both statements have.
    @_disfavoredOverload
    public func intersect<Other: ResultStatement>(
        _ other: Other
    ) -> Compound<Shape.SubqueryValue.Unwrapped?>
    where
        Other.Shape: ScalarShape,
        Other.Shape.SubqueryValue.Unwrapped == Shape.SubqueryValue.Unwrapped
    {
        Compound(self, .intersect, other)
    }

    /// The values that the other statement does not have.
    @_disfavoredOverload
    public func except<Other: ResultStatement>(
        _ other: Other
    ) -> Compound<Shape.SubqueryValue.Unwrapped?>
    where
        Other.Shape: ScalarShape,
        Other.Shape.SubqueryValue.Unwrapped == Shape.SubqueryValue.Unwrapped
    {
        Compound(self, .except, other)
    }
}

extension _ColumnGroup {
    /// This row, and those of a query.
    public func union<Other: ResultStatement>(
        all: Bool = false, _ other: Other
    ) -> Compound<Self> where Other.Row == Self {
        Values(self).union(all: all, other)
    }
}

extension SelectionColumns where QueryValue: _ColumnGroup, TermValue == QueryValue {
    /// This row, and those of a query.
    public func union<Other: ResultStatement>(
        all: Bool = false, _ other: Other
    ) -> Compound<QueryValue> where Other.Row == QueryValue.QueryOutput {
        Values(self).union(all: all, other)
    }
}
