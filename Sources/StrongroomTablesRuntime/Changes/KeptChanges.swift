public import StrongroomCore

// Changes of one row by its key, and inserts of one row, whose texts are kept.

extension ChangingStatement {
    /// Runs a kept statement, or else this one.
    fileprivate func execute(
        _ db: Database, _ kept: KeptStatement?, _ values: [QueryBinding]
    ) throws {
        guard let kept, !db.configuration.publicStatementArguments else {
            return try executeAll(db)
        }
        try db.run(kept, values)
    }
}

extension Database {
    /// Runs a kept statement that gives no rows, where no error shows values.
    fileprivate func run(_ kept: KeptStatement, _ values: [QueryBinding]) throws {
        let statement: StrongroomCore.Statement
        do {
            statement = try checkOutStatement(kept.sql)
        } catch let error as DatabaseError {
            throw error.explained(self, kept.query)
        }
        defer { checkIn(statement, as: kept.sql) }
        try statement.executeLent(values.map(\.databaseValue))
    }
}

extension Insert {
    /// Runs the statement; several run in one savepoint.
    ///
    ///     try Item.insert { Item.Draft(title: "Tea") }.execute(db)
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func execute(_ db: Database) throws {
        try explainingMissingKey {
            guard let (form, values) = keptForm else { return try executeAll(db) }
            try execute(db, Target._layout.kept.statement(form, values) { query }, values)
        }
    }

    /// What an insert of one row of values is, on the table under its own name.
    private var keptForm: (KeptStatement.Form, [QueryBinding])? {
        guard batches.count == 1, case .values(let values, _) = batches[0].source,
            values.count == batches[0].names.count, _table === Target._layout.table
        else { return nil }
        let key: [String]
        switch conflict {
        case .none: key = []
        case .key(let names) where !names.isEmpty: key = names
        default: return nil
        }
        return (.insert(resolution: resolution, columns: batches[0].names, key: key), values)
    }
}

extension Update {
    /// Runs the statement.
    ///
    ///     try Item.find(1).update { $0.isDone = true }.execute(db)
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func execute(_ db: Database) throws {
        guard sources.isEmpty, let (layout, key) = clauses.foundRow,
            var values = assignments.plainValues
        else { return try executeAll(db) }
        for value in key { values.append(value) }
        let form = KeptStatement.Form.update(resolution: resolution, columns: assignments.names)
        try execute(db, layout.kept.statement(form, values) { query }, values)
    }
}

extension Delete {
    /// Runs the statement.
    ///
    ///     try Item.delete().find(2).execute(db)
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func execute(_ db: Database) throws {
        guard let (layout, key) = clauses.foundRow else { return try executeAll(db) }
        try execute(db, layout.kept.statement(.delete, key) { query }, key)
    }
}
