extension SelectQuery {
    /// Counts the rows, in the cheapest way that counts right.
    func fetchCount(_ db: Database) throws -> Int {
        var sql = SQLGenerationContext(connection: db)
        if try !writeSimpleCount(to: &sql) {
            sql.append(sql: "SELECT COUNT(*) FROM ")
            var query = self
            if limit == nil { query.order(by: nil) }
            try sql.parenthesize { try query.write(to: &$0) }
        }
        return try Int.fetchOne(db, sql: sql.sql, arguments: sql.arguments) ?? 0
    }

    /// Whether there is no row.
    func fetchIsEmpty(_ db: Database) throws -> Bool {
        var sql = SQLGenerationContext(connection: db)
        sql.append(sql: "SELECT EXISTS ")
        try sql.parenthesize { try write(to: &$0) }
        return try Bool.fetchOne(db, sql: sql.sql, arguments: sql.arguments) == false
    }

    /// Writes a count of the table's rows, or of a column's values, if that is all that it takes.
    private func writeSimpleCount(to sql: inout SQLGenerationContext) throws -> Bool {
        guard groups == nil, groupFilters.isEmpty, limit == nil, !hasJoinedTables else {
            return false
        }
        let counted: SQLExpression?
        let selection = try selection.value(in: sql)
        // Conditions may name what is selected.
        guard selection.allSatisfy(\.isOfColumns),
            filters.isEmpty || !selection.contains(where: \.isNamed)
        else { return false }
        if isDistinct {
            guard let column = try countableColumn(of: selection, in: sql) else { return false }
            counted = column
        } else {
            counted = nil
        }
        try writeDefinitions(to: &sql)
        try inTable(of: &sql) { sql in
            sql.append(sql: "SELECT ")
            try AggregateCall(name: "COUNT", argument: counted, isDistinct: isDistinct)
                .write(to: &sql)
            sql.append(sql: " FROM ")
            writeTable(to: &sql)
            try writeCondition(to: &sql)
        }
        return true
    }

    /// The only column, if it is never NULL: `COUNT(DISTINCT …)` leaves NULL out.
    private func countableColumn(
        of selection: [SQLSelection], in sql: SQLGenerationContext
    ) throws -> SQLExpression? {
        guard selection.count == 1, case .expression(let column, _) = selection[0].content,
            let name = column.node(as: ColumnName.self)?.name,
            let info = try? sql.database.columns(in: tableName)
                .first(where: { $0.name.lowercased() == name.lowercased() }),
            info.isNotNull
        else { return nil }
        return column
    }
}

extension SQLSelection {
    /// Whether it is an expression that has a name of its own.
    fileprivate var isNamed: Bool {
        guard case .expression(_, let name) = content else { return false }
        return name != nil
    }

    /// Whether there is a row for each of the table, because columns are all that is selected.
    fileprivate var isOfColumns: Bool {
        switch content {
        case .allColumns, .allColumnsExcluding: true
        case .expression(let expression, _): expression.isRowByRow
        case .literal: false
        }
    }
}
