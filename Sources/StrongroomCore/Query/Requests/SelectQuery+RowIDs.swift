// The rows that a query is limited to, as far as its conditions tell them by their ids.

extension SelectQuery {
    /// The ids of the only rows of the table that the query reads; nil when they are not known.
    ///
    /// - Parameter text: The query's SQL. One with another `SELECT` in it may read other rows of the
    ///   same table.
    func rowIDs(_ db: Database, sql text: String) throws -> Set<Int64>? {
        guard !filters.isEmpty, joins.isEmpty, definitions.isEmpty, text.isOneSelect else {
            return nil
        }
        let key = try db.primaryKey(tableName)
        guard key.tableHasRowID else { return nil }
        var names: Set<String> = ["rowid", "oid", "_rowid_"]
        if let column = key.rowIDColumn { names.insert(column.lowercased()) }
        let context = SQLGenerationContext(connection: db)
        let known = try filters.compactMap { try $0.value(in: context).rowIDs(named: names) }
        return known.dropFirst().reduce(known.first) { $0?.intersection($1) }
    }
}

extension SQLExpression {
    /// The ids of the only rows for which the condition may hold; nil when they are not known.
    fileprivate func rowIDs(named names: Set<String>) -> Set<Int64>? {
        guard depth <= NestedNode.inspectedDepth else { return nil }
        if let operation = node(as: AssociativeOperation.self) {
            let operands = operation.operands.map { $0.rowIDs(named: names) }
            switch operation.kind {
            case .and:
                let known = operands.compactMap(\.self)
                return known.dropFirst().reduce(known.first) { $0?.intersection($1) }
            case .or:
                return operands.reduce(Set()) { ids, more in
                    ids.flatMap { ids in more.map(ids.union) }
                }
            default:
                return nil
            }
        }
        if node(as: Constant.self)?.text == "0" { return [] }
        if let operation = node(as: BinaryOperation.self), ["=", "IS"].contains(operation.symbol) {
            if operation.lhs.isColumn(in: names) { return operation.rhs.rowID.map { [$0] } }
            if operation.rhs.isColumn(in: names) { return operation.lhs.rowID.map { [$0] } }
        }
        if let membership = node(as: Membership.self), !membership.isNegated,
            membership.element.isColumn(in: names),
            case .expressions(let elements) = membership.candidates
        {
            let rowIDs = elements.map(\.rowID)
            return rowIDs.contains(nil) ? nil : Set(rowIDs.compactMap(\.self))
        }
        return nil
    }

    private func isColumn(in names: Set<String>) -> Bool {
        node(as: ColumnName.self).map { names.contains($0.name.lowercased()) } ?? false
    }

    /// The number that a value is when it is compared with the id of a row.
    ///
    /// SQLite turns texts that look like numbers into these, and so does this for plain integers.
    private var rowID: Int64? { value?.asRowID }
}

extension DatabaseValue {
    fileprivate var asRowID: Int64? {
        switch storage {
        case .int64(let value): value
        case .double(let value): Int64(exactly: value)
        case .string(let text): Int64(text)
        default: nil
        }
    }
}

extension String {
    /// Whether the SQL reads each table once at most.
    fileprivate var isOneSelect: Bool {
        hasPrefix("SELECT ") && !dropFirst(6).lowercased().contains("select")
    }
}

extension Database {
    /// Says that the statement which is about to be lent for some SQL reads the row of a key only.
    package func announce(key: DatabaseValue, of table: String, in sql: String) throws {
        guard isRecordingRegion, sql.isOneSelect, let rowID = key.asRowID else { return }
        let info = try primaryKey(table)
        if info.isRowID, info.tableHasRowID { announce(rowIDs: [rowID], of: table, in: sql) }
    }
}
