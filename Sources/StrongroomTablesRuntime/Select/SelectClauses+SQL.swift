extension SelectClauses {
    /// The clauses with those of the default scope.
    var resolved: SelectClauses {
        guard let scope else { return self }
        return resolved(in: scope())
    }

    /// The same, to make a text of: where the default scope adds nothing, it is not taken away.
    var resolvedForText: SelectClauses {
        guard let scope else { return self }
        let base = scope()
        return base.addsNothing ? self : resolved(in: base)
    }

    /// Whether another query in this scope stays as it is.
    var addsNothing: Bool {
        if isAllRows { return true }
        return !isEmpty && !hasClauses
    }

    /// The clauses with those of a default scope.
    func resolved(in scope: SelectClauses) -> SelectClauses {
        var own = self
        own.scope = nil
        if scope.addsNothing { return own }
        var base = scope
        base.scope = nil
        if let origin, base.origin === origin { own.removeBeginning(base) }
        if base.isEmpty { own.isEmpty = true }
        guard !base.isRestricted else { return own.over(base) }
        if !base.conditions.isEmpty {
            own.conditions = base.conditions
            own.add(conditions)
        }
        own.keptRows = keptRows ?? base.keptRows
        if !base.orders.isEmpty { own.orders = base.orders + orders }
        return own
    }

    /// Takes back the clauses with which the query began.
    private mutating func removeBeginning(_ base: SelectClauses) {
        conditions.removeFirst(conditions.starts(with: base.conditions) ? base.conditions.count : 0)
        groups.removeFirst(groups.starts(with: base.groups) ? base.groups.count : 0)
        havings.removeFirst(havings.starts(with: base.havings) ? base.havings.count : 0)
        orders.removeFirst(orders.starts(with: base.orders) ? base.orders.count : 0)
        if limit == base.limit { limit = nil }
        if offset == base.offset { offset = nil }
        if base.isDistinct { isDistinct = false }
    }

    /// The clauses on the rows of another query on the same table.
    private func over(_ base: SelectClauses) -> SelectClauses {
        guard hasClauses else { return base }
        var own = self
        let table = from.tables[0]
        own.from.first = base.source(as: table)
        own.orders = base.groups.isEmpty ? base.orders + orders : orders
        return own
    }

    private var hasClauses: Bool {
        isRestricted || !columns.isEmpty || !conditions.isEmpty || !orders.isEmpty
            || !from.joins.isEmpty
    }

    /// The query as rows of a table in FROM.
    func source(as table: TableReference) -> QueryFragment {
        var result = QueryFragment([.subquery(fragment(isFetched: false).segments)])
        result.append(text: " AS " + table.knownName.quotedIdentifier)
        return result
    }

    /// The whole statement; nothing when the query is empty.
    func fragment(isFetched: Bool) -> QueryFragment {
        if isEmpty { return QueryFragment() }
        var result = QueryFragment(text: isDistinct ? "SELECT DISTINCT " : "SELECT ")
        result.append(selectedColumns(isFetched: isFetched))
        append(to: &result)
        return result
    }

    private func selectedColumns(isFetched: Bool) -> QueryFragment {
        guard columns.isEmpty else { return columns.resultList(isFetched: isFetched) }
        return isFetched ? from.fetchedColumns : from.columns.resultList(isFetched: false)
    }

    /// What follows the columns.
    func append(to result: inout QueryFragment) {
        if let name = from.doubledName {
            let message = "\"\(name)\" is joined twice; use 'as(_:)'"
            result.append(QueryFragment(failure: message))
        }
        result.append(text: " FROM ")
        result.append(from.fragment)
        appendConditions(to: &result)
        appendWindows(to: &result)
        result.appendEnd(orders: orders, limit: limit, offset: offset)
    }

    private func appendConditions(to result: inout QueryFragment) {
        if let condition = conditions.conjunction {
            result.append(text: " WHERE ")
            result.append(condition)
        }
        if !groups.isEmpty {
            result.append(text: " GROUP BY ")
            result.append(groups.commaSeparated)
        }
        if let condition = havings.conjunction {
            result.append(text: " HAVING ")
            result.append(condition)
        }
    }

    private func appendWindows(to result: inout QueryFragment) {
        if windows.isEmpty { return }
        result.append(text: " WINDOW ")
        let list = windows.map { window in
            QueryFragment(text: window.name.quotedIdentifier + " AS ") + window.fragment
        }
        result.append(list.commaSeparated)
    }
}

extension [ResultColumn] {
    /// The terms of SELECT or RETURNING.
    func resultList(isFetched: Bool) -> QueryFragment {
        let names = resultNames
        return zip(self, names).map { column, name in
            var result = column.fragment
            if isFetched, let reading = column.reading { result = reading.applied(to: result) }
            if column.isNamed, let name { result.append(text: " AS " + name.quotedIdentifier) }
            return result
        }.commaSeparated
    }

    /// A name for each column that is given one; names that are taken get longer ones.
    private var resultNames: [String?] {
        var names = UniqueNames()
        return map { column in
            guard column.isNamed, let name = column.name else { return column.name }
            return names.unique(name, path: column.path)
        }
    }
}

/// Gives columns of a result different names: those that are taken get the path of the property.
struct UniqueNames {
    private var taken: Set<String> = []

    mutating func unique(_ name: String, path: String?) -> String {
        if taken.insert(name.lowercased()).inserted { return name }
        var parts = path?.split(separator: ".").map(String.init) ?? []
        if !parts.isEmpty { parts[parts.count - 1] = name }
        let long = parts.joined(separator: "_")
        var candidate = long
        var number = 2
        while !taken.insert(candidate.lowercased()).inserted {
            candidate = "\(long)_\(number)"
            number += 1
        }
        return candidate
    }
}
