// Clauses. Each is a method of every select, of `Where`, and of the type.

extension SelectStatement {
    var arguments: Tables.Arguments { Tables._arguments(_clauses.from.tables) }
    var firstColumns: Tables.First.SideColumns {
        Tables.First._sideColumns(_clauses.from.tables[0])
    }

    /// A changed query; where nobody else has the clauses, they are changed in place.
    consuming func changed<NewShape: RowShape>(
        _ change: (inout SelectClauses) -> Void
    ) -> Select<NewShape, Tables> {
        var clauses = (consume self)._takenClauses()
        change(&clauses)
        return Select(clauses)
    }

    /// Keeps the rows that fulfil conditions.
    ///
    ///     Item.order(by: \.title).where(\.isDone).where { $0.stars > 2 }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."isDone" AND "items"."stars" > 2
    ///     // ORDER BY "items"."title"
    public consuming func `where`(
        @ConditionBuilder _ conditions: (Tables.Arguments) -> [QueryFragment]
    ) -> Select<Shape, Tables> {
        let new = conditions(arguments)
        return (consume self).changed { $0.add(new) }
    }

    /// Keeps the rows that fulfil a condition.
    public consuming func `where`<Condition: QueryExpression>(
        _ path: KeyPath<Tables.First.SideColumns, Condition>
    ) -> Select<Shape, Tables> where Condition.QueryValue.Unwrapped == Bool {
        let condition = firstColumns[keyPath: path].queryFragment
        return (consume self).changed { $0.add([condition]) }
    }

    /// Keeps the rows that fulfil one of several conditions.
    ///
    ///     Item.limit(5).any { $0.isDone; $0.stars.eq(5) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."isDone" OR "items"."stars" = 5
    ///     // LIMIT 5
    public func any(
        @ConditionBuilder _ conditions: (Tables.Arguments) -> [QueryFragment]
    ) -> Select<Shape, Tables> {
        changed { clauses in
            if let condition = conditions(arguments).disjunction { clauses.add([condition]) }
        }
    }

    /// Groups the rows that are equal in these terms.
    ///
    ///     let best = Item.where(\.isDone).group(by: \.year).select { ($0.year, $0.stars.max()) }
    ///     try best.fetchAll(db)  // [(2026, 4)]
    public func group(
        @TermBuilder _ terms: (Tables.Arguments) -> [OrderingTerm]
    ) -> Select<Shape.Limited, Tables> {
        changed { $0.groups += terms(arguments).fragments }
    }

    /// Groups the rows that are equal in a column.
    public func group(
        by path: KeyPath<Tables.First.SideColumns, some QueryExpression>
    ) -> Select<Shape.Limited, Tables> {
        changed { $0.groups += firstColumns[keyPath: path]._orderingTerms.fragments }
    }

    /// Keeps the groups that fulfil conditions.
    ///
    ///     Item.group(by: \.year).having { $0.price.sum() > 3 }.select(\.year)
    ///     // SELECT … GROUP BY "items"."year" HAVING sum("items"."price") > 3.0
    public func having(
        @ConditionBuilder _ conditions: (Tables.Arguments) -> [QueryFragment]
    ) -> Select<Shape.Limited, Tables> {
        changed { $0.addHavings(conditions(arguments)) }
    }

    /// Orders the rows, after the orders so far.
    ///
    ///     Item.where(\.isDone).order { ($0.stars.desc(), $0.title) }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."isDone" ORDER BY "items"."stars"
    ///     // DESC, "items"."title"
    public consuming func order(
        @TermBuilder _ terms: (Tables.Arguments) -> [OrderingTerm]
    ) -> Select<Shape, Tables> {
        let new = terms(arguments).flatMap(\.terms)
        return (consume self).changed { $0.orders += new }
    }

    /// Orders the rows by a column, after the orders so far.
    public consuming func order(
        by path: KeyPath<Tables.First.SideColumns, some OrderingExpression>
    ) -> Select<Shape, Tables> {
        let new = firstColumns[keyPath: path]._orderingTerms
        return (consume self).changed { clauses in
            for term in new { clauses.orders += term.terms }
        }
    }

