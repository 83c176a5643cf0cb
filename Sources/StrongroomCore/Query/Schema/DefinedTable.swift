/// The table that is being defined, as its foreign keys have to know it.
final class DefinedTable {
    let db: Database
    let name: String
    /// Where the table is, and the tables that it can refer to.
    let schema: String
    /// The definition of its columns; nil if the table exists already.
    private let definition: TableDefinition?
    /// What the foreign keys of the definition have become.
    private var resolved: [ObjectIdentifier: ForeignKeyDefinition.Resolved] = [:]
    private var isLookingAtOwnKey = false

    /// A column of a primary key.
    struct KeyColumn {
        let name: String
        let type: Database.ColumnType?
    }

    init(_ db: Database, name: String, schema: String, definition: TableDefinition? = nil) {
        self.db = db
        self.name = name
        self.schema = schema
        self.definition = definition
    }

    /// Whether a name is that of the table that is being created.
    func isNew(_ table: String) -> Bool {
        definition != nil && table.asciiLowercased == name.asciiLowercased
    }

    /// The table that an association is about: the one of its name, in singular or in plural.
    func destination(of association: String) throws -> String {
        let inflections = Inflections.default
        let candidates = [
            association, inflections.singularize(association), inflections.pluralize(association),
        ]
        for candidate in candidates {
            if try isNew(candidate) || schema(of: candidate) != nil { return candidate }
        }
        throw DatabaseError(message: "no such table: \(association)")
    }

    /// The columns of the primary key of a table.
    ///
    /// - Throws: `DatabaseError` when there is no such table, or it has no explicit key: the number
    ///   of a row can't be referred to without.
    func primaryKey(of table: String) throws -> [KeyColumn] {
        let columns = isNew(table) ? try ownKey() : try existingKey(of: table)
        guard !columns.isEmpty else {
            throw DatabaseError(
                message: "table \(table) has no explicit primary key that could be referred to")
        }
        return columns
    }

    /// Where a table is that can be referred to: beside this one, or, as SQLite does not check it before
    /// rows are written, in `main` for a temporary one.
    private func schema(of table: String) throws -> String? {
        let schemas = schema.lowercased() == "temp" ? [schema, "main"] : [schema]
        return try schemas.first { try db.tableExists(table, in: $0) }
    }

    private func existingKey(of table: String) throws -> [KeyColumn] {
        let schema = try schema(of: table) ?? schema
        let key = try db.primaryKey(table, in: schema)
        guard !key.isRowID || key.rowIDColumn != nil else { return [] }
        let columns = try db.columns(in: table, in: schema)
        return key.columns.map { name in
            let type = columns.first { $0.name.asciiLowercased == name.asciiLowercased }?.type ?? ""
            return KeyColumn(
                name: name, type: type.isEmpty ? nil : Database.ColumnType(rawValue: type))
        }
    }

    private func ownKey() throws -> [KeyColumn] {
        // A foreign key that is part of the primary key can't refer to it.
        guard let definition, !isLookingAtOwnKey else { return [] }
        isLookingAtOwnKey = true
        defer { isLookingAtOwnKey = false }
        return try definition.primaryKeyColumns(in: self)
    }

    /// The columns that a foreign key adds, and its constraint if it has several.
    func resolve(_ key: ForeignKeyDefinition) throws -> ForeignKeyDefinition.Resolved {
        if let resolved = resolved[ObjectIdentifier(key)] { return resolved }
        let result = try key.resolve(in: self)
        resolved[ObjectIdentifier(key)] = result
        return result
    }
}
