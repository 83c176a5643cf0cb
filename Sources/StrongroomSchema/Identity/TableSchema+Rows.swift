public import StrongroomCore

// Statements for rows that are known by the names of their columns alone.

extension TableSchema {
    /// The statement that inserts a row, or writes the given columns of the one with its key.
    ///
    ///     let sql = try schema.upsert(["id": 1.databaseValue, "title": "Tea".databaseValue])
    ///     try db.execute(literal: sql)
    ///
    /// Columns that are not given keep their values, or get their defaults. The text depends on the
    /// names alone.
    ///
    /// - Parameter row: Values as the columns store them, by the names of the columns.
    /// - Throws: `SQLITE_MISUSE` when the row lacks a column of the key, or has one that the type
    ///   does not have or the database computes, and for a type without a key.
    public func upsert(_ row: [String: DatabaseValue]) throws -> SQL {
        let values = Dictionary(
            row.map { ($0.key.asciiLowercased, $0.value) }, uniquingKeysWith: { $1 })
        let known = columns.filter { !$0.isGenerated }
        let names = Set(known.map(\.name.asciiLowercased))
        if let other = row.keys.sorted().first(where: { !names.contains($0.asciiLowercased) }) {
            throw misuse("it has no column \"\(other)\" that is written")
        }
        let written = known.filter { values[$0.name.asciiLowercased] != nil }
        let keys = try keys()
        if let missing = keys.first(where: { values[$0.name.asciiLowercased] == nil }) {
            throw misuse("the row has no value of the key \"\(missing.name)\"")
        }
        var sql = SQL(sql: "INSERT INTO \(source) (\(Self.list(written))) VALUES (")
        for (index, column) in written.enumerated() {
            if index > 0 { sql.append(sql: ", ") }
            sql.append(literal: column.term(values[column.name.asciiLowercased] ?? .null))
        }
        let changed = written.filter { $0.keyPosition == nil }.map { column in
            let name = column.name.quotedDatabaseIdentifier
            return "\(name) = \"excluded\".\(name)"
        }
        let action =
            changed.isEmpty ? "NOTHING" : "UPDATE SET \(changed.joined(separator: ", "))"
        sql.append(sql: ") ON CONFLICT (\(Self.list(keys))) DO \(action)")
        return sql
    }

    /// The statement that deletes the row with a key.
    ///
    /// - Parameter key: The values of the key's columns, in their order.
    /// - Throws: `SQLITE_MISUSE` for another number of values, and for a type without a key.
    public func delete(key: [DatabaseValue]) throws -> SQL {
        SQL(sql: "DELETE FROM \(source)") + (try condition(key))
    }

    /// The query for the row with a key: all columns of the type, in declared order.
    ///
    /// - Parameter key: The values of the key's columns, in their order.
    /// - Throws: `SQLITE_MISUSE` for another number of values, and for a type without a key.
    public func select(key: [DatabaseValue]) throws -> SQL {
        SQL(sql: "SELECT \(Self.list(columns)) FROM \(source)") + (try condition(key))
    }

    private func condition(_ key: [DatabaseValue]) throws -> SQL {
        let keys = try keys()
        guard keys.count == key.count else {
            throw misuse("its key has \(keys.count) columns, not \(key.count)")
        }
        var sql = SQL(sql: " WHERE ")
        for (index, column) in keys.enumerated() {
            let name = column.name.quotedDatabaseIdentifier
            sql.append(sql: (index > 0 ? " AND " : "") + name + " = ")
            sql.append(literal: SQL(sql: "?", arguments: [key[index]]))
        }
        return sql
    }

    private func keys() throws -> [Column] {
        guard !keyColumns.isEmpty else { throw misuse("it has no key") }
        return keyColumns
    }

    private var source: String {
        (schemaName.map { $0.quotedDatabaseIdentifier + "." } ?? "")
            + name.quotedDatabaseIdentifier
    }

    private func misuse(_ reason: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_MISUSE, message: "\(typeName): \(reason)")
    }

    private static func list(_ columns: [Column]) -> String {
        columns.map(\.name.quotedDatabaseIdentifier).joined(separator: ", ")
    }
}

extension TableSchema.Column {
    /// The value as it is written: a document that is stored as JSONB comes as text.
    fileprivate func term(_ value: DatabaseValue) -> SQL {
        var isText = false
        if case .string = value.storage { isText = true }
        let isJSONB = representation?.hasSuffix(".JSONBRepresentation") ?? false
        return SQL(sql: isJSONB && isText ? "jsonb(?)" : "?", arguments: [value])
    }
}
