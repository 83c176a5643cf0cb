/// How the rows of a query with associations are fetched: its SQL, how the columns of joined tables
/// become scopes, and which rows are fetched after those of the query.
struct AssociatedRows {
    let sql: String
    let arguments: StatementArguments
    let adapter: any RowAdapter
    private let prefetches: [Prefetch]

    /// Rows to fetch for those of a node.
    fileprivate struct Prefetch {
        let join: SelectQuery.Join
        let scopes: [String]
        /// Which of the statement's columns hold what the rows have in common with those to fetch.
        let keyColumns: Range<Int>
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
        var hidden: [HiddenColumn] = []
        let visibleCount = counts.reduce(0, +)
        var prefetches: [Prefetch] = []
        for (index, node) in joined.nodes.enumerated() {
            for join in node.query.joins where join.isPrefetched {
                let pairs = try join.requirePairs(db, from: node.query.tableName)
                let start = visibleCount + hidden.count
                for pair in pairs {
                    hidden.append(
                        HiddenColumn(
                            node: index, expression: Column(pair.origin).sqlExpression,
                            name: "grdb_\(pair.origin)"))
                }
                prefetches.append(
                    Prefetch(
                        join: join, scopes: node.scopes,
                        keyColumns: start..<(start + pairs.count),
                        columns: pairs.map(\.destination)))
            }
        }
        for column in extra.columns {
            let column = Column(column)
            hidden.append(
                HiddenColumn(
                    node: 0, expression: extra.of.map { $0[column] } ?? column.sqlExpression,
                    name: "grdb_\(column.name)"))
        }
        let limit = isSingle && query.limit == nil ? SelectQuery.Limit(count: 1) : query.limit
        try query.write(joined, hidden, limit: limit, to: &sql)
        self.sql = sql.sql
        arguments = sql.arguments
        adapter = joined.adapter(counts)
        self.prefetches = prefetches
    }

    /// Fetches the rows, and those that belong to them.
    func fetchAll(_ db: Database) throws -> [Row] {
        var rows = try Row.fetchAll(db, sql: sql, arguments: arguments, adapter: adapter)
        try addPrefetchedRows(to: &rows, db)
        return rows
    }

    var hasPrefetches: Bool { !prefetches.isEmpty }
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
            scopes[name] = adapter
        }
        let node = nodes[index]
        let hasPrefetches = node.query.joins.contains(where: \.isPrefetched)
        guard node.isSelected || !scopes.isEmpty || hasPrefetches else { return nil }
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

// MARK: - Prefetched rows

extension SelectQuery.Join {
    func requirePairs(
        _ db: Database, from origin: String
    ) throws -> [JoinCondition.Pair] {
        guard let pairs = try condition.pairs(db, from: origin, to: pivotName), !pairs.isEmpty
        else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE,
                message: "Rows of association \(key) can't be fetched for many rows at once: no "
                    + "columns tell which belong to which.")
        }
        return pairs
    }
}

extension AssociatedRows {
    private func addPrefetchedRows(to rows: inout [Row], _ db: Database) throws {
        guard !rows.isEmpty else { return }
        for prefetch in prefetches {
            let keys = rows.map { $0.unadapted.values(prefetch.keyColumns) }
            let found = try fetch(prefetch, keys, db)
            for index in rows.indices {
                rows[index].setPrefetchedRows(
                    found[keys[index]] ?? [], forKey: prefetch.join.name, inScope: prefetch.scopes)
            }
        }
    }

    /// Fetches the rows that have one of the keys, and groups them by it.
    private func fetch(
        _ prefetch: Prefetch, _ keys: [[DatabaseValue]], _ db: Database
    ) throws -> [[DatabaseValue]: [Row]] {
        // NULL is nobody's key.
        var isNew: Set<[DatabaseValue]> = []
        let wanted = keys.filter { key in
            !key.contains(where: \.isNull) && isNew.insert(key).inserted
        }
        var found: [[DatabaseValue]: [Row]] = [:]
        let width = prefetch.columns.count
        // Some room is left for the values of the association's own conditions.
        let chunk = max(1, (db.maximumStatementArgumentCount - 100) / width)
        for start in stride(from: 0, to: wanted.count, by: chunk) {
            var query = prefetch.join.query
            let part = wanted[start..<min(start + chunk, wanted.count)]
            query.filters.append(.known(prefetch.condition(part)))
            // Rows of one group belong to one row of the origin.
            query.groups = query.groups?.map { prefetch.keyExpressions + $0 }
            let rows = try AssociatedRows(
                query, db, extra: (prefetch.columns, prefetch.join.pivot))
            for row in try rows.fetchAll(db) {
                let unadapted = row.unadapted
                let end = unadapted.count
                found[unadapted.values((end - width)..<end), default: []].append(row)
            }
        }
        return found
    }
}

extension AssociatedRows.Prefetch {
    /// The columns of the rows to fetch that hold the keys.
    var keyExpressions: [SQLExpression] {
        columns.map { name in
            join.pivot.map { $0[Column(name)] } ?? Column(name).sqlExpression
        }
    }

    /// Whether a row to fetch has one of the keys.
    func condition(_ keys: ArraySlice<[DatabaseValue]>) -> SQLExpression {
        if columns.count == 1 {
            return Membership.of(keyExpressions[0], in: keys.map { $0[0].sqlExpression })
        }
        return SQLExpression(
            RowMembership(columns: keyExpressions, values: keys.map { $0.map(\.sqlExpression) }))
    }
}

extension Row {
    fileprivate func values(_ columns: Range<Int>) -> [DatabaseValue] {
        columns.map { databaseValue(at: $0) }
    }
}

/// Whether several columns together have one of several lists of values.
///
/// <https://www.sqlite.org/rowvalue.html>
private struct RowMembership: SQLNode {
    let columns: [SQLExpression]
    let values: [[SQLExpression]]

    func write(to sql: inout SQLGenerationContext) throws {
        try ExpressionList(columns).write(to: &sql)
        sql.append(sql: " IN ")
        try sql.parenthesize { sql in
            sql.append(sql: "VALUES ")
            try sql.append(values, separator: ", ") { try ExpressionList($0).write(to: &$1) }
        }
    }

    func writeOperand(to sql: inout SQLGenerationContext) throws {
        try sql.parenthesize { try write(to: &$0) }
    }
}
