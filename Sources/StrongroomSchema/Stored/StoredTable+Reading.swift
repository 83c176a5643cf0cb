public import StrongroomCore

extension Database {
    /// A table with its keys, indexes and constraints; nil where there is none of that name.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - schema: The schema; without it, the table that SQL would take.
    /// - Throws: `DatabaseError` when the schema cannot be read; `SQLITE_MISUSE` for a view or a
    ///   virtual table.
    public func storedTable(_ name: String, in schema: String? = nil) throws -> StoredTable? {
        let reader = try SchemaReader(self)
        return try reader.table(name, in: schema).map { try StoredTable(self, reader, $0) }
    }

    /// The table that a Swift type declares; nil where it is missing.
    ///
    /// - Throws: As `storedTable(_:in:)`.
    public func storedTable(_ schema: TableSchema) throws -> StoredTable? {
        try storedTable(schema.name, in: schema.schemaName)
    }
}

extension StoredTable {
    init(_ db: Database, _ reader: SchemaReader, _ table: DatabaseTable) throws {
        guard table.kind == .table else {
            throw DatabaseError(
                resultCode: .SQLITE_MISUSE, message: "\(table.name) is no table that holds rows")
        }
        let text = TableText(table.sql)
        schemaName = table.schema
        name = table.name
        columns = table.columns.map { column in
            let item = text?.items.first {
                $0.name?.asciiLowercased == column.name.asciiLowercased
            }
            return Column(
                name: column.name, type: column.type, isNotNull: column.isNotNull,
                defaultSQL: column.defaultSQL, isGenerated: column.generation != nil,
                collation: item?.collation ?? "BINARY")
        }
        key = table.keyColumns.map(\.name)
        isWithoutRowID = table.isWithoutRowID
        isStrict = table.isStrict
        checks = text?.items.flatMap(\.checks) ?? []
        foreignKeys = try reader.references(of: table).map { reference in
            let target = try reader.table(reference.table, in: table.schema)
            return ForeignKey(
                columns: reference.columns, table: reference.table,
                targets: reference.targets ?? target?.keyColumns.map(\.name) ?? [],
                onDelete: reference.deleteAction, onUpdate: reference.updateAction)
        }
        indexes = try Self.indexes(db, of: table)
    }

    private static func indexes(_ db: Database, of table: DatabaseTable) throws -> [Index] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT l.name, l."unique", l.origin = 'pk', m.sql
                FROM pragma_index_list(?1, ?2) AS l
                LEFT JOIN \(table.schema.quotedDatabaseIdentifier).sqlite_master AS m
                    ON m.type = 'index' AND m.name = l.name
                ORDER BY l.name
                """, arguments: [table.name, table.schema])
        return try rows.map { row in
            let text = (row[3] as String?).flatMap(IndexText.init)
            let terms = try Row.fetchAll(
                db,
                sql: "SELECT name, coll FROM pragma_index_xinfo(?, ?) WHERE key ORDER BY seqno",
                arguments: [row[0] as String, table.schema])
            return Index(
                name: row[0], isUnique: row[1], isPrimaryKey: row[2],
                terms: terms.enumerated().map { index, term in
                    let column: String? = term[0]
                    let written = text.flatMap {
                        index < $0.terms.count ? $0.terms[index] : nil
                    }
                    return Index.Term(
                        sql: column?.quotedDatabaseIdentifier ?? written ?? "",
                        column: column, collation: term[1])
                },
                condition: text?.condition)
        }
    }
}

/// What CREATE INDEX says of terms and rows.
private struct IndexText {
    let terms: [String]
    let condition: String?

    init?(_ sql: String) {
        let pieces = SQLPiece.pieces(sql)
        guard let start = pieces.firstIndex(where: { $0.isMark("(") }),
            let end = TableText.closing(pieces, from: start)
        else { return nil }
        terms = pieces[(start + 1)..<end].byComma.map { term in
            var term = term
            if term.last?.isWord("asc", "desc") == true { term.removeLast() }
            if term.count > 2, term[term.count - 2].isWord("collate") { term.removeLast(2) }
            return term.sql
        }
        let rest = pieces[(end + 1)...]
        condition = rest.first?.isWord("where") == true ? rest.dropFirst().sql : nil
    }
}

extension TableText.Item {
    /// The collation that a column declares.
    fileprivate var collation: String? {
        for text in constraints {
            let pieces = SQLPiece.pieces(text)
            let words = pieces.first?.isWord("constraint") == true ? pieces[2...] : pieces[...]
            if words.first?.isWord("collate") == true { return words.dropFirst().first?.name }
        }
        return nil
    }

    /// The expressions behind CHECK, of a column or of the table.
    fileprivate var checks: [String] {
        let pieces = SQLPiece.pieces(name == nil ? head.sql : constraints.joined(separator: " "))
        var found: [String] = []
        var index = 0
        while index + 1 < pieces.count {
            guard pieces[index + 1].isMark("("),
                let end = TableText.closing(pieces, from: index + 1)
            else {
                index += 1
                continue
            }
            if pieces[index].isWord("check") { found.append(pieces[(index + 2)..<end].sql) }
            index = end
        }
        return found
    }
}
