/// A statement that deletes rows.
public struct Delete<Target: QuerySource>: ChangingStatement {
    public typealias Shape = NoRows
    public typealias Row = Void
    var clauses: SelectClauses
    public var _table: TableReference { clauses.from.tables[0] }

    public var query: QueryFragment {
        guard let condition = clauses.changeCondition(Target._layout) else {
            return QueryFragment()
        }
        return QueryFragment(text: "DELETE FROM ") + QueryFragment([.source(_table)]) + condition
    }
}

extension Delete {
    private func changed(_ change: (inout SelectClauses) -> Void) -> Delete {
        var result = self
        change(&result.clauses)
        return result
    }

    private var columns: Target.SideColumns { Target._sideColumns(_table) }

    /// Keeps to the rows that fulfil conditions.
    ///
    ///     Item.delete().where { $0.due < Date(timeIntervalSince1970: 0) }
    ///     // DELETE FROM "items" WHERE "items"."due" < '1970-01-01 00:00:00.000'
    public func `where`(
        @ConditionBuilder _ conditions: (Target.SideColumns) -> [QueryFragment]
    ) -> Delete {
        changed { $0.add(conditions(columns)) }
    }

    /// Keeps to the rows that fulfil a condition.
    public func `where`<Condition: QueryExpression>(
        _ path: KeyPath<Target.SideColumns, Condition>
    ) -> Delete where Condition.QueryValue.Unwrapped == Bool {
        changed { $0.add([columns[keyPath: path].queryFragment]) }
    }

    /// Orders the rows, of which a limit keeps the first.
    public func order(
        @TermBuilder _ terms: (Target.SideColumns) -> [OrderingTerm]
    ) -> Delete {
        changed { $0.orders += terms(columns).flatMap(\.terms) }
    }

    /// Deletes at most this many rows.
    ///
    ///     // Room for ten.
    ///     Item.delete().order { $0.stars }.limit(10)
    ///     // DELETE FROM "items" WHERE "items"."rowid" IN (SELECT "items"."rowid" FROM "items"
    ///     // ORDER BY "items"."stars" LIMIT 10)
    public func limit(_ count: Int) -> Delete {
        changed { $0.limit = count.queryFragment }
    }
}

extension Delete where Target: PrimaryKeyedTable {
    /// Keeps to the row with a key.
    ///
    ///     Item.delete().find(2)  // DELETE FROM "items" WHERE "items"."id" = 2
    public func find(_ key: Target.PrimaryKey.Unwrapped.QueryOutput) -> Delete {
        changed { $0.find(key, Target.PrimaryKey.self, in: Target._layout) }
    }

    /// Keeps to the rows with these keys.
    public func find(
        _ keys: some Sequence<Target.PrimaryKey.Unwrapped.QueryOutput>
    ) -> Delete {
        changed { $0.find(Array(keys), Target.PrimaryKey.self, in: Target._layout) }
    }

    /// Keeps to the row whose key an expression gives.
    @_disfavoredOverload
    public func find<Key: QueryExpression>(_ key: Key) -> Delete
    where Key.QueryValue.Unwrapped == Target.PrimaryKey.Unwrapped {
        changed {
            $0.find(key: key.operandFragment, Target.PrimaryKey.self, in: Target._layout)
        }
    }

    /// Keeps to the row whose key SQL gives, as the type of the key says.
    @_disfavoredOverload
    public func find(_ key: SQLQueryExpression<Target.PrimaryKey>) -> Delete {
        changed {
            $0.find(key: key.operandFragment, Target.PrimaryKey.self, in: Target._layout)
        }
    }

    /// Keeps to the rows whose keys a query gives.
    public func find<Keys: Statement>(_ keys: Keys) -> Delete
    where
        Keys.Shape: ScalarShape,
        Keys.Shape.SubqueryValue.Unwrapped == Target.PrimaryKey.Unwrapped
    {
        changed { $0.find(keys: keys, Target.PrimaryKey.self, in: Target._layout) }
    }
}

extension SelectClauses {
    /// WHERE of a statement that changes these rows, if it is needed; nil when there are none.
    func changeCondition(_ layout: TableLayout) -> QueryFragment? {
        if isEmpty { return nil }
        let scope = self.scope?()
        if scope?.isEmpty == true { return nil }
        var own = self
        var conditions: [QueryFragment] = []
        if var scope, scope.isRestricted {
            scope.scope = nil
            own.scope = nil
            conditions = [scope.rowMembership(layout)]
        } else if let scope {
            own = own.resolved(in: scope)
        }
        if own.isRestricted || !own.orders.isEmpty && own.limit != nil {
            conditions.append(own.rowMembership(layout))
        } else {
            conditions += own.conditions
        }
        guard let condition = conditions.conjunction else { return QueryFragment() }
        return QueryFragment(text: " WHERE ") + condition
    }

    /// Whether a row is one of those that the query gives.
    private func rowMembership(_ layout: TableLayout) -> QueryFragment {
        let table = from.tables[0]
        var row = [QueryFragment([.column(table, "rowid")], shape: .bare)]
        if layout.kind != .table { row = layout.keyFragments(table) }
        if row.isEmpty { return QueryFragment(failure: "the table has neither rowid nor key") }
        var query = self
        query.columns = row.map { ResultColumn(fragment: $0) }
        let inner = query.fragment(isFetched: false).segments
        let operand = row.count == 1 ? row[0] : row.commaSeparated.parenthesized
        return .comparison(operand, "IN", QueryFragment([.subquery(inner)], shape: .bare))
    }
}

extension SelectStatement where Tables.First: QuerySource, Shape: UnselectedShape {
    /// Deletes the rows.
    ///
    ///     Item.where(\.isDone).delete()  // DELETE FROM "items" WHERE "items"."isDone"
    public func delete<From>() -> Delete<From> where Tables == Tables1<From> {
        Delete(clauses: _clauses)
    }
}

extension Table {
    /// Deletes all rows.
    ///
    ///     try Item.delete().execute(db)
    ///     try Item.fetchCount(db)  // 0
    public static func delete() -> Delete<Self> { Delete(clauses: Where<Self>()._clauses) }
}

extension PrimaryKeyedTable {
    /// Deletes the row with the key of this one.
    ///
    ///     let milk = try Item.find(db, key: 1)
    ///     try Item.delete(milk).returning(\.title).fetchAll(db)  // ["Milk"]
    public static func delete(_ row: Self) -> Delete<Self> {
        Delete(clauses: Self.clauses(ofKeyOf: row))
    }

    static func clauses(ofKeyOf row: Self) -> SelectClauses {
        var clauses = SelectClauses(unscoped: Self.self)
        let key = zip(_layout.columns, row.encodedValues).filter {
            $0.0.options.contains(.primaryKey)
        }
        let columns = _layout.keyFragments(clauses.from.tables[0])
        let values = key.map(\.1.fragment)
        let lhs = columns.count == 1 ? columns[0] : columns.commaSeparated.parenthesized
        let rhs = values.count == 1 ? values[0] : values.commaSeparated.parenthesized
        clauses.conditions = [.comparison(lhs, "=", rhs)]
        if key.allSatisfy(\.1.isPlain) { clauses.markRow(key: key.map(\.1.binding)) }
        return clauses
    }
}
