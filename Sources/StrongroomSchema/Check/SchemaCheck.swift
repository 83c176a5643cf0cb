public import StrongroomCore

/// Compares types with what a connection sees.
struct SchemaCheck {
    private let db: Database
    private let reader: SchemaReader
    private let schemas: [TableSchema]
    private(set) var mismatches: [SchemaMismatch] = []

    init(_ db: Database, _ schemas: [TableSchema]) throws {
        self.db = db
        self.schemas = schemas
        reader = try SchemaReader(db)
    }

    mutating func run() throws {
        for schema in schemas {
            let doubled = Self.doubledNames(schema)
            guard doubled.isEmpty else {
                mismatches += doubled
                continue
            }
            guard let table = try reader.table(schema.name, in: schema.schemaName) else {
                mismatches.append(missing(schema))
                continue
            }
            mismatches += try TableCheck(db, reader, schema, table).mismatches()
        }
        try checkReferences()
    }

    /// Columns that only their properties tell apart.
    static func doubledNames(_ schema: TableSchema) -> [SchemaMismatch] {
        var first: [String: TableSchema.Column] = [:]
        return schema.columns.compactMap { column in
            guard let other = first.updateValue(column, forKey: column.name.asciiLowercased) else {
                return nil
            }
            return SchemaMismatch(
                .error, .duplicateColumn, table: schema.name, column: column.name,
                expected: "\(schema.typeName) declares it twice, by '\(other.property)' and "
                    + "'\(column.property)'", found: "a table has each name once",
                correction: "give one of them another name by '@Column(\"…\")'")
        }
    }

    // MARK: - Missing tables

    private func missing(_ schema: TableSchema) -> SchemaMismatch {
        let near = near(schema)
        var mismatch = SchemaMismatch(
            .error, .missingTable, table: schema.name,
            expected: "\(schema.typeName) is stored in it",
            found: near.isEmpty
                ? "the database has no such table"
                : "the database has " + near.map { "\"\($0)\"" }.joined(separator: ", "),
            correction: near.first.map { "'@Table(\"\($0)\")', or create the table" }
                ?? (schema.kind == .view ? "create the view" : "create the table"))
        mismatch.repair = schema.creation.map { [$0] } ?? []
        return mismatch
    }

    /// The names that may be meant: they differ in an ending or in two letters.
    private func near(_ schema: TableSchema) -> [String] {
        let wanted = schema.name.asciiLowercased
        return reader.tables.filter { !$0.isInternal }.map(\.name).filter { name in
            let other = name.asciiLowercased
            if abs(other.utf8.count - wanted.utf8.count) > 3 { return false }
            let isEnding =
                min(other.utf8.count, wanted.utf8.count) > 2
                && (other.hasPrefix(wanted) || wanted.hasPrefix(other))
            return isEnding || EditDistance.between(wanted, other, limit: 2) <= 2
        }.sorted()
    }

    // MARK: - Foreign keys

    /// Foreign keys whose two columns are stored in different ways.
    private mutating func checkReferences() throws {
        var byName: [String: TableSchema] = [:]
        for schema in schemas { byName[schema.name.asciiLowercased] = schema }
        for schema in schemas {
            guard let table = try reader.table(schema.name, in: schema.schemaName) else { continue }
            for reference in try reader.references(of: table) {
                guard let target = byName[reference.table.asciiLowercased] else { continue }
                let targets = reference.targets ?? target.keyColumns.map(\.name)
                for (name, targetName) in zip(reference.columns, targets) {
                    guard let from = schema.column(name), let to = target.column(targetName),
                        from.isStorageKnown, to.isStorageKnown, from.storage != to.storage
                    else { continue }
                    mismatches.append(
                        SchemaMismatch(
                            .note, .foreignKey, table: schema.name, column: from.name,
                            expected: "\(from.storage) is stored as \(from.affinity.word)",
                            found:
                                "it refers to \(target.name).\(to.name), \(to.storage), stored as "
                                + to.affinity.word, correction: "store both alike"))
                }
            }
        }
    }
}

extension TableSchema {
    fileprivate func column(_ name: String) -> Column? {
        columns.first { $0.name.asciiLowercased == name.asciiLowercased }
    }

    /// The statement that makes the table; nil for a view, which only its query makes.
    fileprivate var creation: String? {
        let prefix = schemaName.map { $0.quotedDatabaseIdentifier + "." } ?? ""
        let quoted = prefix + name.quotedDatabaseIdentifier
        if kind == .view || columns.isEmpty { return nil }
        if isFullText {
            let names = columns.map(\.name.quotedDatabaseIdentifier).joined(separator: ", ")
            return "CREATE VIRTUAL TABLE \(quoted) USING fts5(\(names))"
        }
        // How to compute a column, no type says.
        if columns.contains(where: \.isGenerated) { return nil }
        let key = keyColumns
        var lines = columns.map { column in
            let isKey = key.count == 1 && key[0] == column
            var line = column.definition(withDefault: column.isLazy)
            if isKey { line += " PRIMARY KEY" }
            return line
        }
        if key.count > 1 {
            let names = key.map(\.name.quotedDatabaseIdentifier).joined(separator: ", ")
            lines.append("PRIMARY KEY (\(names))")
        }
        let body = lines.map { "  " + $0 }.joined(separator: ",\n")
        return "CREATE TABLE \(quoted) (\n\(body)\n)"
            + (kind == .withoutRowID ? " WITHOUT ROWID" : "")
    }
}

extension TableSchema.Column {
    /// How the value is stored, without its optionality.
    fileprivate var storage: String {
        representation ?? type.replacing("?", with: "")
    }
}

extension SQLiteTypeAffinity {
    var word: String {
        switch self {
        case .integer: "an integer"
        case .real: "a real number"
        case .text: "text"
        case .blob: "a blob"
        }
    }
}

/// How many letters two names differ in.
enum EditDistance {
    static func between(_ first: String, _ second: String, limit: Int) -> Int {
        let first = Array(first.utf8)
        let second = Array(second.utf8)
        if abs(first.count - second.count) > limit { return limit + 1 }
        var row = Array(0...second.count)
        for (index, byte) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in second.enumerated() {
                let above = row[column + 1]
                let changed = byte == other ? diagonal : diagonal + 1
                row[column + 1] = min(changed, min(above, row[column]) + 1)
                diagonal = above
            }
        }
        return row[second.count]
    }
}

extension Database {
    /// Compares types with the tables that this connection sees. Nothing is written.
    ///
    ///     let schemas = try TableSchema.read(from: url)
    ///     let mismatches = try db.mismatches(of: schemas)
    ///
    /// - Throws: `DatabaseError` when the schema cannot be read.
    public func mismatches(of schemas: [TableSchema]) throws -> [SchemaMismatch] {
        var check = try SchemaCheck(self, schemas)
        try check.run()
        return check.mismatches
    }
}
