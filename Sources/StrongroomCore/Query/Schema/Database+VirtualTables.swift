// Virtual tables. <https://www.sqlite.org/lang_createvtab.html>

extension Database {
    /// Creates a virtual table.
    ///
    ///     try db.create(virtualTable: "vocabulary", using: "spellfix1")
    ///
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - options: Whether the table may exist already.
    ///   - module: The module, and its arguments if it has some, in SQL.
    /// - Throws: `DatabaseError` when a statement fails.
    public func create(
        virtualTable name: String, options: VirtualTableOptions = [], using module: String
    ) throws {
        try execute(sql: Self.sql(virtualTable: name, options, module))
    }

    /// Creates a virtual table, all of it or nothing.
    ///
    ///     try db.create(virtualTable: "book", using: FTS4()) { t in
    ///         t.column("title")
    ///     }
    ///
    /// - Parameters:
    ///   - tableName: The name of the table.
    ///   - options: Whether the table may exist already.
    ///   - module: The module that implements the table.
    ///   - body: Completes the definition.
    /// - Throws: `DatabaseError` when a statement fails.
    public func create<Module: VirtualTableModule>(
        virtualTable tableName: String, options: VirtualTableOptions = [], using module: Module,
        _ body: ((Module.TableDefinition) throws -> Void)? = nil
    ) throws {
        let definition = module.makeTableDefinition(
            configuration: VirtualTableConfiguration(
                isTemporary: options.contains(.temporary),
                ifNotExists: options.contains(.ifNotExists)))
        try body?(definition)
        if options.contains(.ifNotExists),
            try tableExists(tableName, in: options.contains(.temporary) ? "temp" : "main")
        {
            return
        }
        try atomically {
            let arguments = try module.moduleArguments(for: definition, in: self)
            let name = module.moduleName.plainOrQuotedName
            try create(
                virtualTable: tableName, options: options,
                using: arguments.isEmpty ? name : "\(name)(\(arguments.joined(separator: ", ")))")
            do {
                try module.database(self, didCreate: tableName, using: definition)
            } catch {
                // SQLite 3.46 can't commit a transaction in which an FTS5 table was created, written
                // and rolled back; dropped before that, it can.
                try? drop(table: tableName)
                throw error
            }
        }
    }

    private static func sql(
        virtualTable name: String, _ options: VirtualTableOptions, _ module: String
    ) -> String {
        var sql = "CREATE VIRTUAL TABLE "
        if options.contains(.ifNotExists) { sql += "IF NOT EXISTS " }
        // The statement has no word for it.
        if options.contains(.temporary) { sql += "temp." }
        return sql + "\(name.quotedDatabaseIdentifier) USING \(module)"
    }
}
