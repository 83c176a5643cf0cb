internal import StrongroomCore

/// The parts of the triggers of a table, in SQL that no collation, affinity or name misleads.
struct TriggerTexts {
    struct Event {
        let kind: RowTriggers.Change.Kind
        let name: String
        let moment: String
        var source = ""
        var condition: String?
    }

    private let table: StoredTable
    private let isTemporary: Bool
    private let scope: RowTriggers.Scope

    init(_ table: StoredTable, isTemporary: Bool, scope: RowTriggers.Scope) {
        self.table = table
        self.isTemporary = isTemporary
        self.scope = scope
    }

    /// The table in the head of a trigger: one of the file knows its own schema.
    var target: String {
        isTemporary ? table.quotedName : table.name.quotedDatabaseIdentifier
    }

    func events(_ timing: RowTriggers.Timing) throws -> [Event] {
        let time = timing.rawValue
        let columns =
            scope.columns ?? table.columns.filter { !$0.isGenerated }.map(\.name) + rowID
        let conflict = try conflictConditions()
        var events = [
            Event(kind: .insert, name: "insert", moment: "AFTER INSERT"),
            Event(
                kind: .update, name: "update", moment: "\(time) UPDATE",
                condition: table.changeSQL(ofAny: columns)),
            Event(
                kind: .keyChange, name: "keyChange", moment: "AFTER UPDATE\(keyList)",
                condition: table.changeSQL(ofAny: keyNames)),
            Event(kind: .delete, name: "delete", moment: "\(time) DELETE"),
        ]
        guard !conflict.isEmpty else { return events }
        for moment in ["INSERT", "UPDATE"] {
            events.append(
                Event(
                    kind: .replace, name: "replaceBy\(moment.lowercased().capitalizedWord)",
                    moment: "BEFORE \(moment)",
                    source: conflictingRows(conflict, isUpdate: moment == "UPDATE")))
        }
        return events
    }

    // MARK: - What has changed

    private var rowID: [String] { table.rowIDName.map { [$0] } ?? [] }

    /// The declared key, or else the row number.
    private var keyNames: [String] { table.key.isEmpty ? rowID : table.key }

    /// An update that does not name the key does not change it, unless it names the row number.
    private var keyList: String {
        guard !table.key.isEmpty, !table.isKeyRowNumber else { return "" }
        return " OF " + table.key.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    }

    // MARK: - What REPLACE may delete

    /// One condition for each way in which `"row"` can be in the way of `"new"`.
    private func conflictConditions() throws -> [String] {
        let omitsKey = scope.omitsExactKey && table.isKeyExact
        var conditions: [String] = []
        if !scope.omitsRowNumber, !(omitsKey && table.isKeyRowNumber) {
            conditions = rowID.map { name in
                let name = name.quotedDatabaseIdentifier
                return "\"row\".\(name) = \"new\".\(name)"
            }
        }
        for index in table.indexes where index.isUnique {
            if omitsKey, index.isPrimaryKey { continue }
            var terms = try index.terms.map { term in
                guard !term.sql.isEmpty else {
                    throw RowTriggers.misuse(
                        "the text of the index \(index.name) is not understood")
                }
                let collation = " COLLATE \(term.collation.quotedDatabaseIdentifier)"
                // Before an update, SQLite computes columns from those that the trigger names.
                if let column = term.column, !isComputed(column) {
                    return "\"row\".\(term.sql) = \"new\".\(term.sql)\(collation)"
                }
                return "(\(term.sql)) = \(ofNewRow(term.sql))\(collation)"
            }
            if let condition = index.condition {
                terms += ["(\(condition))", ofNewRow(condition)]
            }
            conditions.append(terms.joined(separator: " AND "))
        }
        return conditions
    }

    private func isComputed(_ column: String) -> Bool {
        table.columns.contains {
            $0.isGenerated && $0.name.asciiLowercased == column.asciiLowercased
        }
    }

    /// An expression of an index, whose names stand alone, of the row as it becomes.
    private func ofNewRow(_ sql: String) -> String {
        let columns = table.columns.map { column in
            let name = column.name.quotedDatabaseIdentifier
            return "\"new\".\(name) AS \(name)"
        }
        return "(SELECT \(sql) FROM (SELECT \(columns.joined(separator: ", "))))"
    }

    /// The rows have a name of their own: in a trigger, `old` within a subquery is the row that is
    /// updated, whatever a query around it calls so.
    private func conflictingRows(_ conditions: [String], isUpdate: Bool) -> String {
        let columns = (rowID + table.columns.map(\.name)).map { name in
            let name = name.quotedDatabaseIdentifier
            return "\"row\".\(name) AS \(name)"
        }
        var condition = conditions.joined(separator: " OR ")
        if isUpdate {
            let isOther = table.identity.map { column in
                let name = column.name.quotedDatabaseIdentifier
                let collation = column.collation.quotedDatabaseIdentifier
                return "\"row\".\(name) IS NOT \"old\".\(name) COLLATE \(collation)"
            }
            condition = "(\(condition)) AND (\(isOther.joined(separator: " OR ")))"
        }
        let own = isTemporary ? table.quotedName : table.name.quotedDatabaseIdentifier
        return " FROM (SELECT \(columns.joined(separator: ", ")) FROM \(own) AS \"row\""
            + " WHERE \(condition)) AS \"replaced\""
    }
}

extension String {
    fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst() }
}
