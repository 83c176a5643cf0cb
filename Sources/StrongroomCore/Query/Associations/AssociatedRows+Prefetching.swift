// Rows that are fetched after those of a query, for all of these at once.

extension AssociatedRows {
    var hasPrefetches: Bool { !prefetches.isEmpty }

    /// Fetches the rows, and those that belong to them.
    func fetchAll(_ db: Database) throws -> [Row] {
        if let merging { return try fetchAll(db, merging) }
        var rows = try fetchRows(db)
        for prefetch in prefetches {
            let keys = rows.map(prefetch.key)
            let found = try fetch(prefetch, keys, db)
            for index in rows.indices {
                rows[index].setPrefetchedRows(
                    found[keys[index]], forKey: prefetch.join.name, inScope: prefetch.scopes)
            }
        }
        return rows
    }

    func fetchRows(_ db: Database) throws -> [Row] {
        try Row.fetchAll(db, sql: sql, arguments: arguments, adapter: adapter)
    }

    /// Fetches the rows that have one of the keys, and groups them by it.
    func fetch(
        _ prefetch: Prefetch, _ keys: [PrefetchKey], _ db: Database
    ) throws -> PrefetchedGroups {
        var found = PrefetchedGroups(minimumCapacity: keys.count)
        let queries = prefetch.queries(keys, db)
        // Whoever observes wants to know of rows that are not there yet.
        if queries.isEmpty, db.isRecordingRegion {
            try db.registerAccess(
                to: AssociatedRows(prefetch.emptyQuery, db).databaseRegion(db))
        }
        for query in queries {
            let rows = try AssociatedRows(
                query, db, extra: (prefetch.columns, prefetch.join.pivot))
            try rows.fetch(into: &found, keyCount: prefetch.columns.count, db)
        }
        return found
    }

    /// Groups the rows by their last columns: as they come, unless others must be fetched for them.
    private func fetch(
        into groups: inout PrefetchedGroups, keyCount: Int, _ db: Database
    ) throws {
        guard !hasPrefetches else {
            for row in try fetchAll(db) { groups.add(row, keyCount: keyCount) }
            return
        }
        let rows = try Row.fetchCursor(db, sql: sql, arguments: arguments, adapter: adapter)
        while try rows.step() { groups.add(rows.keptRow, keyCount: keyCount) }
    }

    /// The tables and columns of the query, and of all that is fetched after it.
    func databaseRegion(_ db: Database) throws -> DatabaseRegion {
        var region = try db.cachedStatement(sql: sql).databaseRegion
        for prefetch in prefetches {
            try region.formUnion(AssociatedRows(prefetch.emptyQuery, db).databaseRegion(db))
        }
        return region
    }

    /// The statements of a query and of all that is fetched after it, without the columns that are
    /// the library's own, and the names that lead to the rows of each.
    static func statements(
        _ query: SelectQuery, _ db: Database, path: [String] = []
    ) throws -> [(path: [String], statement: Statement)] {
        var sql = SQLGenerationContext(connection: db)
        try query.write(to: &sql)
        let statement = try db.makeStatement(sql: sql.sql)
        try statement.setArguments(sql.arguments)
        let rows = try AssociatedRows(query, db)
        guard rows.hasPrefetches else { return [(path, statement)] }
        let fetched = try rows.fetchRows(db)
        return try rows.prefetches.reduce(into: [(path, statement)]) { statements, prefetch in
            let path = path + prefetch.scopes + [prefetch.join.name]
            let queries = prefetch.queries(fetched.map(prefetch.key), db)
            for query in queries.isEmpty ? [prefetch.emptyQuery] : queries {
                statements += try Self.statements(query, db, path: path)
            }
        }
    }
}

extension AssociatedRows.Prefetch {
    /// What a row has in common with those to fetch.
    func key(of row: Row) -> PrefetchKey { PrefetchKey(row, columns: keyColumns) }

    /// The query of no rows.
    fileprivate var emptyQuery: SelectQuery { query(having: Constant.bool(false)) }

    /// The queries of the rows that have one of the keys: one, unless there are none or too many.
    fileprivate func queries(_ keys: [PrefetchKey], _ db: Database) -> [SelectQuery] {
        var isNew = Set<PrefetchKey>(minimumCapacity: keys.count)
        let wanted = keys.filter { !$0.hasNull && isNew.insert($0).inserted }
        // Some room is left for the values of the association's own conditions.
        let count = max(1, (db.maximumStatementArgumentCount - 100) / columns.count)
        return stride(from: 0, to: wanted.count, by: count).map { start in
            query(having: condition(wanted[start..<min(start + count, wanted.count)]))
        }
    }

    private func query(having condition: SQLExpression) -> SelectQuery {
        var query = join.query
        query.filters.append(.known(condition))
        // Rows of one group belong to one row of the origin.
        query.groups = query.groups?.map { keyExpressions + $0 }
        return query
    }

    /// The columns of the rows to fetch that hold the keys.
    private var keyExpressions: [SQLExpression] {
        columns.map { name in
            join.pivot.map { $0[Column(name)] } ?? Column(name).sqlExpression
        }
    }

    /// Whether a row to fetch has one of the keys.
    private func condition(_ keys: ArraySlice<PrefetchKey>) -> SQLExpression {
        if columns.count == 1 {
            return Membership.of(keyExpressions[0], in: keys.map(\.first.sqlExpression))
        }
        return SQLExpression(
            RowMembership(
                columns: keyExpressions, values: keys.map { $0.values.map(\.sqlExpression) }))
    }
}

extension SelectQuery.Join {
    func requirePairs(
        _ db: Database, from origin: String
    ) throws -> [JoinCondition.Pair] {
        guard let pairs = try condition.pairs(db, from: origin, to: pivotName), !pairs.isEmpty
        else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE,
                message: "Rows of association \(name) can't be fetched for many rows at once: no "
                    + "columns tell which belong to which.")
        }
        return pairs
    }
}

/// Whether several columns together have one of several lists of values.
///
/// <https://www.sqlite.org/rowvalue.html>
private struct RowMembership: SQLNode {
    let columns: [SQLExpression]
    let values: [[SQLExpression]]

    var depth: Int { 1 + max(columns.depth, values.reduce(0) { max($0, $1.depth) }) }

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