    /// Orders the rows, after the orders so far.
    public func order(_ term: OrderingTerm) -> Select<Shape, Tables> {
        changed { $0.orders += term.terms }
    }

    /// Takes all orders back.
    ///
    ///     let ordered = Item.order(by: \.title)
    ///     ordered.unordered().select(\.id)  // SELECT "items"."id" FROM "items"
    public func unordered() -> Select<Shape, Tables> { changed { $0.orders = [] } }

    /// Reverses the order.
    ///
    ///     let last = try Item.order(by: \.id).reversed().fetchOne(db)?.title  // "Call Ada"
    public func reversed() -> Select<Shape, Tables> {
        changed { $0.orders = $0.orders.map(\.reversed) }
    }

    /// Leaves out duplicate rows.
    ///
    ///     let folders = try Item.where(\.isDone).distinct().select(\.folderID).fetchAll(db)
    ///     // [1]
    public consuming func distinct(_ isDistinct: Bool = true) -> Select<Shape.Limited, Tables> {
        (consume self).changed { $0.isDistinct = isDistinct }
    }

    /// Gives at most this many rows; nil changes nothing.
    ///
    ///     let top = try Item.order { $0.stars.desc() }.limit(2).select(\.title).fetchAll(db)
    ///     // ["Seeds", "Bread"]
    public consuming func limit(_ count: Int?) -> Select<Shape.Limited, Tables> {
        (consume self).changed { clauses in if let count { clauses.limit = count.queryFragment } }
    }

    /// Gives at most this many rows after the first ones; nil changes nothing.
    public consuming func limit(_ count: Int?, offset: Int?) -> Select<Shape.Limited, Tables> {
        (consume self).changed { clauses in
            if let count { clauses.limit = count.queryFragment }
            if let offset { clauses.offset = offset.queryFragment }
        }
    }

    /// Gives at most this many rows.
    @_disfavoredOverload
    public func limit(_ count: some QueryExpression<Int>) -> Select<Shape.Limited, Tables> {
        changed { $0.limit = count.queryFragment }
    }

    /// Gives at most this many rows.
    public func limit(
        @LimitBuilder _ count: (Tables.Arguments) -> QueryFragment?
    ) -> Select<Shape.Limited, Tables> {
        changed { clauses in if let count = count(arguments) { clauses.limit = count } }
    }

    /// Skips this many rows; nil changes nothing.
    ///
    ///     let rest = try Item.order(by: \.id).limit(10).offset(3).select(\.title).fetchAll(db)
    ///     // ["Call Ada"]
    public consuming func offset(_ count: Int?) -> Select<Shape.Limited, Tables> {
        (consume self).changed { clauses in if let count { clauses.offset = count.queryFragment } }
    }

    /// Skips this many rows.
    @_disfavoredOverload
    public func offset(_ count: some QueryExpression<Int>) -> Select<Shape.Limited, Tables> {
        changed { $0.offset = count.queryFragment }
    }
}

extension [OrderingTerm] {
    var fragments: [QueryFragment] { flatMap(\.terms).map(\.term) }
}

extension SelectStatement where Tables: SeveralTables {
    /// Keeps the rows that fulfil conditions on the first table.
    public func `where`(
        @ConditionBuilder _ conditions: (Tables.First.SideColumns) -> [QueryFragment]
    ) -> Select<Shape, Tables> {
        changed { $0.add(conditions(firstColumns)) }
    }

    /// Groups the rows that are equal in terms of the first table.
    public func group(
        @TermBuilder _ terms: (Tables.First.SideColumns) -> [OrderingTerm]
    ) -> Select<Shape.Limited, Tables> {
        changed { $0.groups += terms(firstColumns).fragments }
    }

    /// Orders the rows by terms of the first table.
    public func order(
        @TermBuilder _ terms: (Tables.First.SideColumns) -> [OrderingTerm]
    ) -> Select<Shape, Tables> {
        changed { $0.orders += terms(firstColumns).flatMap(\.terms) }
    }
}
