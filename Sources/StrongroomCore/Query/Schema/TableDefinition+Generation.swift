extension TableDefinition {
    /// The statements that create the table and its indexes.
    func statements(creating table: DefinedTable, _ options: TableOptions) throws -> [String] {
        var sql = options.contains(.temporary) ? "CREATE TEMPORARY TABLE " : "CREATE TABLE "
        if options.contains(.ifNotExists) { sql += "IF NOT EXISTS " }
        sql += table.name.quotedDatabaseIdentifier
        sql += " (\(try definitions(in: table).joined(separator: ", ")))"
        let suffixes: [(TableOptions, String)] = [
            (.strict, "STRICT"), (.withoutRowID, "WITHOUT ROWID"),
        ]
        let suffix = suffixes.filter { options.contains($0.0) }.map(\.1)
        if !suffix.isEmpty { sql += " " + suffix.joined(separator: ", ") }

        let indexOptions: IndexOptions = options.contains(.ifNotExists) ? .ifNotExists : []
        let indexes = try indexes(of: table).map { $0.sql(on: table.name, indexOptions) }
        return [sql] + indexes
    }

    private func definitions(in table: DefinedTable) throws -> [String] {
        let columns = try elements.flatMap { element in
            switch element {
            case .column(let column): [try column.sql(in: table)]
            case .foreignKey(let key): try table.resolve(key).columns.map { try $0.sql(in: table) }
            case .literal(let literal): [try table.db.embeddingValues(literal)]
            }
        }
        return try columns + constraints.compactMap { try sql(of: $0, in: table) }
    }

    private func sql(of constraint: Constraint, in table: DefinedTable) throws -> String? {
        switch constraint {
        case .primaryKey(let members, let rule):
            return "PRIMARY KEY (\(try names(of: members, in: table).quotedList))\(rule.sql)"
        case .uniqueKey(let columns, let rule):
            return "UNIQUE (\(columns.quotedList))\(rule.sql)"
        case .foreignKey(let columns, let reference):
            return "FOREIGN KEY (\(columns.quotedList)) \(try reference.sql(in: table))"
        case .association(let key):
            let resolved = try table.resolve(key)
            guard resolved.columns.count > 1 else { return nil }
            let columns = resolved.columns.map(\.name).quotedList
            return "FOREIGN KEY (\(columns)) \(try resolved.reference.sql(in: table))"
        case .check(let check):
            return "CHECK \(try check.sql(table.db))"
        case .literal(let literal):
            return try table.db.embeddingValues(literal)
        }
    }

    private func names(of members: KeyMembers, in table: DefinedTable) throws -> [String] {
        switch members {
        case .names(let names): names
        case .elements(let elements): try keyColumns(elements, in: table).map(\.name)
        }
    }

    private func keyColumns(
        _ elements: [Element], in table: DefinedTable
    ) throws -> [DefinedTable.KeyColumn] {
        let columns: [ColumnDefinition] = try elements.flatMap { element in
            switch element {
            case .column(let column): [column]
            case .foreignKey(let key): try table.resolve(key).columns
            // What the literal names is known to SQLite alone.
            case .literal: throw DatabaseError(message: "a primary key can't contain raw SQL")
            }
        }
        return columns.map { DefinedTable.KeyColumn(name: $0.name, type: $0.type) }
    }

    /// The primary key that the definition gives its table; empty if none.
    func primaryKeyColumns(in table: DefinedTable) throws -> [DefinedTable.KeyColumn] {
        for case .column(let column) in elements where column.primaryKey != nil {
            return [DefinedTable.KeyColumn(name: column.name, type: column.type)]
        }
        for case .primaryKey(let members, _) in constraints {
            switch members {
            case .elements(let elements): return try keyColumns(elements, in: table)
            case .names(let names): return names.map { keyColumn(named: $0) }
            }
        }
        return []
    }

    private func keyColumn(named name: String) -> DefinedTable.KeyColumn {
        for case .column(let column) in elements
        where column.name.asciiLowercased == name.asciiLowercased {
            return DefinedTable.KeyColumn(name: name, type: column.type)
        }
        return DefinedTable.KeyColumn(name: name, type: nil)
    }
}

// MARK: - Indexes

/// An index that comes with the definition of columns.
struct ImpliedIndex {
    let columns: [String]
    let isUnique: Bool

    func sql(on table: String, _ options: IndexOptions) -> String {
        let name =
            columns.count == 1
            ? "\(table)_on_\(columns[0])" : Self.defaultName(table: table, columns: columns)
        return Self.sql(
            name: name, table: table, columns: columns.quotedList,
            isUnique ? options.union(.unique) : options)
    }

    /// The name of an index that was given none.
    static func defaultName(table: String, columns: [String]) -> String {
        "index_\(table)_on_\(columns.joined(separator: "_"))"
    }

    static func sql(
        name: String, table: String, columns: String, _ options: IndexOptions
    ) -> String {
        var sql = options.contains(.unique) ? "CREATE UNIQUE INDEX " : "CREATE INDEX "
        if options.contains(.ifNotExists) { sql += "IF NOT EXISTS " }
        return sql
            + "\(name.quotedDatabaseIdentifier) ON \(table.quotedDatabaseIdentifier)(\(columns))"
    }
}

extension TableDefinition {
    private func indexes(of table: DefinedTable) throws -> [ImpliedIndex] {
        let uniqueKeys = try uniqueKeys(in: table)
        return try elements.compactMap { element in
            let index: ImpliedIndex
            switch element {
            case .column(let column):
                guard column.isIndexed, !column.isUnique else { return nil }
                index = ImpliedIndex(columns: [column.name], isUnique: false)
            case .foreignKey(let key):
                guard key.indexing != .none else { return nil }
                let columns = try table.resolve(key).columns
                if columns.contains(where: \.isUnique) { return nil }
                if key.indexing == .index, isFirstOfPrimaryKey(key) { return nil }
                index = ImpliedIndex(
                    columns: columns.map(\.name), isUnique: key.indexing == .uniqueIndex)
            case .literal: return nil
            }
            return uniqueKeys.contains(index.columns.map(\.asciiLowercased)) ? nil : index
        }
    }

    /// Whether a primary key of elements begins with a foreign key: SQLite then finds rows by it.
    private func isFirstOfPrimaryKey(_ key: ForeignKeyDefinition) -> Bool {
        for case .primaryKey(.elements(let elements), _) in constraints {
            if case .foreignKey(let first)? = elements.first, first === key { return true }
        }
        return false
    }

    /// The columns of the keys that are written as constraints, for which SQLite makes indexes.
    private func uniqueKeys(in table: DefinedTable) throws -> Set<[String]> {
        let keys: [[String]] = try constraints.compactMap { constraint in
            switch constraint {
            case .primaryKey(let members, _): try names(of: members, in: table)
            case .uniqueKey(let columns, _): columns
            default: nil
            }
        }
        return Set(keys.map { $0.map(\.asciiLowercased) })
    }
}
