// What a database holds. Names are compared as SQLite does: in any case of ASCII.

extension Database {
    /// The number that SQLite increases when the schema changes.
    ///
    /// <https://www.sqlite.org/pragma.html#pragma_schema_version>
    ///
    ///     let version = try db.schemaVersion()
    ///
    /// - Throws: `DatabaseError` if the schema cannot be read.
    public func schemaVersion() throws -> Int32 {
        try keptStatements.control.schemaVersion(on: self)
    }

    /// Clears the connection's cached schema.
    ///
    /// The writing connection notices its own changes. Call this if another program, or another
    /// `DatabaseQueue`, has changed the schema. Read-only connections notice such changes
    /// themselves.
    public func clearSchemaCache() {
        schemaCache.clear()
    }

    /// A number that changes whenever something may have changed in the schema.
    package var schemaGeneration: Int {
        get throws {
            try validateSchemaCache()
            return schemaCache.generation
        }
    }

    private func validateSchemaCache() throws {
        // Whoever writes knows what it changes; others change it for those who read.
        try schemaCache.validate(self, version: configuration.readonly ? schemaVersion : nil)
    }

    /// Whether there is a table of that name, not a view.
    ///
    ///     if try !db.tableExists("player") {
    ///         try db.create(table: "player") { t in t.autoIncrementedPrimaryKey("id") }
    ///     }
    ///
    /// - Parameters:
    ///   - name: The name to look for, in upper or lower case.
    ///   - schema: `main`, `temp`, or the name of an attached database; all of them if nil.
    /// - Throws: `DatabaseError` if there is no such schema.
    public func tableExists(_ name: String, in schema: String? = nil) throws -> Bool {
        // Those that list the others are no tables of the app's.
        try findTable(name, in: schema)?.isView == false && !Self.isListOfTables(name)
    }

    /// Whether there is a view of that name.
    ///
    ///     let exists = try db.viewExists("hero")
    ///
    /// - Parameters:
    ///   - name: The name to look for, in upper or lower case.
    ///   - schema: As for `tableExists(_:in:)`.
    /// - Throws: `DatabaseError` if the schema cannot be read.
    public func viewExists(_ name: String, in schema: String? = nil) throws -> Bool {
        try findTable(name, in: schema)?.isView == true
    }

    /// Whether SQLite tells the changes of each row of a table, if there is such a table.
    func tellsChanges(ofTable name: String) throws -> Bool {
        try findTable(name, in: nil)?.tellsChanges != false
    }

    /// Whether there is a trigger of that name.
    ///
    ///     let exists = try db.triggerExists("playerAfterInsert")
    ///
    /// - Parameters:
    ///   - name: The name to look for, in upper or lower case.
    ///   - schema: As for `tableExists(_:in:)`.
    /// - Throws: `DatabaseError` if the schema cannot be read.
    public func triggerExists(_ name: String, in schema: String? = nil) throws -> Bool {
        try schemas(schema).contains { schema in
            try Bool.fetchOne(
                self,
                sql: """
                    SELECT 1 FROM \(schema.quotedDatabaseIdentifier).sqlite_master
                    WHERE type = 'trigger' AND name = ? COLLATE NOCASE
                    """, arguments: [name]) == true
        }
    }

    /// The columns of a table or view, generated ones included.
    ///
    ///     let names = try db.columns(in: "player").map(\.name)
    ///
    /// - Parameters:
    ///   - table: The name of the table or view.
    ///   - schema: As for `tableExists(_:in:)`.
    /// - Throws: `DatabaseError`, `no such table` among others.
    public func columns(in table: String, in schema: String? = nil) throws -> [ColumnInfo] {
        try self.table(table, in: schema).columns(self)
    }

    /// The primary key of a table, or of a view if a schema source knows it.
    ///
    ///     let columns = try db.primaryKey("player").columns
    ///
    /// - Parameters:
    ///   - table: The name of the table or view.
    ///   - schema: As for `tableExists(_:in:)`.
    /// - Throws: `DatabaseError` if there is no such table, or a view has no known key.
    public func primaryKey(
        _ table: String, in schema: String? = nil
    ) throws -> PrimaryKeyInfo {
        try self.table(table, in: schema).primaryKey(self)
    }

    /// The indexes on columns of a table; those on expressions are left out.
    ///
    ///     for index in try db.indexes(on: "player") { print(index.name, index.columns) }
    ///
    /// - Parameters:
    ///   - table: The name of the table or view.
    ///   - schema: As for `tableExists(_:in:)`.
    /// - Throws: `DatabaseError`, `no such table` among others, also for a view.
    public func indexes(on table: String, in schema: String? = nil) throws -> [IndexInfo] {
        try self.table(table, in: schema, orView: false).indexes(self)
    }

    /// The foreign keys of a table.
    ///
    ///     for key in try db.foreignKeys(on: "player") { print(key.destinationTable) }
    ///
    /// - Parameters:
    ///   - table: The name of the table or view.
    ///   - schema: As for `tableExists(_:in:)`.
    /// - Throws: `DatabaseError`, `no such table` among others, also for a view.
    public func foreignKeys(on table: String, in schema: String? = nil) throws -> [ForeignKeyInfo] {
        try self.table(table, in: schema, orView: false).foreignKeys(self)
    }

