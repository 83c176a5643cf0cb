extension Where {
    private consuming func changed(_ change: (inout SelectClauses) -> Void) -> Self {
        change(&_clauses)
        return self
    }

    private var columns: From.SideColumns { From._sideColumns(_clauses.from.tables[0]) }

    /// Keeps the rows that fulfil conditions.
    ///
    ///     let open = Item.where { !$0.isDone }
    ///     open.where { $0.stars > 3 }.select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE NOT "items"."isDone" AND "items"."stars" >
    ///     // 3
    public consuming func `where`(
        @ConditionBuilder _ conditions: (From.SideColumns) -> [QueryFragment]
    ) -> Where<From> {
        let new = conditions(columns)
        return (consume self).changed { $0.add(new) }
    }

    /// Keeps the rows that fulfil a condition.
    public consuming func `where`<Condition: QueryExpression>(
        _ path: KeyPath<From.SideColumns, Condition>
    ) -> Where<From> where Condition.QueryValue.Unwrapped == Bool {
        let condition = columns[keyPath: path].queryFragment
        return (consume self).changed { $0.add([condition]) }
    }

    /// Keeps the rows that fulfil one of several conditions.
    ///
    ///     Item.where { !$0.isDone }.any { $0.stars.eq(5); $0.due < .now }
    public func any(
        @ConditionBuilder _ conditions: (From.SideColumns) -> [QueryFragment]
    ) -> Where<From> {
        changed { clauses in
            if let condition = conditions(columns).disjunction { clauses.add([condition]) }
        }
    }

    /// The same rows, within the default scope.
    public var all: Where<From> {
        changed { clauses in
            guard clauses.scope == nil else { return }
            let alias = clauses.from.tables[0].alias
            clauses.scope = {
                let scope = From.all._clauses
                return alias == scope.from.tables[0].alias ? scope : scope.renamed(alias ?? "")
            }
        }
    }

    /// The rows that both queries have.
    ///
    ///     let cheap = Item.where { $0.price < 2 }
    ///     let open = Item.where { !$0.isDone }
    ///     open.and(cheap).select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE NOT "items"."isDone" AND "items"."price" <
    ///     // 2.0
    public func and(_ other: Where<From>) -> Where<From> {
        var result = resolvedWhere
        result._clauses.add(other._clauses.resolved.conditions)
        return result
    }

    /// The rows that one of the queries has; a query without conditions changes nothing.
    ///
    ///     let good = Item.where { $0.stars > 3 }
    ///     good.or(Item.where(\.isDone)).select(\.id)
    ///     // SELECT "items"."id" FROM "items" WHERE "items"."stars" > 3 OR "items"."isDone"
    public func or(_ other: Where<From>) -> Where<From> {
        let own = _clauses.resolved.conditions
        let others = other._clauses.resolved.conditions
        guard let left = own.conjunction else { return other }
        guard let right = others.conjunction else { return self }
        var result = resolvedWhere
        result._clauses.conditions = [.or(left, right)]
        result._clauses.keptRows = nil
        return result
    }

    /// The rows that the query does not have.
    ///
    ///     let done = Item.where(\.isDone)
    ///     try done.not().fetchCount(db)  // 3
    public func not() -> Where<From> {
        var result = resolvedWhere
        let condition = result._clauses.conditions.conjunction
        result._clauses.keptRows = nil
        result._clauses.conditions =
            [condition.map { .prefix("NOT ", $0) } ?? QueryFragment(text: "0", shape: .bare)]
        return result
    }

    /// Both conditions.
    public static func && (lhs: Where, rhs: Where) -> Where { lhs.and(rhs) }
    /// Either condition.
    public static func || (lhs: Where, rhs: Where) -> Where { lhs.or(rhs) }
    /// The opposite condition.
    public static prefix func ! (query: Where) -> Where { query.not() }

    private var resolvedWhere: Where<From> { Where(_clauses.resolved) }
}

extension Where where From: QuerySource {
    /// Keeps the rows that fulfil conditions; the type is found from the context.
    public static func `where`(
        @ConditionBuilder _ conditions: (From.SideColumns) -> [QueryFragment]
    ) -> Where<From> {
        Where().where(conditions)
    }

    /// Keeps the rows that fulfil a condition; the type is found from the context.
    public static func `where`<Condition: QueryExpression>(
        _ path: KeyPath<From.SideColumns, Condition>
    ) -> Where<From> where Condition.QueryValue.Unwrapped == Bool {
        Where().where(path)
    }
}

// These take the two types of queries themselves: a query is also an expression of Strongroom, whose
// operators take any expression.

extension Where {
    /// The clauses of both queries, those of the second after those of the first.
    public static func + (lhs: Where, rhs: Where) -> Select<Shape, Tables> {
        lhs.changed { $0.concatenate(rhs._clauses) }
    }

    /// The clauses of both queries, those of the second after those of the first.
    public static func + <Other: RowShape>(
        lhs: Where, rhs: Select<Other, Tables>
    ) -> Select<Other, Tables> {
        lhs.changed { $0.concatenate(rhs._clauses) }
    }
}

extension Select {
    /// The clauses of both queries, those of the second after those of the first.
    public static func + <Other: RowShape>(
        lhs: Select, rhs: Select<Other, Tables>
    ) -> Select<Other, Tables> where Shape: UnselectedShape {
        lhs.changed { $0.concatenate(rhs._clauses) }
    }

    /// The clauses of both queries, those of the second after those of the first.
    public static func + <Other: UnselectedShape>(
        lhs: Select, rhs: Select<Other, Tables>
    ) -> Select where Shape: SelectedShape {
        lhs.changed { $0.concatenate(rhs._clauses) }
    }

    /// The clauses of both queries, those of the second after those of the first.
    public static func + <From: QuerySource>(
        lhs: Select, rhs: Where<From>
    ) -> Select where Tables == Tables1<From> {
        lhs.changed { $0.concatenate(rhs._clauses) }
    }
}

extension SelectClauses {
    mutating func concatenate(_ other: SelectClauses) {
        isEmpty = isEmpty || other.isEmpty
        columns += other.columns
        isDistinct = isDistinct || other.isDistinct
        add(other.conditions)
        groups += other.groups
        addHavings(other.havings)
        orders += other.orders
        limit = other.limit ?? limit
        offset = other.offset ?? offset
    }
}
