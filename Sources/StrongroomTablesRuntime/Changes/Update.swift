/// A statement that changes columns of rows.
public struct Update<Target: QuerySource>: ChangingStatement {
    public typealias Shape = NoRows
    public typealias Row = Void
    var clauses: SelectClauses
    let assignments: Assignments
    var resolution: ConflictResolution?
    /// Other tables whose rows give values.
    var sources: QueryFragment?

    @usableFromInline
    init(_ clauses: SelectClauses, _ assignments: Assignments, _ resolution: ConflictResolution?) {
        self.clauses = clauses
        self.assignments = assignments
        self.resolution = resolution
    }

    public var _table: TableReference { clauses.from.tables[0] }

    public var query: QueryFragment {
        guard !assignments.isEmpty,
            let condition = clauses.changeCondition(Target._layout)
        else { return QueryFragment() }
        var result = QueryFragment([.text("UPDATE \(resolution.sql)"), .source(_table)])
        result.append(text: " SET ")
        assignments.append(to: &result)
        if let sources { result.append(sources) }
        result.append(condition)
        return result
    }

    func resolving(_ resolution: ConflictResolution?) -> Update {
        var result = self
        result.resolution = resolution
        return result
    }
}

extension SelectStatement where Shape: UnselectedShape {
    /// Changes the rows.
    ///
    ///     Item.where { $0.stars < 2 }.update { $0.isDone = true; $0.note = nil }
    ///     // UPDATE "items" SET "isDone" = 1, "note" = NULL WHERE "items"."stars" < 2
    // Inlined, the types are known where they would have to be looked up.
    @inlinable
    public func update<From: QuerySource>(
        or resolution: ConflictResolution? = nil,
        _ change: (inout Updates<From.SideColumns>) -> Void
    ) -> Update<From> where Tables == Tables1<From> {
        let clauses = _clauses
        var updates = Updates(_columns: From._sideColumns(clauses.firstTable))
        change(&updates)
        return Update(clauses, updates.assignments, resolution)
    }

    /// Changes the rows of the first table by those of the second.
    public func update<From: QuerySource, Other: QuerySource>(
        or resolution: ConflictResolution? = nil,
        _ change: (inout Updates<From.SideColumns>, Other.SideColumns) -> Void
    ) -> Update<From> where Tables == Tables2<From, Other> {
        let tables = _clauses.from.tables
        var updates = Updates(_columns: From._sideColumns(tables[0]))
        change(&updates, Other._sideColumns(tables[1]))
        return Update(joined: _clauses, assignments: updates.assignments).resolving(resolution)
    }
}

extension Update {
    /// An update by the rows of inner joins.
    init(joined clauses: SelectClauses, assignments: Assignments) {
        var own = clauses.resolved
        let joins = own.from.joins
        own.conditions = joins[0].conditions
        own.add(clauses.resolved.conditions)
        own.from.joins = []
        var sources = QueryFragment(text: " FROM ") + joins[0].source
        for join in joins.dropFirst() {
            sources += QueryFragment(text: join.kind) + join.source
            guard let condition = join.conditions.conjunction else { continue }
            sources += QueryFragment(text: " ON ") + condition
        }
        if let using = joins.lazy.compactMap(\.using).first {
            sources = QueryFragment(failure: "'using: \(using)' in an update; write the condition")
        }
        if own.isRestricted {
            sources = QueryFragment(failure: "an update by a join has no group, order or limit")
        }
        self.init(own, assignments, nil)
        self.sources = sources
    }

    private func changed(_ change: (inout SelectClauses) -> Void) -> Update {
        var result = self
        change(&result.clauses)
        return result
    }

    private var columns: Target.SideColumns { Target._sideColumns(_table) }

    /// Keeps to the rows that fulfil conditions.
    ///
    ///     Item.update { $0.stars = 0 }.where { $0.year.eq(2025) }
    ///     // UPDATE "items" SET "stars" = 0 WHERE "items"."year" = 2025
    public func `where`(
        @ConditionBuilder _ conditions: (Target.SideColumns) -> [QueryFragment]
    ) -> Update {
        changed { $0.add(conditions(columns)) }
    }

