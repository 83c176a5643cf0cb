extension SelectQuery: SQLNode {
    package func write(to sql: inout SQLGenerationContext) throws {
        try write(limit: limit, to: &sql)
    }

    /// Writes the query, of which one row is enough if `isSingle`.
    func write(isSingle: Bool, to sql: inout SQLGenerationContext) throws {
        var limit = limit
        if isSingle, limit == nil, try !hasOneRow(in: sql) { limit = Limit(count: 1) }
        try write(limit: limit, to: &sql)
    }

    private func write(limit: Limit?, to sql: inout SQLGenerationContext) throws {
        if hasJoinedTables {
            let joined = try JoinedQuery(self, in: sql)
            return try write(joined, [], limit: limit, to: &sql)
        }
        try writeDefinitions(to: &sql)
        try inTable(of: &sql) { sql in
            sql.append(sql: isDistinct ? "SELECT DISTINCT " : "SELECT ")
            try writeSelection(to: &sql)
            sql.append(sql: " FROM ")
            writeTable(to: &sql)
            try writeCondition(to: &sql)
            try writeGroups(to: &sql)
            try writeOrdering(to: &sql)
            if let limit { Self.write(limit, to: &sql) }
        }
    }

    /// Writes the query with all that is joined to it, and columns that users don't see.
    func write(
        _ joined: JoinedQuery, _ hiddenColumns: [HiddenColumn], limit: Limit?,
        to sql: inout SQLGenerationContext
    ) throws {
        try Self.write(joined.definitions, to: &sql)
        try joined.inTables(of: &sql) { sql in
            sql.append(sql: isDistinct ? "SELECT DISTINCT " : "SELECT ")
            try joined.writeSelection(hiddenColumns, to: &sql)
            sql.append(sql: " FROM ")
            try joined.writeTables(to: &sql)
            try writeCondition(to: &sql)
            try writeGroups(to: &sql)
            try joined.writeOrdering(to: &sql)
            if let limit { Self.write(limit, to: &sql) }
        }
    }

    /// Whether more than one table is in the query.
    var hasJoinedTables: Bool { joins.contains { !$0.isPrefetched } }

    /// Makes the table the one in view while something is written.
    func inTable(
        of sql: inout SQLGenerationContext,
        _ body: (inout SQLGenerationContext) throws -> Void
    ) throws {
        let table = SQLGenerationContext.Table(name: tableName, qualifier: qualifier(in: sql))
        var names: [ObjectIdentifier: SQLGenerationContext.Table] = [:]
        for alias in aliases { names[alias.identity] = table }
        try sql.naming(names) { sql in try sql.inTable(table, body) }
    }

    /// The name that an alias gives to the table, if one does.
    var aliasName: String? { aliases.lazy.compactMap(\.name).first }

    /// By what columns of the table are told from others; nil where there are no others.
    private func qualifier(in sql: SQLGenerationContext) -> String? {
        if let aliasName { return aliasName }
        // A query around this one may be asked for its columns in here by the same name.
        var name = tableName
        var number = 0
        while sql.isNamed(name) {
            number += 1
            name = "\(tableName)\(number)"
        }
        return aliases.isEmpty && number == 0 ? nil : name
    }
}

// MARK: - Clauses

extension SelectQuery {
    /// Writes the columns, of which there must be one at least.
    func writeSelection(to sql: inout SQLGenerationContext) throws {
        try Self.write(selection.value(in: sql), to: &sql)
    }

    static func write(
        _ selection: [SQLSelection], to sql: inout SQLGenerationContext
    ) throws {
        guard !selection.isEmpty else { throw DatabaseError.emptySelection(of: sql.table?.name) }
        try sql.append(selection, separator: ", ") { try $0.write(to: &$1) }
    }

    /// Writes the table's name, and the one that it gets here.
    func writeTable(keyword: String = " ", to sql: inout SQLGenerationContext) {
        sql.append(identifier: tableName)
        guard let qualifier = sql.table?.qualifier, qualifier != tableName else { return }
        sql.append(sql: keyword)
        sql.append(identifier: qualifier)
    }

    func writeCondition(to sql: inout SQLGenerationContext) throws {
        try write(filters, keyword: " WHERE ", to: &sql)
    }

    func writeGroups(to sql: inout SQLGenerationContext) throws {
        if let groups = try groups?.value(in: sql), !groups.isEmpty {
            sql.append(sql: " GROUP BY ")
            try sql.append(groups, separator: ", ") { try $0.writeTerm(to: &$1) }
        }
        try write(groupFilters, keyword: " HAVING ", to: &sql)
    }

    func writeOrdering(to sql: inout SQLGenerationContext) throws {
        let orderings = try orderings(in: sql)
        guard !orderings.isEmpty else { return }
        sql.append(sql: " ORDER BY ")
        try sql.append(orderings, separator: ", ") { try $0.write(to: &$1) }
    }

    private func write(
        _ conditions: [Clause<SQLExpression>], keyword: String,
        to sql: inout SQLGenerationContext
    ) throws {
        guard !conditions.isEmpty else { return }
        sql.append(sql: keyword)
        if conditions.count == 1 { return try conditions[0].value(in: sql).write(to: &sql) }
        try sql.append(conditions, separator: " AND ") { condition, sql in
            try condition.value(in: sql).writeOperand(to: &sql)
        }
    }

    static func write(_ limit: Limit, to sql: inout SQLGenerationContext) {
        sql.append(sql: " LIMIT \(limit.count)")
        if let offset = limit.offset { sql.append(sql: " OFFSET \(offset)") }
    }
}

// MARK: - One row

extension SelectQuery {
    /// Whether there can be one row at most, because the values of a unique key are given.
    private func hasOneRow(in sql: SQLGenerationContext) throws -> Bool {
        guard groups == nil, !filters.isEmpty, !hasJoinedTables else { return false }
        let columns = try filters.flatMap { try $0.value(in: sql).equatedColumns }
        guard !columns.isEmpty else { return false }
        // It may be no table: what stands like one, or is missing, has no key.
        return (try? sql.database.table(tableName, hasUniqueKey: columns)) ?? false
    }
}

extension SQLExpression {
    /// The columns that equal a value when the condition holds.
    fileprivate var equatedColumns: [String] {
        if let both = node(as: AssociativeOperation.self), both.kind == .and {
            return both.operands.flatMap(\.equatedColumns)
        }
        guard let equality = node(as: BinaryOperation.self), equality.symbol == "=",
            let column = equality.lhs.node(as: ColumnName.self), equality.rhs.value != nil
        else { return [] }
        return [column.name]
    }
}

extension DatabaseError {
    /// Nothing is selected, of which SQL has no form.
    static func emptySelection(of table: String?) -> DatabaseError {
        DatabaseError(
            code: .SQLITE_MISUSE,
            message: "can't generate SQL with an empty selection"
                + (table.map { ": of table \($0)" } ?? ""))
    }
}
