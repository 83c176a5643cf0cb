public import StrongroomCore

// Changes of one row by its key, and inserts of one row, whose texts are kept.

extension Database {
    /// Whether errors show no values, so that a statement need not be made with its own.
    fileprivate var usesKeptStatements: Bool { !configuration.publicStatementArguments }

    /// Runs a kept statement that gives no rows, where no error shows values.
    ///
    /// - Parameter bind: Binds the values; its result becomes the code of one that was refused.
    fileprivate func run(
        _ kept: KeptStatement, count: Int, values: () -> [QueryBinding],
        bind: (BorrowedStatement, inout CInt) -> Void
    ) throws {
        let statement: StrongroomCore.Statement
        do {
            statement = try checkOutStatement(kept.sql)
        } catch let error as DatabaseError {
            throw error.explained(self, kept.query)
        }
        defer { checkIn(statement, as: kept.sql) }
        try statement.executeLent(count: count, values: { values().map(\.databaseValue) }) {
            var result = StatementHandle.ok
            bind($0, &result)
            return result
        }
    }
}

extension Insert {
    /// Runs the statement; several run in one savepoint.
    ///
    ///     try Item.insert { Item.Draft(title: "Tea") }.execute(db)
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func execute(_ db: Database) throws {
        guard let values = source.singleRow, let kept = keptStatement(db) else {
            return try explainingMissingKey { try executeAll(db) }
        }
        do {
            try db.run(kept, count: values.count, values: { values }) { statement, result in
                for index in values.indices {
                    values[index].bind(to: statement, at: index, &result)
                }
            }
        } catch {
            throw explainingMissingKey(of: error)
        }
    }

    /// The statement of one row of values, on the table under its own name.
    private func keptStatement(_ db: Database) -> KeptStatement? {
        let layout = Target._layout
        guard let key = conflict.keptKey, _table === layout.table, db.usesKeptStatements else {
            return nil
        }
        let columns = source.names(layout)
        let known = layout.kept.statement { form in
            form.kind == .insert && form.resolution == resolution && form.columns == columns
                && form.key == key
        }
        if let known { return known }
        let form = KeptStatement.Form(
            kind: .insert, resolution: resolution, columns: columns, key: key)
        return layout.kept.make(form, source.singleRow ?? [], query)
    }
}

extension InsertConflict {
    /// The key whose rows are written, none for a plain insert; nil for all else.
    fileprivate var keptKey: [String]? {
        switch self {
        case .none: []
        case .key(let names): names.isEmpty ? nil : names
        case .clauses: nil
        }
    }
}

extension Update {
    /// Runs the statement.
    ///
    ///     try Item.find(1).update { $0.isDone = true }.execute(db)
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func execute(_ db: Database) throws {
        guard let kept = keptStatement(db) else { return try executeAll(db) }
        let count = assignments.all.count
        try db.run(kept, count: count + clauses.rowKeyCount, values: { keptValues }) {
            assignments.bind(to: $0, &$1)
            clauses.bindRowKey(to: $0, at: count, &$1)
        }
    }

    private var keptValues: [QueryBinding] { assignments.plainValues + clauses.rowKey }

    /// The statement that writes values into one row.
    private func keptStatement(_ db: Database) -> KeptStatement? {
        guard sources == nil, !assignments.isEmpty, clauses.findOneRow, assignments.arePlain,
            db.usesKeptStatements
        else { return nil }
        let kept = clauses.kept
        let known = kept.statement { form in
            form.kind == .update && form.resolution == resolution
                && assignments.write(form.columns)
        }
        if let known { return known }
        let form = KeptStatement.Form(
            kind: .update, resolution: resolution, columns: assignments.names)
        return kept.make(form, keptValues, query)
    }
}

extension Delete {
    /// Runs the statement.
    ///
    ///     try Item.delete().find(2).execute(db)
    ///
    /// - Throws: `DatabaseError`, or `QueryBuildingError` when the statement cannot be built.
    public func execute(_ db: Database) throws {
        guard clauses.findOneRow, db.usesKeptStatements, let kept = keptStatement else {
            return try executeAll(db)
        }
        try db.run(kept, count: clauses.rowKeyCount, values: { clauses.rowKey }) {
            clauses.bindRowKey(to: $0, at: 0, &$1)
        }
    }

    private var keptStatement: KeptStatement? {
        clauses.kept.statement { $0.kind == .delete }
            ?? clauses.kept.make(KeptStatement.Form(kind: .delete), clauses.rowKey, query)
    }
}
