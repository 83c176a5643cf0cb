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

    init(_ table: StoredTable, isTemporary: Bool) {
        self.table = table
        self.isTemporary = isTemporary
    }

    /// The table in the head of a trigger: one of the file knows its own schema.
    var target: String {
        isTemporary ? table.quotedName : table.name.quotedDatabaseIdentifier
    }

    func events(_ timing: RowTriggers.Timing) throws -> [Event] {
        let time = timing.rawValue
        let conflict = try conflictConditions()
        var events = [
            Event(kind: .insert, name: "insert", moment: "AFTER INSERT"),
            Event(
                kind: .update, name: "update", moment: "\(time) UPDATE",
                condition: isChanged(
                    table.columns.filter { !$0.isGenerated }.map(\.name) + rowID)),
            Event(
                kind: .keyChange, name: "keyChange", moment: "AFTER UPDATE",
                condition: isChanged(keyNames)),
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

    private func isChanged(_ names: [String]) -> String {
        let terms = names.map { name in
            let name = name.quotedDatabaseIdentifier
            let (old, new) = ("\"old\".\(name)", "\"new\".\(name)")
            // 1 and 1.0 are equal, and so are texts by most collations.
            return "\(old) IS NOT \(new) COLLATE BINARY OR typeof(\(old)) <> typeof(\(new))"
        }
        return terms.isEmpty ? "0" : "(\(terms.joined(separator: " OR ")))"
    }

    // MARK: - What REPLACE may delete

    /// One condition for each way in which `"row"` can be in the way of `"new"`.
    private func conflictConditions() throws -> [String] {
        var conditions = rowID.map { name in
            let name = name.quotedDatabaseIdentifier
            return "\"row\".\(name) = \"new\".\(name)"
        }
        for index in table.indexes where index.isUnique {
            var terms = try index.terms.map { term in
                guard !term.sql.isEmpty else {
                    throw RowTriggers.misuse(
                        "the text of the index \(index.name) is not understood")
                }
                let collation = " COLLATE \(term.collation.quotedDatabaseIdentifier)"
                guard term.column == nil else {
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
