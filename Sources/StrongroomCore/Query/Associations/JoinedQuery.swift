/// A query and all that is joined to it, in the order in which SQL names the tables.
///
/// 1. The base is the first node; every other one comes after its parent.
/// 2. Each node has a name of its own, and an alias by which the conditions of joins refer to it.
struct JoinedQuery {
    private(set) var nodes: [Node] = []

    struct Node {
        let query: SelectQuery
        /// How the table is joined to its parent; nil for the base.
        let join: SelectQuery.Join?
        let parent: Int
        /// The names of scopes that lead to the node's columns in a row.
        let scopes: [String]
        let alias = TableAlias<Void>()
        var name = ""

        var table: SQLGenerationContext.Table {
            SQLGenerationContext.Table(name: query.tableName, qualifier: name)
        }
        var aliasedTable: AliasedTable { AliasedTable(name: query.tableName, alias: alias) }
        var isSelected: Bool { join?.isIncluded ?? true }
    }

    /// The names of scopes that lead to the row of which the rows are that are fetched after those of
    /// a node: a table that is only joined has no row of its own.
    func scopes(ofRowsFetchedFor index: Int) -> [String] {
        var index = index
        while !nodes[index].isSelected { index = nodes[index].parent }
        return nodes[index].scopes
    }

    /// - Throws: `SQLITE_MISUSE` for what can't be joined, and aliases that stand for two tables.
    init(_ query: SelectQuery, in sql: SQLGenerationContext) throws {
        try add(query, join: nil, parent: 0, scopes: [])
        try giveNames(in: sql)
    }

    private mutating func add(
        _ query: SelectQuery, join: SelectQuery.Join?, parent: Int, scopes: [String]
    ) throws {
        try DatabaseError.requireStackSpace()
        if let join { try Self.requireJoinable(join, behind: nodes[parent].join) }
        let index = nodes.count
        nodes.append(Node(query: query, join: join, parent: parent, scopes: scopes))
        for child in query.joins where !child.isPrefetched {
            try add(child.query, join: child, parent: index, scopes: scopes + [child.name])
        }
    }

    private static func requireJoinable(
        _ join: SelectQuery.Join, behind parent: SelectQuery.Join?
    ) throws {
        if join.isAmbiguous {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE,
                message: "Two associations to one row of several have the key \(join.name): give "
                    + "one of them another by forKey(_:).")
        }
        let problem: String? =
            if join.kind == .required, parent?.kind == .optional {
                "chaining a required association behind an optional association"
            } else if join.query.groups != nil || !join.query.groupFilters.isEmpty {
                "join an association with a GROUP BY clause"
            } else if join.query.isDistinct {
                "join an association that selects DISTINCT rows"
            } else if join.query.limit != nil {
                "join an association with a limit"
            } else { nil }
        guard let problem else { return }
        throw DatabaseError(
            resultCode: .SQLITE_MISUSE,
            message: "Not implemented: \(problem) (association \(join.name))")
    }
}

// MARK: - Names

extension JoinedQuery {
    private mutating func giveNames(in sql: SQLGenerationContext) throws {
        try requireDistinctAliases()
        var taken = Set(nodes.compactMap { $0.query.aliasName?.lowercased() })
        let counts = nodes.reduce(into: [String: Int]()) { counts, node in
            if node.query.aliasName == nil {
                counts[node.query.tableName.lowercased(), default: 0] += 1
            }
        }
        for index in nodes.indices {
            let tableName = nodes[index].query.tableName
            var name = nodes[index].query.aliasName ?? tableName
            if nodes[index].query.aliasName == nil {
                var number = counts[tableName.lowercased(), default: 1] > 1 ? 1 : 0
                if number > 0 { name = "\(tableName)\(number)" }
                while taken.contains(name.lowercased()) || sql.isNamed(name) {
                    number += 1
                    name = "\(tableName)\(number)"
                }
                taken.insert(name.lowercased())
            }
            nodes[index].name = name
        }
    }