    /// Keeps to the rows that fulfil a condition.
    public func `where`<Condition: QueryExpression>(
        _ path: KeyPath<Target.SideColumns, Condition>
    ) -> Update where Condition.QueryValue.Unwrapped == Bool {
        changed { $0.add([columns[keyPath: path].queryFragment]) }
    }

    /// Orders the rows, of which a limit keeps the first.
    public func order(
        @TermBuilder _ terms: (Target.SideColumns) -> [OrderingTerm]
    ) -> Update {
        changed { $0.orders += terms(columns).flatMap(\.terms) }
    }

    /// Changes at most this many rows.
    ///
    ///     // The two oldest only.
    ///     Item.update { $0.isDone = true }.order { $0.id }.limit(2)
    ///     // UPDATE "items" SET "isDone" = 1 WHERE "items"."rowid" IN (SELECT "items"."rowid"
    ///     // FROM "items" ORDER BY "items"."id" LIMIT 2)
    public func limit(_ count: Int) -> Update {
        changed { $0.limit = count.queryFragment }
    }
}

extension Update where Target: PrimaryKeyedTable {
    /// Keeps to the row with a key.
    ///
    ///     Item.update { $0.isDone.toggle() }.find(1)
    ///     // UPDATE "items" SET "isDone" = NOT "items"."isDone" WHERE "items"."id" = 1
    public func find(_ key: Target.PrimaryKey.Unwrapped.QueryOutput) -> Update {
        changed { $0.find(key, Target.PrimaryKey.self, in: Target._layout) }
    }

    /// Keeps to the rows with these keys.
    public func find(
        _ keys: some Sequence<Target.PrimaryKey.Unwrapped.QueryOutput>
    ) -> Update {
        changed { $0.find(Array(keys), Target.PrimaryKey.self, in: Target._layout) }
    }

    /// Keeps to the row whose key an expression gives.
    @_disfavoredOverload
    public func find<Key: QueryExpression>(_ key: Key) -> Update
    where Key.QueryValue.Unwrapped == Target.PrimaryKey.Unwrapped {
        changed {
            $0.find(key: key.operandFragment, Target.PrimaryKey.self, in: Target._layout)
        }
    }

    /// Keeps to the row whose key SQL gives, as the type of the key says.
    @_disfavoredOverload
    public func find(_ key: SQLQueryExpression<Target.PrimaryKey>) -> Update {
        changed {
            $0.find(key: key.operandFragment, Target.PrimaryKey.self, in: Target._layout)
        }
    }

    /// Keeps to the rows whose keys a query gives.
    public func find<Keys: Statement>(_ keys: Keys) -> Update
    where
        Keys.Shape: ScalarShape,
        Keys.Shape.SubqueryValue.Unwrapped == Target.PrimaryKey.Unwrapped
    {
        changed { $0.find(keys: keys, Target.PrimaryKey.self, in: Target._layout) }
    }
}

extension Table {
    /// Changes all rows.
    ///
    ///     try Item.update { $0.year += 1 }.execute(db)
    public static func update(
        or resolution: ConflictResolution? = nil,
        _ change: (inout Updates<SideColumns>) -> Void
    ) -> Update<Self> {
        Where<Self>().update(or: resolution, change)
    }
}

extension PrimaryKeyedTable {
    /// Writes all columns of a row but its key.
    ///
    ///     var milk = try Item.find(db, key: 1)
    ///     milk.title = "Oat milk"
    ///     try Item.update(milk).execute(db)
    public static func update(
        or resolution: ConflictResolution? = nil, _ row: Self
    ) -> Update<Self> {
        var assignments = Assignments()
        for (column, value) in zip(_layout.columns, row.encodedValues)
        where column.isWritable && !column.options.contains(.primaryKey) {
            assignments[column.name] = value.fragment
        }
        return Update(clauses(ofKeyOf: row), assignments, resolution)
    }
}
