// Views. <https://www.sqlite.org/lang_createview.html>

extension Database {
    /// Creates a view of what a request selects.
    ///
    ///     try db.create(view: "hero", as: Player.filter { $0.isHero == true })
    ///
    /// - Parameters:
    ///   - name: The name of the view.
    ///   - options: Whether the view is temporary, and whether it may exist already.
    ///   - columns: The names of the columns, if they are not those of the request.
    ///   - subquery: The request whose rows the view shows.
    /// - Throws: `DatabaseError` when a statement fails.
    public func create(
        view name: String, options: ViewOptions = [], columns: [String]? = nil,
        as subquery: any SQLSubqueryable
    ) throws {
        let query = try embeddingValues { try subquery.sqlSubquery.write(to: &$0) }
        try create(view: name, options, columns, query)
    }

    /// Creates a view of what a query in SQL selects.
    ///
    /// - Parameters:
    ///   - name: The name of the view.
    ///   - options: Whether the view is temporary, and whether it may exist already.
    ///   - columns: The names of the columns, if they are not those of the query.
    ///   - literal: The query of the view, in SQL.
    /// - Throws: `DatabaseError` when a statement fails.
    public func create(
        view name: String, options: ViewOptions = [], columns: [String]? = nil,
        asLiteral literal: SQL
    ) throws {
        try create(view: name, options, columns, try embeddingValues(literal))
    }

    private func create(
        view name: String, _ options: ViewOptions, _ columns: [String]?, _ query: String
    ) throws {
        var sql = options.contains(.temporary) ? "CREATE TEMPORARY VIEW " : "CREATE VIEW "
        if options.contains(.ifNotExists) { sql += "IF NOT EXISTS " }
        sql += name.quotedDatabaseIdentifier
        if let columns { sql += " (\(columns.quotedList))" }
        try execute(sql: sql + " AS \(query.embeddableStatement)")
    }

    /// Deletes a view.
    ///
    /// - Throws: `DatabaseError` when a statement fails.
    public func drop(view name: String) throws {
        try execute(sql: "DROP VIEW \(name.quotedDatabaseIdentifier)")
    }
}
