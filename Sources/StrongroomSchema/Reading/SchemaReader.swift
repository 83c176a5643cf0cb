package import StrongroomCore

/// Reads what tables a connection sees. Nothing is written, and no view is run.
package struct SchemaReader {
    private let db: Database
    /// All tables, in the order in which SQLite looks names up: `temp`, `main`, others.
    package let tables: [DatabaseTable]
    private let positions: [String: [Int]]

    package init(_ db: Database) throws {
        self.db = db
        let schemas = try String.fetchAll(
            db, sql: "SELECT name FROM pragma_database_list ORDER BY name <> 'temp', seq")
        var tables: [DatabaseTable] = []
        for schema in schemas {
            tables += Self.markingShadows(try Self.tables(db, in: schema))
        }
        self.tables = tables
        positions = Dictionary(grouping: tables.indices) { tables[$0].name.asciiLowercased }
    }

    private static func tables(_ db: Database, in schema: String) throws -> [DatabaseTable] {
        let texts = try Row.fetchAll(
            db,
            sql: """
                SELECT name, sql FROM \(schema.quotedDatabaseIdentifier).sqlite_master
                WHERE type IN ('table', 'view')
                """)
        var sql: [String: String] = [:]
        for text in texts { sql[text[0]] = text[1] ?? "" }
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT name, type, wr, strict FROM pragma_table_list
                WHERE schema = ? AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
                """, arguments: [schema])
        return rows.map { row in
            let name: String = row[0]
            let text = sql[name] ?? ""
            let kind: DatabaseTable.Kind =
                switch row[1] as String {
                case "view": .view
                case "virtual": .virtual(VirtualTableText.module(text))
                case "shadow": .shadow
                default: .table
                }
            return DatabaseTable(
                schema: schema, name: name, kind: kind, isWithoutRowID: row[2], isStrict: row[3],
                sql: text)
        }
    }

    /// SQLite knows the tables that a virtual one keeps for itself while its module is there.
    private static func markingShadows(_ tables: [DatabaseTable]) -> [DatabaseTable] {
        let suffixes = [
            "rtree": ["node", "parent", "rowid"],
            "fts4": ["content", "segments", "segdir", "docsize", "stat"],
            "fts5": ["data", "idx", "content", "docsize", "config"],
        ]
        var shadows: Set<String> = []
        for table in tables {
            guard case .virtual(let module) = table.kind else { continue }
            let family = ["rtree_i32": "rtree", "fts3": "fts4"][module] ?? module
            for suffix in suffixes[family] ?? [] {
                shadows.insert("\(table.name)_\(suffix)".asciiLowercased)
            }
        }
        return tables.map { table in
            var table = table
            if table.kind == .table, shadows.contains(table.name.asciiLowercased) {
                table.kind = .shadow
            }
            return table
        }
    }

    /// The table that SQL means by a name, with its columns.
    package func table(_ name: String, in schema: String? = nil) throws -> DatabaseTable? {
        let places = positions[name.asciiLowercased] ?? []
        let place = places.first {
            schema == nil || tables[$0].schema.asciiLowercased == schema?.asciiLowercased
        }
        return try place.map { try completed(tables[$0]) }
    }

    /// The table with its columns. What the file alone makes unreadable is told, not thrown.
    package func completed(_ table: DatabaseTable) throws -> DatabaseTable {
        var table = table
        if table.isFullText {
            table.columns = VirtualTableText.fullTextColumns(table.sql)
            return table
        }
        do {
            table.columns = try columns(of: table)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            table.failure = error.message ?? "its columns cannot be read"
        }
        return table
    }

    private func columns(of table: DatabaseTable) throws -> [DatabaseColumn] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT name, type, "notnull", dflt_value, pk, hidden
                FROM pragma_table_xinfo(?, ?)
                """)
        return try Row.fetchAll(statement, arguments: [table.name, table.schema]).compactMap {
            row in
            let hidden: Int = row[5]
            // A column that a module hides.
            if hidden == 1 { return nil }
            let key: Int = row[4]
            return DatabaseColumn(
                name: row[0], type: row[1] ?? "", isNotNull: row[2], defaultSQL: row[3],
                keyPosition: key == 0 ? nil : key,
                generation: hidden == 2 ? .virtual : hidden == 3 ? .stored : nil)
        }
    }

    package func references(of table: DatabaseTable) throws -> [DatabaseReference] {
        guard table.kind == .table else { return [] }
        let statement = try db.cachedStatement(
            sql: """
                SELECT id, "table", "from", "to", on_delete, on_update FROM pragma_foreign_key_list(?, ?)
                ORDER BY id, seq
                """)
        var found: [(id: Int, reference: DatabaseReference)] = []
        for row in try Row.fetchAll(statement, arguments: [table.name, table.schema]) {
            let target: String? = row[3]
            if found.last?.id == row[0] {
                found[found.count - 1].reference.columns.append(row[2])
                if let target { found[found.count - 1].reference.targets?.append(target) }
            } else {
                found.append(
                    (
                        row[0],
                        DatabaseReference(
                            table: row[1], columns: [row[2]], targets: target.map { [$0] },
                            deleteAction: row[4], updateAction: row[5])
                    ))
            }
        }
        return found.map(\.reference)
    }

    /// Which of some columns hold NULL in at least one row.
    package func columnsWithNull(
        _ names: [String], of table: DatabaseTable
    ) throws -> Set<String> {
        guard !names.isEmpty else { return [] }
        let terms = names.map { "ifnull(max(\($0.quotedDatabaseIdentifier) IS NULL), 0)" }
        let row = try Row.fetchOne(
            db, sql: "SELECT \(terms.joined(separator: ", ")) FROM \(table.quotedName)")
        guard let row else { return [] }
        return Set(names.enumerated().filter { row[$0.offset] == true }.map(\.element))
    }
}

extension DatabaseTable {
    /// The name with its schema, in quotes.
    package var quotedName: String {
        schema.quotedDatabaseIdentifier + "." + name.quotedDatabaseIdentifier
    }
}
