internal import TableModel

/// A second name of a table in a query.
///
///     enum Boss: AliasName {}  // "bosses"
///     User.join(User.as(Boss.self).all) { $0.bossID.eq($1.id) }
public protocol AliasName: SendableMetatype {
    /// The name in SQL.
    static var aliasName: String { get }
}

extension AliasName {
    /// The plural of the type's name, as tables have it.
    public static var aliasName: String { TableName.plural(ofType: "\(Self.self)") }
}

extension QuerySource {
    /// The table under another name.
    public static func `as`<Alias: AliasName>(_ alias: Alias.Type) -> Where<Self> {
        Where().as(alias)
    }
}

extension Where {
    /// The first table under another name, everywhere in the query.
    public func `as`<Alias: AliasName>(_ alias: Alias.Type) -> Where<From> {
        Where(_clauses.renamed(Alias.aliasName))
    }

    /// All rows, whatever the default scope says.
    public var unscoped: Where<From> {
        var clauses = _clauses
        clauses.scope = nil
        return Where(clauses)
    }
}

extension Select {
    /// The first table under another name, everywhere in the query.
    public func `as`<Alias: AliasName>(_ alias: Alias.Type) -> Select<Shape, Tables> {
        Select(_clauses.renamed(Alias.aliasName))
    }
}

extension SelectClauses {
    /// The query with another name for its first table.
    func renamed(_ alias: String) -> SelectClauses {
        let table = from.tables[0]
        let other = table.aliased(alias)
        var result = mapFragments {
            QueryFragment(QueryFragment.replacing(table, other, in: $0.segments), shape: $0.shape)
        }
        result.from.tables[0] = other
        if from.tables.count == 1, from.first.segments == [.source(table)] {
            result.from.first = QueryFragment([.source(other)])
        } else {
            result.from.first.renameEnd(table, other)
        }
        if let scope { result.scope = { scope().renamed(alias) } }
        return result
    }

    private func mapFragments(_ change: (QueryFragment) -> QueryFragment) -> SelectClauses {
        var result = self
        result.from.first = change(from.first)
        for index in from.joins.indices {
            result.from.joins[index].source = change(from.joins[index].source)
            result.from.joins[index].conditions = from.joins[index].conditions.map(change)
        }
        result.columns = columns.map { column in
            var column = column
            column.fragment = change(column.fragment)
            return column
        }
        result.conditions = conditions.map(change)
        result.groups = groups.map(change)
        result.havings = havings.map(change)
        result.windows = windows.map { ($0.name, change($0.fragment)) }
        result.orders = orders.map { order in
            var order = order
            order.term = change(order.term)
            return order
        }
        result.limit = limit.map(change)
        result.offset = offset.map(change)
        return result
    }
}

extension QueryFragment {
    /// Gives a subquery in FROM, whose alias is the table's name, another alias.
    fileprivate mutating func renameEnd(_ table: TableReference, _ other: TableReference) {
        let end = Segment.text(" AS " + table.knownName.quotedIdentifier)
        guard let last = segments.lastIndex(of: end) else { return }
        segments[last] = .text(" AS " + other.knownName.quotedIdentifier)
    }
}