    private func requireDistinctAliases() throws {
        var identities: Set<ObjectIdentifier> = []
        var names: Set<String> = []
        for node in nodes {
            for alias in Set(node.query.aliases.map(\.identity)) {
                guard identities.insert(alias).inserted else {
                    throw DatabaseError(
                        resultCode: .SQLITE_MISUSE,
                        message: "A table alias stands for two tables of one request.")
                }
            }
            guard let name = node.query.aliasName else { continue }
            guard names.insert(name.lowercased()).inserted else {
                throw DatabaseError(
                    resultCode: .SQLITE_MISUSE, message: "ambiguous alias: \(name)")
            }
        }
    }

    /// Makes all tables known by their aliases while something is written.
    func inTables(
        of sql: inout SQLGenerationContext,
        _ body: (inout SQLGenerationContext) throws -> Void
    ) throws {
        var tables: [ObjectIdentifier: SQLGenerationContext.Table] = [:]
        for node in nodes {
            tables[node.alias.identity] = node.table
            for alias in node.query.aliases { tables[alias.identity] = node.table }
        }
        try sql.naming(tables) { sql in try sql.inTable(nodes[0].table, body) }
    }
}

// MARK: - Clauses

extension JoinedQuery {
    /// The definitions of all tables that only stand like some.
    var definitions: [CommonTableDefinition] {
        var query = nodes[0].query
        for node in nodes.dropFirst() { node.query.definitions.forEach { query.define($0) } }
        return query.definitions
    }

    /// Writes the columns of all that is included, and then some that users don't see.
    func writeSelection(
        _ hiddenColumns: [HiddenColumn], to sql: inout SQLGenerationContext
    ) throws {
        var isFirst = true
        for node in nodes where node.isSelected {
            let selection = try node.query.selection.value(in: sql)
            if nodes.count > 1, selection.isEmpty { continue }
            if !isFirst { sql.append(sql: ", ") }
            isFirst = false
            try sql.inTable(node.table) { sql in
                try SelectQuery.write(selection, to: &sql)
            }
        }
        if isFirst, hiddenColumns.isEmpty {
            throw DatabaseError.emptySelection(of: nodes[0].query.tableName)
        }
        for hidden in hiddenColumns {
            if !isFirst { sql.append(sql: ", ") }
            isFirst = false
            try sql.inTable(nodes[hidden.node].table) { sql in
                try hidden.expression.write(to: &sql)
            }
            sql.append(sql: " AS ")
            sql.append(identifier: hidden.name)
        }
    }

    func writeTables(to sql: inout SQLGenerationContext) throws {
        Self.write(nodes[0], to: &sql)
        for node in nodes.dropFirst() {
            guard let join = node.join else { continue }
            sql.append(sql: join.kind == .required ? " JOIN " : " LEFT JOIN ")
            Self.write(node, to: &sql)
            var conditions = try node.query.filters.map { filter in
                node.alias[try filter.value(in: sql)]
            }
            let origin = nodes[node.parent].aliasedTable
            if let condition = try join.condition.expression(
                sql.database, from: origin, to: node.aliasedTable)
            {
                conditions.insert(condition, at: 0)
            }
            guard !conditions.isEmpty else { continue }
            sql.append(sql: " ON ")
            try conditions.joined(operator: .and).write(to: &sql)
        }
    }

    private static func write(_ node: Node, to sql: inout SQLGenerationContext) {
        sql.append(identifier: node.query.tableName)
        guard node.name != node.query.tableName else { return }
        sql.append(sql: " ")
        sql.append(identifier: node.name)
    }

    func writeOrdering(to sql: inout SQLGenerationContext) throws {
        var areReversed: [Bool] = []
        var orderings: [SQLOrdering] = []
        for node in nodes {
            let isReversed = node.join != nil && areReversed[node.parent]
            areReversed.append(isReversed != node.query.isReversed)
            orderings += try node.query.orderings(in: sql, isReversed: isReversed)
                .map { node.alias[$0] }
        }
        guard !orderings.isEmpty else { return }
        sql.append(sql: " ORDER BY ")
        try sql.append(orderings, separator: ", ") { try $0.write(to: &$1) }
    }
}

/// A column that is selected for the library, behind those that are asked for.
struct HiddenColumn {
    /// The node of whose table it is.
    let node: Int
    let expression: SQLExpression
    let name: String
}
