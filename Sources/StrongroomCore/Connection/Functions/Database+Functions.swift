extension Database {
    /// Adds a function, or replaces the one with the same name and argument count.
    ///
    /// Call it in `Configuration.prepareDatabase`, so that every connection has the function. The
    /// connection keeps it until you replace or remove it, or the connection closes.
    ///
    /// - Precondition: SQLite accepts the name and the argument count, and no statement is running
    ///   if it replaces a function.
    public func add(function: DatabaseFunction) {
        define("function \(function.name)") { connection throws(DatabaseError) in
            try function.add(to: connection, isHarmless: standing.vouchesForFunctions)
        }
    }

    /// Removes the function with this name and argument count, if there is one.
    ///
    /// No other function replaces it for that number of arguments on this connection: neither
    /// SQLite's own nor one for any number of arguments.
    ///
    /// - Precondition: No statement is running.
    public func remove(function: DatabaseFunction) {
        define("function \(function.name)") { connection throws(DatabaseError) in
            try function.remove(from: connection)
        }
    }

    /// Adds a collation, or replaces the one with the same name.
    ///
    /// Call it in `Configuration.prepareDatabase`, so that every connection has the collation. The
    /// connection keeps it until you replace or remove it, or the connection closes.
    ///
    /// - Precondition: No statement is running if it replaces a collation.
    public func add(collation: DatabaseCollation) {
        define("collation \(collation.name)") { connection throws(DatabaseError) in
            try collation.add(to: connection)
        }
    }

    /// Removes the collation with this name, if there is one.
    ///
    /// - Precondition: No statement is running.
    public func remove(collation: DatabaseCollation) {
        define("collation \(collation.name)") { connection throws(DatabaseError) in
            try collation.remove(from: connection)
        }
    }

    /// Rebuilds the indexes that use a collation, which is necessary when its order changes.
    ///
    /// <https://www.sqlite.org/lang_reindex.html>
    ///
    ///     try db.reindex(collation: .localizedCompare)
    ///
    /// - Throws: `SQLITE_ERROR` if there is no such collation.
    public func reindex(collation: CollationName) throws {
        try execute(sql: "REINDEX \(collation.rawValue.quotedDatabaseIdentifier)")
    }

    /// Rebuilds the indexes that use a collation, which is necessary when its order changes.
    ///
    /// - Throws: `SQLITE_ERROR` if there is no such collation.
    public func reindex(collation: DatabaseCollation) throws {
        try reindex(collation: CollationName(rawValue: collation.name))
    }

    /// Adds the functions and collations that every connection has.
    func addBuiltInFunctions() throws(DatabaseError) {
        let connection = try connection()
        for function in DatabaseFunction.builtIn {
            // They read their argument and nothing else, and indexes call them.
            try function.add(to: connection, isHarmless: true)
        }
        for collation in DatabaseCollation.builtIn { try collation.add(to: connection) }
    }

    /// What SQLite refuses here is a bug of the caller. On a closed connection there is nothing to do.
    private func define(
        _ name: String, _ body: (BorrowedConnection) throws(DatabaseError) -> Void
    ) {
        guard let connection = openConnection else { return }
        do {
            try body(connection)
        } catch {
            fatalError("could not define or remove \(name): \(error)")
        }
    }
}
