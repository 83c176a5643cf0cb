// Indexes. <https://www.sqlite.org/lang_createindex.html>

extension Database {
    /// Creates an index on columns, named `index_<table>_on_<columns>`.
    ///
    ///     try db.create(indexOn: "player", columns: ["email"], options: .unique)
    ///
    /// - Parameters:
    ///   - table: The table to index.
    ///   - columns: The columns of the index, in order.
    ///   - options: Whether the index is unique, and whether it may exist already.
    ///   - condition: If given, the index holds the rows for which it is true.
    /// - Throws: `DatabaseError` when a statement fails.
    public func create(
        indexOn table: String, columns: [String], options: IndexOptions = [],
        condition: (any SQLExpressible)? = nil
    ) throws {
        let name = ImpliedIndex.defaultName(table: table, columns: columns)
        try create(
            index: name, on: table, columns: columns, options: options, condition: condition)
    }

    /// Creates an index on columns.
    ///
    /// - Parameters:
    ///   - name: The name of the index.
    ///   - table: The table to index.
    ///   - columns: The columns of the index, in order.
    ///   - options: Whether the index is unique, and whether it may exist already.
    ///   - condition: If given, the index holds the rows for which it is true.
    /// - Throws: `DatabaseError` when a statement fails.
    public func create(
        index name: String, on table: String, columns: [String], options: IndexOptions = [],
        condition: (any SQLExpressible)? = nil
    ) throws {
        try create(
            index: name, on: table, expressions: columns.map { Column($0) }, options: options,
            condition: condition)
    }

    /// Creates an index on expressions.
    ///
    ///     try db.create(
    ///         index: "index_player_on_email", on: "player",
    ///         expressions: [Column("email").collating(.nocase)])
    ///
    /// - Parameters:
    ///   - name: The name of the index.
    ///   - table: The table to index.
    ///   - expressions: The columns and expressions of the index, in order.
    ///   - options: Whether the index is unique, and whether it may exist already.
    ///   - condition: If given, the index holds the rows for which it is true.
    /// - Throws: `DatabaseError` when a statement fails.
    public func create(
        index name: String, on table: String, expressions: [any SQLExpressible],
        options: IndexOptions = [], condition: (any SQLExpressible)? = nil
    ) throws {
        let terms = try expressions.map { try embeddingValues($0) }
        var sql = ImpliedIndex.sql(
            name: name, table: table, columns: terms.joined(separator: ", "), options)
        if let condition { sql += " WHERE \(try embeddingValues(condition))" }
        try execute(sql: sql)
    }

    /// Deletes an index.
    ///
    ///     try db.drop(index: "playerByScore")
    ///
    /// - Throws: `DatabaseError` when a statement fails.
    public func drop(index name: String) throws {
        try execute(sql: "DROP INDEX \(name.quotedDatabaseIdentifier)")
    }

    /// Deletes the index on columns, if there is exactly one.
    ///
    /// - Throws: `DatabaseError` when the index stands behind a constraint of the table.
    public func drop(indexOn table: String, columns: [String]) throws {
        let table = try self.table(table, in: nil)
        let wanted = columns.map(\.asciiLowercased)
        let found = try table.indexes(self)
            .filter { $0.columns.map(\.asciiLowercased) == wanted }
        guard found.count == 1 else { return }
        let schema = table.id.schemaID.name.quotedDatabaseIdentifier
        try execute(sql: "DROP INDEX \(schema).\(found[0].name.quotedDatabaseIdentifier)")
    }
}
