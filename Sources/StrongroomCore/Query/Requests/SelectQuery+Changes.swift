// The rows that a query selects, deleted or updated.

extension SelectQuery {
    /// What is done to the rows.
    enum Change {
        case delete
        case update([ColumnAssignment], Database.ConflictResolution?)
    }

    /// Writes the statement that changes the rows, and selects from them what they were or became.
    func write(
        _ change: Change, returning selection: [any SQLSelectable] = [],
        to sql: inout SQLGenerationContext
    ) throws {
        if case .update(let assignments, let resolution) = change,
            try assignsJoinedValues(assignments, in: sql)
        {
            return try UpdateFromJoined(
                query: self, assignments: assignments, resolution: resolution
            ).write(returning: selection, to: &sql)
        }
        let isDirect =
            groups == nil && groupFilters.isEmpty && !hasJoinedTables
            && (limit == nil || canLimitChanges)
        // The rows are found by a query inside where the statement can't say which ones itself.
        let rows = isDirect ? self : SelectQuery(selectedBy: self)
        try rows.writeDefinitions(to: &sql)
        try rows.inTable(of: &sql) { sql in
            try rows.writeHead(of: change, to: &sql)
            try rows.writeCondition(to: &sql)
            try Self.writeReturning(selection, to: &sql)
            guard let limit = rows.limit else { return }
            try rows.writeOrdering(to: &sql)
            Self.write(limit, to: &sql)
        }
    }

    private func writeHead(of change: Change, to sql: inout SQLGenerationContext) throws {
        switch change {
        case .delete:
            sql.append(sql: "DELETE FROM ")
            writeTable(keyword: " AS ", to: &sql)
        case .update(let assignments, let resolution):
            writeUpdate(resolution, to: &sql)
            try sql.append(assignments, separator: ", ") { assignment, sql in
                sql.append(identifier: assignment.columnName)
                sql.append(sql: " = ")
                try assignment.value?.write(to: &sql)
            }
        }
    }

    /// Writes the beginning of an update, up to the assignments.
    func writeUpdate(
        _ resolution: Database.ConflictResolution?, to sql: inout SQLGenerationContext
    ) {
        sql.append(sql: "UPDATE ")
        if let resolution { sql.append(sql: "OR \(resolution.rawValue) ") }
        writeTable(keyword: " AS ", to: &sql)
        sql.append(sql: " SET ")
    }

    // RETURNING knows the columns of the table by their bare names only.
    static func writeReturning(
        _ selection: [any SQLSelectable], to sql: inout SQLGenerationContext
    ) throws {
        guard !selection.isEmpty, let table = sql.table else { return }
        sql.append(sql: " RETURNING ")
        try sql.inTable(SQLGenerationContext.Table(name: table.name, qualifier: nil)) { sql in
            try sql.append(selection, separator: ", ") { try $0.sqlSelection.write(to: &$1) }
        }
    }

    /// All rows of the same table that another query selects, told by their primary keys.
    private init(selectedBy query: SelectQuery) {
        self.init(tableName: query.tableName, selection: [])
        definitions = query.definitions
        let key = query.primaryKey()
        filters = [
            .whenConnected { db in
                let columns = try key.value(in: SQLGenerationContext(connection: db))
                var inner = query
                inner.isDistinct = false
                inner.definitions = []
                inner.excludeJoinedColumns()
                inner.selection = .known(columns.map { SQLSelection($0) })
                let element =
                    columns.count == 1 ? columns[0] : SQLExpression(ExpressionList(columns))
                return SQLSubquery(inner).contains(element)
            }
        ]
    }

    private var canLimitChanges: Bool { SQLCipherLibrary.hasOption("ENABLE_UPDATE_DELETE_LIMIT") }
}
