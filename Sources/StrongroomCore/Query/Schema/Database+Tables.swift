// Tables. <https://www.sqlite.org/lang_createtable.html>

extension Database {
    /// Creates a table, and the indexes that its definition asks for.
    ///
    ///     try db.create(table: "player", options: .ifNotExists) { t in
    ///         t.autoIncrementedPrimaryKey("id")
    ///         t.column("name", .text).notNull()
    ///         t.column("score", .integer).notNull().defaults(to: 0).indexed()
    ///     }
    ///
    /// - Throws: What `body` throws, and `DatabaseError`; nothing is then created.
    public func create(
        table name: String, options: TableOptions = [],
        body: (TableDefinition) throws -> Void
    ) throws {
        let definition = TableDefinition()
        try body(definition)
        let table = DefinedTable(
            self, name: name, schema: options.contains(.temporary) ? "temp" : "main",
            definition: definition)
        try execute(definition: definition.statements(creating: table, options))
    }

    /// Gives a table another name, also where triggers, views and foreign keys name it.
    ///
    ///     try db.rename(table: "player", to: "athlete")
    ///
    /// - Throws: `DatabaseError` when a statement fails.
    public func rename(table name: String, to newName: String) throws {
        let names = (name.quotedDatabaseIdentifier, newName.quotedDatabaseIdentifier)
        try execute(sql: "ALTER TABLE \(names.0) RENAME TO \(names.1)")
    }

    /// Changes the columns of a table.
    ///
    /// SQLite can't change everything in place: for the rest, create another table, copy the rows,
    /// drop the old one and rename the new one, in a migration.
    ///
    ///     try db.alter(table: "player") { t in
    ///         t.add(column: "email", .text)
    ///     }
    ///
    /// - Throws: What `body` throws, and `DatabaseError`; the table is then as it was.
    public func alter(table name: String, body: (TableAlteration) throws -> Void) throws {
        let alteration = TableAlteration()
        try body(alteration)
        let schema = try schema(ofTableFor: alteration, name)
        let definedTable = DefinedTable(self, name: name, schema: schema)
        try atomically { try alteration.execute(on: definedTable) }
    }

    /// - Throws: That there is no such table, with the statement that was to change it.
    private func schema(
        ofTableFor alteration: TableAlteration, _ name: String
    ) throws -> String {
        do {
            return try table(name, in: nil).id.schemaID.name
        } catch let error as DatabaseError where error.sql == nil {
            let missing = DefinedTable(self, name: name, schema: "main")
            guard let sql = try alteration.firstStatement(on: missing) else { throw error }
            throw error.executing(sql, arguments: nil, showsArguments: false)
        }
    }

    /// Deletes a table, with its rows and indexes.
    ///
    /// - Throws: `DatabaseError` when a statement fails.
    public func drop(table name: String) throws {
        try execute(sql: "DROP TABLE \(name.quotedDatabaseIdentifier)")
    }

    private func execute(definition statements: [String]) throws {
        guard statements.count > 1 else { return try execute(sql: statements[0]) }
        try atomically {
            for sql in statements { try execute(sql: sql) }
        }
    }

    /// Runs all of some statements, or none.
    func atomically(_ body: () throws -> Void) throws {
        try inSavepoint {
            try body()
            return .commit
        }
    }
}
