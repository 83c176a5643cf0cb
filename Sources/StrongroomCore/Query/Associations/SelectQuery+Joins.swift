extension SelectQuery {
    /// A table that is joined to another, or whose rows are fetched after those of the other.
    struct Join: Sendable {
        /// The key, as it was given.
        var key: AssociationKey
        var condition: JoinCondition
        var kind: Kind
        /// Whether its columns are selected.
        var isIncluded: Bool
        var query: SelectQuery
        /// Stands for the table that has columns in common with the origin of prefetched rows: one
        /// that is joined to the query; nil for the query's own.
        var pivot: TableAliasBase?
        /// The name of that table.
        var pivotName: String
        /// Whether two joins were made one that lead to different rows.
        var isAmbiguous = false
        /// Whether it leads from a destination back towards the origin: apps don't see it, and what
        /// they join under the same key is another.
        var isWayBack = false
        /// How deep queries are nested in it, and other pieces of SQL.
        private(set) var depth = 0

        init(
            key: AssociationKey, condition: JoinCondition, kind: Kind, isIncluded: Bool,
            query: SelectQuery
        ) {
            self.key = key
            self.condition = condition
            self.kind = kind
            self.isIncluded = isIncluded
            self.query = query
            pivotName = query.tableName
        }

        /// The same join with its depth, or one of which no SQL can be made if that is too much.
        ///
        /// Joins need more of the stack than pieces of SQL. SQLite joins 64 tables at most:
        /// <https://www.sqlite.org/limits.html#max_tables_in_a_join>.
        var limited: Join {
            var join = self
            join.depth = 15 + max(query.depth, condition.depth)
            guard join.depth > NestedNode.depthLimit else { return join }
            join.condition = .tooDeep
            join.query = SelectQuery(tableName: query.tableName, selection: [])
            join.pivot = nil
            join.depth = NestedNode.depthLimit
            return join
        }

        enum Kind: Sendable { case required, optional, all }

        var isPrefetched: Bool { kind == .all }

        /// The name under which rows have it.
        var name: String { isPrefetched ? key.plural : key.singular }

        /// Joins the tables between the origin and the destination to the destination, which is
        /// the table to begin with when its rows are fetched on their own.
        mutating func leadBack(over pivots: [AssociationPath.Pivot]) {
            guard let first = pivots.first else { return }
            let last = condition
            let alias = TableAlias<Void>()
            var back: Join?
            for (index, pivot) in pivots.enumerated() {
                var query = pivot.query
                if let back { query.add(back) } else { query.aliases.append(alias) }
                let next = index + 1 < pivots.count ? pivots[index + 1].condition : last
                var join = Join(
                    key: pivot.key, condition: .reversed(next), kind: .required,
                    isIncluded: false, query: query)
                join.isWayBack = true
                back = join
            }
            if let back { query.add(back) }
            condition = first.condition
            self.pivot = alias
            pivotName = first.query.tableName
        }

        /// Makes one of two joins under the same key: the stronger one, with the filters of both.
        mutating func merge(_ other: Join) {
            if other.kind == .required { kind = .required }
            isAmbiguous = isAmbiguous || other.isAmbiguous || !condition.isSame(as: other.condition)
            // Which rows it leads to, the last one says.
            if case .tooDeep = condition {} else { condition = other.condition }
            // A table that is only joined has no say in what is selected of it.
            let selection = other.isIncluded || !isIncluded ? other.query.selection : nil
            isIncluded = isIncluded || other.isIncluded
            query.merge(other.query)
            if let selection { query.selection = selection }
        }
    }

    /// Joins the tables on the way of an association.
    mutating func join(
        _ association: some Association, _ kind: Join.Kind, isIncluded: Bool = false
    ) {
        let path = association._path
        var join = Join(
            key: path.key, condition: path.condition, kind: kind, isIncluded: isIncluded,
            query: association._query)
        if kind == .all {
            join.leadBack(over: path.pivots)
        } else {
            for pivot in path.pivots.reversed() {
                var query = pivot.query
                query.add(join)
                join = Join(
                    key: pivot.key, condition: pivot.condition, kind: kind, isIncluded: false,
                    query: query)
            }
        }
        add(join)
    }

    /// Adds a join, or makes one of it and that of the same name.
    mutating func add(_ join: Join) {
        let index = joins.firstIndex {
            $0.isPrefetched == join.isPrefetched && $0.isWayBack == join.isWayBack
                && $0.name == join.name
        }
        guard let index else { return joins.append(join.limited) }
        // What is asked for again is asked for last.
        var merged = joins.remove(at: index)
        merged.merge(join)
        joins.append(merged.limited)
    }

    /// Joins a table whose columns become columns of this one's rows.
    mutating func annotate(_ association: some Association, _ kind: Join.Kind) {
        let alias = TableAlias<Void>()
        var association = association
        association._query.aliases.append(alias)
        let annotation = association._query.selection
        let before = selection
        join(association, kind)
        selection = .whenConnected(after: max(before.depth, annotation.depth)) { db in
            let sql = SQLGenerationContext(connection: db)
            return try before.value(in: sql) + annotation.value(in: sql).map { alias[$0] }
        }
    }

    /// Leaves the columns of joined tables out.
    mutating func excludeJoinedColumns() {
        for index in joins.indices {
            joins[index].isIncluded = false
            joins[index].query.excludeJoinedColumns()
        }
    }

    /// Takes over what another query of the same table asks for.
    fileprivate mutating func merge(_ other: SelectQuery) {
        definitions += other.definitions
        aliases += other.aliases
        filters += other.filters
        takeOrdering(of: other)
        isNone = isNone || other.isNone
        for join in other.joins { add(join) }
    }
}
