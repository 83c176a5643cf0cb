/// How the rows of a query with associations are fetched: its SQL, how the columns of joined tables
/// become scopes, and which rows are fetched after those of the query.
struct AssociatedRows {
    let sql: String
    let arguments: StatementArguments
    let adapter: any RowAdapter
    let prefetches: [Prefetch]
    /// How rows become one that differ in columns only which they don't show; nil if none do.
    let merging: Merging?

    /// Rows to fetch for those of a node.
    struct Prefetch {
        let join: SelectQuery.Join
        let scopes: [String]
        /// Which of the statement's columns hold what the rows have in common with those to fetch.
        let keyColumns: [Int]
        /// The columns of the rows to fetch that hold the same.
        let columns: [String]
    }

    /// - Parameter extra: Columns of a joined table, or of the query's own, that the caller wants
    ///   behind all others, where rows don't show them.
    init(
        _ query: SelectQuery, _ db: Database, isSingle: Bool = false,
        extra: (columns: [String], of: TableAliasBase?) = ([], nil)
    ) throws {
        var sql = SQLGenerationContext(connection: db)
        let joined = try JoinedQuery(query, in: sql)
        let counts = try joined.nodes.map { node in
            node.isSelected ? try joined.selectedColumnCount(node, db) : 0
        }
        var columns = SelectedColumns(joined: joined, counts: counts)
        var prefetches: [Prefetch] = []
        for (index, node) in joined.nodes.enumerated() {
            for join in node.query.joins where join.isPrefetched {
                let pairs = try join.requirePairs(db, from: node.query.tableName)
                let positions = try pairs.map {
                    try columns.position(of: $0.origin, in: index, db)
                }
                prefetches.append(
                    Prefetch(
                        join: join, scopes: joined.scopes(ofRowsFetchedFor: index),
                        keyColumns: positions,
                        columns: pairs.map(\.destination)))
            }
        }
        for column in extra.columns {
            let column = Column(column)
            columns.hidden.append(
                HiddenColumn(
                    node: 0, expression: extra.of.map { $0[column] } ?? column.sqlExpression,
                    name: "grdb_\(column.name)"))
        }
        let limit = isSingle && query.limit == nil ? SelectQuery.Limit(count: 1) : query.limit
        merging = joined.merging(query, columns.visibleCount, limit)
        try columns.write(query, limit: merging == nil ? limit : nil, to: &sql)
        self.sql = sql.sql
        arguments = sql.arguments
        adapter = joined.adapter(counts)
        self.prefetches = prefetches
    }
}

/// The columns that a query selects: those that are asked for, and those of the library's own.
private struct SelectedColumns {
    let joined: JoinedQuery
    /// How many columns each node selects.
    let counts: [Int]
    /// The library's own, behind all others.
    var hidden: [HiddenColumn] = []

    var visibleCount: Int { counts.reduce(0, +) }

    init(joined: JoinedQuery, counts: [Int]) {
        self.joined = joined
        self.counts = counts
    }

    /// Where a column of a node's table is. One that is selected anyway is not selected once more.
    mutating func position(of name: String, in index: Int, _ db: Database) throws -> Int {
        let node = joined.nodes[index]
        if node.isSelected, let position = try joined.position(of: name, in: node, db) {
            return counts[..<index].reduce(0, +) + position
        }
        let hiddenName = "grdb_\(name)"
        let known = hidden.firstIndex { $0.node == index && $0.name == hiddenName }
        if let known { return visibleCount + known }
        hidden.append(
            HiddenColumn(node: index, expression: Column(name).sqlExpression, name: hiddenName))
        return visibleCount + hidden.count - 1
    }

    /// Writes the query. Names need no table where there is one only.
    func write(
        _ query: SelectQuery, limit: SelectQuery.Limit?, to sql: inout SQLGenerationContext
    ) throws {
        guard hidden.isEmpty, !query.hasJoinedTables else {
            return try query.write(joined, hidden, limit: limit, to: &sql)
        }
        var query = query
        query.limit = limit
        try query.write(to: &sql)
    }
}

// MARK: - Scopes

extension JoinedQuery {
    /// What presents the columns of joined tables as scopes of the row.
    fileprivate func adapter(_ counts: [Int]) -> any RowAdapter {
        var starts: [Int] = []
        var next = 0
        for count in counts {
            starts.append(next)
            next += count
        }
        return adapter(of: 0, counts, starts) ?? EmptyRowAdapter()
    }

    private func adapter(of index: Int, _ counts: [Int], _ starts: [Int]) -> (any RowAdapter)? {
        var scopes: [String: any RowAdapter] = [:]
        for (child, node) in nodes.enumerated().dropFirst() where node.parent == index {
            guard let adapter = adapter(of: child, counts, starts), let name = node.scopes.last
            else { continue }
            // A way back has no say in what an app has joined under the same key.
            if node.join?.isWayBack == true, scopes[name] != nil { continue }
            scopes[name] = adapter
        }
        let node = nodes[index]
        guard node.isSelected || !scopes.isEmpty else { return nil }
        return ScopeAdapter(
            base: RangeRowAdapter(starts[index]..<(starts[index] + counts[index])), scopes: scopes)
    }
}

extension JoinedQuery {
    /// The number of columns that a node selects.
    fileprivate func selectedColumnCount(_ node: Node, _ db: Database) throws -> Int {
        let selection = try node.query.selection.value(in: SQLGenerationContext(connection: db))
        return try selection.reduce(0) { try $0 + columnCount(of: $1, in: node, db) }
    }

    /// Where a column of the table is among those that a node selects; nil if it is not there, or
    /// stands behind something that only SQLite can read.
    fileprivate func position(of name: String, in node: Node, _ db: Database) throws -> Int? {
        let tableName = node.query.tableName
        let selection = try node.query.selection.value(in: SQLGenerationContext(connection: db))
        // What stands for the columns of a table is mostly all that is selected.
        guard case .allColumns? = selection.first?.content, try db.tableExists(tableName) else {
            return nil
        }
        return try db.columns(in: tableName).firstIndex {
            $0.name.asciiLowercased == name.asciiLowercased
        }
    }

    private func columnCount(
        of selection: SQLSelection, in node: Node, _ db: Database
    ) throws -> Int {
        let tableName = node.query.tableName
        switch selection.content {
        case .expression: return 1
        case .allColumns where try db.tableExists(tableName):
            return try db.columns(in: tableName).count
        default:
            // SQLite counts what only it can read.
            var sql = SQLGenerationContext(connection: db)
            try SelectQuery.write(definitions, to: &sql)
            try inTables(of: &sql) { sql in
                sql.append(sql: "SELECT ")
                try sql.inTable(node.table) { try selection.write(to: &$0) }
                sql.append(sql: " FROM ")
                try writeTables(to: &sql)
            }
            return try db.cachedStatement(sql: sql.sql).columnCount
        }
    }
}