    /// Whether columns identify the rows of a table.
    ///
    /// They do if they include the primary key, the row number, or all columns of a unique index on
    /// all rows. For a table that does not exist, this is false.
    ///
    ///     let hasEmail = try db.table("player", hasUniqueKey: ["email"])
    ///
    /// - Throws: `DatabaseError` if the schema cannot be read.
    public func table(
        _ tableName: String, hasUniqueKey columns: some Collection<String>
    ) throws -> Bool {
        try findTable(tableName, in: nil)?.hasUniqueKey(columns, self) ?? false
    }

    /// Whether a table is internal to SQLite, stored or computed.
    public static func isSQLiteInternalTable(_ tableName: String) -> Bool {
        let name = tableName.lowercased()
        return name.hasPrefix("sqlite_") || name.hasPrefix("pragma_")
    }

    /// Whether a table is internal to this library, with the name that GRDB uses.
    public static func isGRDBInternalTable(_ tableName: String) -> Bool {
        tableName.lowercased().hasPrefix("grdb_")
    }

    /// Whether a name is reserved for this library and code built on it: `strongroom_…`.
    ///
    /// Observations of the whole database, dumps, schema comparisons and `strongroom info` leave
    /// out such tables and triggers.
    ///
    ///     Database.isStrongroomInternalTable("strongroom_origin")  // true
    public static func isStrongroomInternalTable(_ tableName: String) -> Bool {
        tableName.lowercased().hasPrefix("strongroom_")
    }
}

// MARK: - Finding tables

extension Database {
    /// - Throws: `no such table`, `no such schema`.
    func table(
        _ name: String, in schema: String?, orView mayBeView: Bool = true
    ) throws -> TableSchema {
        guard let table = try findTable(name, in: schema), mayBeView || !table.isView else {
            throw DatabaseError(message: "no such table: \(name)")
        }
        return table
    }

    /// The first table or view of that name: temporary ones come first, then those of `main`.
    private func findTable(_ name: String, in schema: String?) throws -> TableSchema? {
        try validateSchemaCache()
        return try schemaCache.table(SchemaCache.Name(schema: schema, table: name)) {
            try untraced {
                for schema in try schemas(schema) {
                    if let table = try readTable(name, in: schema) { return table }
                }
                return nil
            }
        }
    }

    private func readTable(_ name: String, in schema: String) throws -> TableSchema? {
        // SQLite would read the name up to the NUL, and answer for another table.
        if name.utf8.contains(0) { return nil }
        // The newer names of the table that lists the others are no names that it is listed under.
        let listedName = Self.listedNames[name.lowercased()] ?? name
        let row = try Row.fetchOne(
            self, sql: "SELECT * FROM pragma_table_list(?) WHERE schema = ? COLLATE NOCASE",
            arguments: [listedName, schema])
        guard let row else { return nil }
        return TableSchema(
            id: DatabaseObjectID(
                name: try row.decode(forColumn: "name"), schemaID: DatabaseSchemaID(name: schema)),
            type: try row.decode(forColumn: "type"),
            isWithoutRowID: try row.decode(forColumn: "wr"))
    }

    private static func isListOfTables(_ name: String) -> Bool {
        ["sqlite_master", "sqlite_temp_master"].contains(
            listedNames[name.lowercased()] ?? name.lowercased())
    }

    private static let listedNames = [
        "sqlite_schema": "sqlite_master", "sqlite_temp_schema": "sqlite_temp_master",
    ]

    /// The schemas in which names are looked up, in SQLite's order; or the one that was named.
    ///
    /// <https://www.sqlite.org/lang_naming.html>
    private func schemas(_ schema: String?) throws -> [String] {
        let names = try String.fetchAll(
            self, sql: "SELECT name FROM pragma_database_list ORDER BY seq")
        guard let schema else {
            return ["temp"] + names.filter { $0 != "temp" }
        }
        let name = names.first { $0.lowercased() == schema.lowercased() }
        // It is made with the first temporary table.
        if name == nil, schema.lowercased() == "temp" { return ["temp"] }
        guard let name else { throw DatabaseError(message: "no such schema: \(schema)") }
        return [name]
    }
}

// MARK: - What the schema can't tell

extension Database {
    /// The columns of the primary key; all columns of a view whose key nobody knows.
    func keyOrAllColumns(of table: String) throws -> [String] {
        if try viewExists(table), let columns = try? primaryKey(table).columns { return columns }
        return try viewExists(table)
            ? columns(in: table).map(\.name) : primaryKey(table).columns
    }

    /// What tells the rows of a table apart: the row number where there is one.
    func rowIdentity(of table: String) throws -> [String] {
        let key = try primaryKey(table)
        return key.tableHasRowID ? [key.rowIDColumn ?? "rowid"] : key.columns
    }
}

extension Database {
    /// The source of the primary keys of views, if there is one.
    public var schemaSource: (any DatabaseSchemaSource)? { schemaCache.source }

    /// Uses another schema source during a closure; none if nil.
    public func withSchemaSource<T>(
        _ source: (any DatabaseSchemaSource)?, execute body: () throws -> T
    ) rethrows -> T {
        let outerSource = schemaCache.source
        schemaCache.source = source
        clearSchemaCache()
        defer {
            schemaCache.source = outerSource
            clearSchemaCache()
        }
        return try body()
    }
}
