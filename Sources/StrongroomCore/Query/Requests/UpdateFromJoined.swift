// Updates whose values are those of joined tables.

extension SelectQuery {
    /// Whether values are made of the columns of joined tables, which are not in view where the rows
    /// to update are told by their keys.
    func assignsJoinedValues(
        _ assignments: [ColumnAssignment], in sql: SQLGenerationContext
    ) throws -> Bool {
        guard hasJoinedTables else { return false }
        let joined = try JoinedQuery(self, in: sql)
        let aliases = Set(joined.nodes.dropFirst().flatMap { $0.query.aliases.map(\.identity) })
        guard !aliases.isEmpty else { return false }
        var trial = sql
        var used: Set<ObjectIdentifier> = []
        try joined.inTables(of: &trial) { sql in
            try sql.recordingTables(in: &used) { sql in
                for assignment in assignments { try assignment.value?.write(to: &sql) }
            }
        }
        return !used.isDisjoint(with: aliases)
    }
}

/// `UPDATE … FROM` a query that selects the keys of the rows, and the values that they get.
///
/// <https://www.sqlite.org/lang_update.html#update_from>
struct UpdateFromJoined {
    let query: SelectQuery
    let assignments: [ColumnAssignment]
    let resolution: Database.ConflictResolution?

    private static let name = "grdb_found"

    func write(
        returning selection: [any SQLSelectable], to sql: inout SQLGenerationContext
    ) throws {
        let key = try query.primaryKey().value(in: sql)
        var found = query
        found.isDistinct = false
        found.definitions = []
        found.excludeJoinedColumns()
        found.selection = .known(
            key.enumerated().map { $1.forKey("grdb_key\($0)") }
                + assignments.enumerated().map { index, assignment in
                    (assignment.value ?? SQLExpression(value: .null)).forKey("grdb_value\(index)")
                })
        var rows = SelectQuery(tableName: query.tableName, selection: [])
        rows.definitions = query.definitions
        // The table has its name here, so that the key is not taken for the other's.
        rows.aliases = [TableAlias<Void>()]
        try rows.writeDefinitions(to: &sql)
        try rows.inTable(of: &sql) { sql in
            rows.writeUpdate(resolution, to: &sql)
            sql.append(assignments.enumerated(), separator: ", ") { assignment, sql in
                sql.append(identifier: assignment.element.columnName)
                sql.append(sql: " = \"\(Self.name)\".\"grdb_value\(assignment.offset)\"")
            }
            sql.append(sql: " FROM ")
            try sql.parenthesize { try SQLSubquery(found).write(to: &$0) }
            sql.append(sql: " AS \"\(Self.name)\" WHERE ")
            try sql.append(key.enumerated(), separator: " AND ") { column, sql in
                try column.element.write(to: &sql)
                sql.append(sql: " = \"\(Self.name)\".\"grdb_key\(column.offset)\"")
            }
            try SelectQuery.writeReturning(selection, to: &sql)
        }
    }
}
