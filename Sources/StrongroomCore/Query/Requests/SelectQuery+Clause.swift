extension SelectQuery {
    /// A part that is known, or is to be asked of the database for which SQL is generated.
    enum Clause<Value: Sendable>: Sendable {
        case known(Value)
        /// Made by a closure, which may call others: they are nested like pieces of SQL.
        case computed(@Sendable (Database) throws -> Value, depth: Int)

        /// - Parameter depth: The depth of the parts that the closure asks for.
        static func whenConnected(
            after depth: Int = 0, _ value: @escaping @Sendable (Database) throws -> Value
        ) -> Self {
            let depth = depth + NestedNode.queryDepth
            guard depth <= NestedNode.depthLimit else {
                return .computed({ _ in throw DatabaseError.tooDeep }, depth: depth)
            }
            return .computed(value, depth: depth)
        }

        func value(in sql: SQLGenerationContext) throws -> Value {
            switch self {
            case .known(let value): return value
            case .computed(let value, let depth):
                if depth > NestedNode.inspectedDepth { try DatabaseError.requireStackSpace() }
                return try value(sql.database)
            }
        }

        func map<T>(_ transform: @escaping @Sendable (Value) -> T) -> Clause<T> {
            switch self {
            case .known(let value): .known(transform(value))
            case .computed(let value, let depth):
                .whenConnected(after: depth) { try transform(value($0)) }
            }
        }
    }

    /// The depth of all that is in the query.
    package var depth: Int {
        let inner = max(
            filters.depth, selection.depth, groups?.depth ?? 0, groupFilters.depth,
            ordering?.depth ?? 0)
        return 1 + max(inner, definitions.depth, joins.reduce(0) { max($0, $1.depth) })
    }
}

extension SelectQuery.Clause where Value: SQLNode {
    var depth: Int {
        switch self {
        case .known(let value): value.depth
        case .computed(_, let depth): depth
        }
    }
}

extension SelectQuery.Clause where Value: Sequence, Value.Element: SQLNode {
    var depth: Int {
        switch self {
        case .known(let value): value.depth
        case .computed(_, let depth): depth
        }
    }
}

extension [SelectQuery.Clause<SQLExpression>] {
    fileprivate var depth: Int { reduce(0) { Swift.max($0, $1.depth) } }
}
