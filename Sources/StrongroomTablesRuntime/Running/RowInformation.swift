internal import StrongroomCore
internal import TableModel

/// The type of rows, for messages, and for SQL that somebody wrote by hand.
struct RowInformation {
    /// What is known of the type, where it is a table or a selection.
    var layout: TableLayout?
    /// The number of columns, where the type is no table.
    var count: Int?
    var checksNames = false

    init<Shape: RowShape>(_ shape: Shape.Type, checksNames: Bool = false) {
        self.checksNames = checksNames
        count = Shape._resultCount
        layout = Shape._group?._layout
    }

    /// The positions of the type's columns in a result; nil where they are those of the type.
    ///
    /// - Throws: When the result lacks a column.
    func order(of names: [String]) throws -> [Int]? {
        guard let layout, !layout.columns.isEmpty else {
            guard let count, count != names.count else { return nil }
            throw QueryBuildingError("the result has \(names.count) columns, not \(count)")
        }
        let columns = layout.columns
        let known = names.map { $0.lowercased() }
        let wanted = columns.map { $0.name.lowercased() }
        if known == wanted { return nil }
        if Set(known).count < known.count, known.count == wanted.count { return nil }
        let order = try zip(columns, wanted).map { column, name in
            guard let position = known.firstIndex(of: name) else {
                throw QueryBuildingError(
                    "the result has no column \"\(column.name)\" for "
                        + "\(layout.typeName).\(column.property)")
            }
            return position
        }
        return order == Array(order.indices) ? nil : order
    }
}

extension DatabaseError {
    /// The error with what helps: a table of the singular name that is there.
    func explained(_ db: Database, _ query: QueryFragment) -> DatabaseError {
        guard let message, message.hasPrefix("no such table: "),
            let name = message.split(whereSeparator: { " .".contains($0) }).last.map(String.init),
            let type = query.segments.typeName(ofTable: name),
            name == TableName.plural(ofType: type)
        else { return self }
        let singular = TableName.singular(ofType: type)
        guard (try? db.tableExists(singular)) == true else { return self }
        return DatabaseError(
            code: extendedResultCode,
            message: "\(message) \u{2014} the database has \"\(singular)\"; see '@Table(naming:)'",
            sql: sql)
    }
}

extension Database {
    /// Makes sure that a table has the columns whose names stand alone in a statement.
    ///
    /// - Throws: `DatabaseError`, as SQLite throws for a column that stands behind its table.
    func requireColumns(
        _ names: [String], of table: TableReference, in query: QueryFragment
    ) throws {
        guard !names.isEmpty, table.fragment == nil else { return }
        let known = Set(
            try columns(in: table.name, in: table.schema).map { $0.name.lowercased() })
        for name in names where !known.contains(name.lowercased()) {
            if ["rowid", "oid", "_rowid_", "rank"].contains(name.lowercased()) { continue }
            throw DatabaseError(
                code: .SQLITE_ERROR,
                message: "no such column: \(table.name).\(name)",
                sql: query.prepare { _ in "?" }.sql)
        }
    }
}

extension [QueryFragment.Segment] {
    /// The type whose rows a table has.
    fileprivate func typeName(ofTable name: String) -> String? {
        for segment in self {
            switch segment {
            case .source(let table) where table.name == name:
                if let type = table.type { return type._layout.typeName }
            case .subquery(let inner):
                if let found = inner.typeName(ofTable: name) { return found }
            default: continue
            }
        }
        return nil
    }
}
