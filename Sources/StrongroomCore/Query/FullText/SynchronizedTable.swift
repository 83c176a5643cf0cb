/// A full-text table whose texts are those of another table, which it follows by triggers.
struct SynchronizedTable {
    let name: String
    let columns: [String]
    let contentTable: String

    /// The column that has the numbers of the rows of the content table.
    ///
    /// All that can be seen from the schema is looked at before the full-text table is there.
    ///
    /// - Throws: `SQLITE_ERROR` when rows have no number, or nothing by which to ask for it, and
    ///   when a column is missing.
    static func rowID(of table: String, columns: [String], _ db: Database) throws -> String {
        let key = try db.primaryKey(table)
        guard key.tableHasRowID else {
            throw DatabaseError(
                message: "table \(table) is WITHOUT ROWID: no full-text table can follow it")
        }
        let names = Set(try db.columns(in: table).map { $0.name.lowercased() })
        guard key.rowIDColumn?.lowercased() == "rowid" || !names.contains("rowid") else {
            throw DatabaseError(
                message: "column rowid of table \(table) hides the numbers of its rows: no "
                    + "full-text table can follow it")
        }
        if let column = columns.first(where: { !names.contains($0.lowercased()) }) {
            throw DatabaseError(message: "table \(table) has no column named \(column)")
        }
        return key.rowIDColumn ?? "rowid"
    }

    private func rowID(_ db: Database) throws -> String {
        try Self.rowID(of: contentTable, columns: columns, db)
    }
}

// MARK: - FTS5

extension SynchronizedTable {
    /// <https://www.sqlite.org/fts5.html#external_content_tables>
    func createFTS5Triggers(_ db: Database) throws {
        let rowID = try rowID(db)
        let insertion = """
            INSERT INTO \(quoted(name))(\(list(["rowid"] + columns))) \
            VALUES (\(list([rowID] + columns, of: "new")));
            """
        let deletion = """
            INSERT INTO \(quoted(name))(\(list([name, "rowid"] + columns))) \
            VALUES ('delete', \(list([rowID] + columns, of: "old")));
            """
        try createTrigger("ai", "AFTER INSERT", insertion, db)
        try createTrigger("ad", "AFTER DELETE", deletion, db)
        try createTrigger("au", "AFTER UPDATE", deletion + " " + insertion, db)
        try rebuild(db)
    }
}

// MARK: - FTS4

extension SynchronizedTable {
    /// <https://www.sqlite.org/fts3.html#_external_content_fts4_tables_>
    func createFTS4Triggers(_ db: Database) throws {
        let rowID = try rowID(db)
        let insertion = """
            INSERT INTO \(quoted(name))(\(list(["docid"] + columns))) \
            VALUES (\(list([rowID] + columns, of: "new")));
            """
        let deletion = """
            DELETE FROM \(quoted(name)) WHERE docid = \(list([rowID], of: "old"));
            """
        // FTS4 reads what it deletes from the content table, which must still be as it was.
        try createTrigger("bu", "BEFORE UPDATE", deletion, db)
        try createTrigger("bd", "BEFORE DELETE", deletion, db)
        try createTrigger("au", "AFTER UPDATE", insertion, db)
        try createTrigger("ai", "AFTER INSERT", insertion, db)
        try rebuild(db)
    }
}

extension SynchronizedTable {
    private func createTrigger(
        _ suffix: String, _ event: String, _ body: String, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                CREATE TRIGGER \(quoted("__\(name)_\(suffix)")) \(event) ON \(quoted(contentTable)) \
                BEGIN \(body) END
                """)
    }

    /// Indexes the rows that are there.
    private func rebuild(_ db: Database) throws {
        try db.execute(sql: "INSERT INTO \(quoted(name))(\(quoted(name))) VALUES ('rebuild')")
    }

    private func quoted(_ name: String) -> String { name.quotedDatabaseIdentifier }

    private func list(_ columns: [String], of row: String? = nil) -> String {
        columns.map { (row.map { "\($0)." } ?? "") + quoted($0) }.joined(separator: ", ")
    }
}

extension Database {
    /// Ends what `FTS4TableDefinition.synchronize(withTable:)` began: drops the triggers.
    ///
    /// They stay when the full-text table is dropped, and then make writes to the other table fail.
    ///
    /// - Parameter tableName: The full-text table; in databases of very old versions of GRDB, the
    ///   table that it follows. It is no error if there are no triggers.
    /// - Throws: `DatabaseError` when a statement fails.
    public func dropFTS4SynchronizationTriggers(forTable tableName: String) throws {
        try dropTriggers(of: tableName, ["ai", "au", "bd", "bu"])
    }

    /// Ends what `FTS5TableDefinition.synchronize(withTable:)` began: drops the triggers.
    ///
    /// They stay when the full-text table is dropped, and then make writes to the other table fail.
    ///
    /// - Parameter tableName: The full-text table; in databases of very old versions of GRDB, the
    ///   table that it follows. It is no error if there are no triggers.
    /// - Throws: `DatabaseError` when a statement fails.
    public func dropFTS5SynchronizationTriggers(forTable tableName: String) throws {
        try dropTriggers(of: tableName, ["ai", "ad", "au"])
    }

    private func dropTriggers(of tableName: String, _ suffixes: [String]) throws {
        try atomically {
            for suffix in suffixes {
                let name = "__\(tableName)_\(suffix)".quotedDatabaseIdentifier
                try execute(sql: "DROP TRIGGER IF EXISTS \(name)")
            }
        }
    }
}
