extension RecordRow {
    /// Inserts the row, or overwrites the one that is in the way.
    func upsert() throws -> InsertionSuccess {
        let sql = plan.sql(.upsert)
        guard let rowID = plan.rowIDSelection else {
            try execute(sql, container.values)
            return insertionSuccess(rowID: db.lastInsertedRowID)
        }
        // An update leaves the number of the last insertion as it was.
        let number = try Int64.fetchOne(
            db, sql: "\(sql) RETURNING \(rowID)",
            arguments: StatementArguments(unchecked: container.values))
        guard let number else { throw notFound }
        return insertionSuccess(rowID: number)
    }

    /// Inserts the row, or updates the one that is in the way, and fetches what it became.
    ///
    /// - Parameter target: The columns that must be unique; any uniqueness if empty.
    /// - Parameter strategy: Whether all columns that the assignments do not mention are overwritten, but
    ///   for the primary key and the target.
    /// - Parameter doUpdate: Gives the assignments of the update.
    func upsert<Record, T: FetchableRecord & TableRecord>(
        target: [String], _ strategy: UpsertUpdateStrategy,
        doUpdate: ((TableAlias<Record>) -> [ColumnAssignment])?, as type: T.Type
    ) throws -> (InsertionSuccess, T) {
        let (sql, arguments) = try upsertSQL(target: target, strategy, doUpdate: doUpdate)
        let rowIDSelection = plan.rowIDSelection
        var fetched: Row?
        try run(
            sql, container.values + arguments.values, T.databaseSelection, rowID: rowIDSelection
        ) { fetched = try Row.fetchOne($0) }
        guard let row = fetched else { throw notFound }
        guard rowIDSelection != nil else {
            return (insertionSuccess(rowID: db.lastInsertedRowID), try T(row: row))
        }
        // The number of the row is no column of the record.
        let last = row.count - 1
        let number = try row.decode(Int64.self, atIndex: last)
        let layout = RowLayout(
            row.layout, columns: Array(0..<last), names: Array(row.layout.names[..<last]))
        return (
            insertionSuccess(rowID: number), try T(row: Row(storage: row.storage, layout: layout))
        )
    }

    /// Inserts the row, unless another is in the way.
    ///
    /// - Parameter target: The columns that must be unique; any uniqueness if empty.
    /// - Returns: nil when another is in the way.
    func insertIfAbsent(target: [String]) throws -> InsertionSuccess? {
        try execute(plan.insertionIfAbsent(target: target), container.values)
        guard db.changesCount > 0 else { return nil }
        return insertionSuccess(rowID: db.lastInsertedRowID)
    }

    private func upsertSQL<Record>(
        target: [String], _ strategy: UpsertUpdateStrategy,
        doUpdate: ((TableAlias<Record>) -> [ColumnAssignment])?
    ) throws -> (String, StatementArguments) {
        let alias = TableAlias<Record>(name: "excluded")
        let assignments = doUpdate?(alias) ?? []
        let settled = Set((assignments.map(\.columnName) + target).map { $0.lowercased() })
        var updates = SQLGenerationContext(connection: db)
        let table = SQLGenerationContext.Table(name: plan.tableName, qualifier: nil)
        let excluded = SQLGenerationContext.Table(name: plan.tableName, qualifier: "excluded")
        let effective = assignments.filter { $0.value != nil }
        try updates.naming([alias.identity: excluded]) { sql in
            try sql.inTable(table) { sql in
                try sql.append(effective, separator: ", ") { assignment, sql in
                    sql.append(identifier: assignment.columnName)
                    sql.append(sql: " = ")
                    try assignment.value?.write(to: &sql)
                }
            }
        }
        var rest = strategy == .allColumns ? plan.overwriting(except: settled) : []
        if effective.isEmpty, rest.isEmpty { rest = plan.changingNothing }
        let all = (effective.isEmpty ? [] : [updates.sql]) + rest
        let sql = plan.upsert(target: target, updates: all.joined(separator: ", "))
        return (sql, updates.arguments)
    }
}
