/// A table or a view, as far as printing its rows needs to know it.
struct DumpedTable {
    let name: String

    /// A statement that gives all rows.
    ///
    /// - Throws: `SQLITE_ERROR` when there is no such table.
    func statement(_ db: Database, stableOrder: Bool) throws -> Statement {
        let select = "SELECT * FROM \(name.quotedDatabaseIdentifier)"
        guard let order = try order(db, stableOrder: stableOrder), !order.isEmpty else {
            return try db.makeStatement(sql: select)
        }
        return try db.makeStatement(sql: "\(select) ORDER BY \(order.joined(separator: ", "))")
    }

    /// The terms by which the rows are sorted; nil for their own order.
    private func order(_ db: Database, stableOrder: Bool) throws -> [String]? {
        if try isView(db) {
            guard stableOrder else { return nil }
            let count = try db.makeStatement(
                sql: "SELECT * FROM \(name.quotedDatabaseIdentifier)"
            ).columnCount
            return (1...max(1, count)).map(String.init)
        }
        let primaryKey = try String.fetchAll(
            db, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk",
            arguments: [name])
        guard primaryKey.isEmpty else { return primaryKey.map(\.quotedDatabaseIdentifier) }
        return try rowID(db).map { [$0] }
    }

    private func isView(_ db: Database) throws -> Bool {
        // A name means the temporary table before that of the main database, and that before others.
        let sql = """
            SELECT type FROM pragma_table_list WHERE name = ? COLLATE NOCASE
            ORDER BY schema <> 'temp', schema <> 'main' LIMIT 1
            """
        return try String.fetchOne(db, sql: sql, arguments: [name]) == "view"
    }

    /// The name of the rowid that no column takes, if there is one.
    /// <https://www.sqlite.org/lang_createtable.html#rowid>
    private func rowID(_ db: Database) throws -> String? {
        let columns = try Set(
            String.fetchAll(
                db, sql: "SELECT lower(name) FROM pragma_table_xinfo(?)", arguments: [name]))
        return ["rowid", "_rowid_", "oid"].first { !columns.contains($0) }
    }
}

extension DumpedTable {
    /// The tables that an app has filled: no view, none of SQLite's and of the library's own, and
    /// none of those in which virtual tables keep their content.
    static func contentTables(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT name FROM pragma_table_list
                WHERE schema = 'main' AND type IN ('table', 'virtual')
                AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'grdb\\_%' ESCAPE '\\'
                AND name NOT LIKE 'strongroom\\_%' ESCAPE '\\'
                ORDER BY name COLLATE NOCASE, name
                """)
    }

    /// The definitions of the main database: a table, then what belongs to it. Left out are those of
    /// SQLite's and the library's own tables, and of the tables in which virtual ones keep their content.
    static func definitions(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT sql FROM sqlite_master
                WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                AND tbl_name NOT LIKE 'grdb\\_%' ESCAPE '\\'
                AND name NOT LIKE 'strongroom\\_%' ESCAPE '\\'
                AND tbl_name NOT LIKE 'strongroom\\_%' ESCAPE '\\'
                AND tbl_name NOT IN (
                    SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow')
                ORDER BY tbl_name COLLATE NOCASE, tbl_name, type NOT IN ('table', 'view'), type, name
                """)
    }
}
