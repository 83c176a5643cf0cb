internal import StrongroomCore

/// Makes a table anew where ALTER TABLE cannot change it, by the steps that SQLite recommends.
///
/// Indexes and triggers are made again, and so are views that may mention the table, because
/// SQLite checks all of them when the new table takes the old name. It belongs into a migration:
/// where foreign keys are enforced, dropping the old table would delete what refers to it.
///
/// <https://www.sqlite.org/lang_altertable.html#otheralter>
struct TableRebuild {
    private let db: Database
    private let table: DatabaseTable

    init(_ db: Database, _ table: DatabaseTable) {
        self.db = db
        self.table = table
    }

    fileprivate struct Object {
        let type: String
        let name: String
        let table: String
        let sql: String
        let schema: String
    }

    /// The statements that carry out some edits; nil where the table's text is not understood.
    func statements(_ edits: [TableEdit]) throws -> [String]? {
        guard var text = TableText(table.sql) else { return nil }
        for edit in edits { text.change(edit) }
        var values: [String: String] = [:]
        for case .type(let name, _, let value?) in edits { values[name.asciiLowercased] = value }
        for case .notNull(let name, let value) in edits {
            let present = values[name.asciiLowercased] ?? name.quotedDatabaseIdentifier
            values[name.asciiLowercased] = "ifnull(\(present), \(value))"
        }
        return try statements(text, values: values)
    }

    /// The statements that replace the table by one of another text.
    ///
    /// - Parameters:
    ///   - values: What is written into columns, in place of their values, by names in lower case.
    ///   - isAlone: Whether indexes, triggers and views are left to the caller.
    func statements(
        _ text: TableText, values: [String: String] = [:], isAlone: Bool = false
    ) throws -> [String] {
        let temporaryName = "strongroom_rebuilt_" + table.name
        let prefix = table.schema.quotedDatabaseIdentifier + "."
        let new = prefix + temporaryName.quotedDatabaseIdentifier
        let old = table.quotedName
        let kept = Set(
            table.columns.filter { $0.generation == nil }.map(\.name.asciiLowercased))
        let shared = text.items.filter { item in
            guard let name = item.name else { return false }
            return kept.contains(name.asciiLowercased) && !item.isGenerated
                || isMadePlain(name, item)
        }.compactMap(\.name)
        let terms = shared.map { name in
            values[name.asciiLowercased] ?? name.quotedDatabaseIdentifier
        }
        let objects = isAlone ? [] : try dependents()
        let views = objects.filter { $0.type == "view" }
        let others = objects.filter { $0.type != "view" }
        var statements = others.filter { $0.type == "trigger" && $0.table != table.name }
            .map { "DROP TRIGGER \($0.quotedName)" }
        statements += views.reversed().map { "DROP VIEW \($0.quotedName)" }
        statements.append(text.sql(named: new))
        if !shared.isEmpty {
            let names = shared.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
            statements.append(
                "INSERT INTO \(new) (\(names)) SELECT \(terms.joined(separator: ", ")) FROM \(old)")
        }
        statements += [
            "DROP TABLE \(old)",
            "ALTER TABLE \(new) RENAME TO \(table.name.quotedDatabaseIdentifier)",
        ]
        return statements + (views + others).map(\.creation)
    }

    /// A column that was computed keeps its values when it no longer is.
    private func isMadePlain(_ name: String, _ item: TableText.Item) -> Bool {
        table.columns.contains {
            $0.generation != nil && $0.name.asciiLowercased == name.asciiLowercased
        } && !item.isGenerated
    }

    /// What has to be made again: what belongs to the table, and what mentions it.
    private func dependents() throws -> [Object] {
        var all: [Object] = []
        for schema in Set([table.schema, "temp"]).sorted() {
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT type, name, tbl_name, sql
                    FROM \(schema.quotedDatabaseIdentifier).sqlite_master
                    WHERE type <> 'table' AND sql IS NOT NULL ORDER BY rowid
                    """)
            all += rows.map {
                Object(type: $0[0], name: $0[1], table: $0[2], sql: $0[3], schema: schema)
            }
        }
        var names: Set = [table.name.asciiLowercased]
        var count = 0
        while count != names.count {
            count = names.count
            for object in all where object.type == "view" {
                let body = SQLPiece.pieces(object.sql)
                if body.mentions(names) { names.insert(object.name.asciiLowercased) }
            }
        }
        return all.filter { object in
            names.contains(object.table.asciiLowercased)
                || object.type == "trigger" && SQLPiece.pieces(object.sql).mentions(names)
        }
    }
}

extension TableRebuild.Object {
    fileprivate var quotedName: String {
        schema.quotedDatabaseIdentifier + "." + name.quotedDatabaseIdentifier
    }

    /// The text names no schema: that of a temporary object says TEMP, that of an attached
    /// database gets it.
    fileprivate var creation: String {
        if schema == "main" { return sql }
        let pieces = SQLPiece.pieces(sql)
        if schema == "temp", type != "index" {
            return pieces.prefix(1).sql + " TEMP " + pieces.dropFirst().sql
        }
        let index = pieces.firstIndex { $0.name.asciiLowercased == name.asciiLowercased }
        guard let index else { return sql }
        return pieces[..<index].sql + " " + schema.quotedDatabaseIdentifier + "."
            + pieces[index...].sql
    }
}

extension TableText.Item {
    var isGenerated: Bool {
        constraints.contains { text in
            let pieces = SQLPiece.pieces(text)
            return pieces.first?.isWord("generated", "as") == true
        }
    }
}
