internal import StrongroomCore

/// Compares one type with its table.
struct TableCheck {
    private let db: Database
    private let reader: SchemaReader
    private let schema: TableSchema
    private let table: DatabaseTable
    private let columns: [String: DatabaseColumn]
    private var found: [SchemaMismatch] = []
    /// What each mismatch would change, by its place among those that were found.
    private var edits: [Int: [TableEdit]] = [:]

    init(
        _ db: Database, _ reader: SchemaReader, _ schema: TableSchema, _ table: DatabaseTable
    ) {
        self.db = db
        self.reader = reader
        self.schema = schema
        self.table = table
        columns = Dictionary(
            table.columns.map { ($0.name.asciiLowercased, $0) }, uniquingKeysWith: { $1 })
    }

    func mismatches() throws -> [SchemaMismatch] {
        var check = self
        if let failure = table.failure {
            check.report(
                .error, .unreadable, expected: "\(schema.typeName) is read from it",
                found: "SQLite says: \(failure)", correction: "correct the view or the module")
            return check.found
        }
        check.checkTable()
        check.checkKey()
        for column in wantedColumns { check.check(column) }
        try check.checkNulls()
        check.checkOthers()
        check.checkOrder()
        try check.addRepairs()
        return check.found
    }

    private mutating func report(
        _ severity: SchemaMismatch.Severity, _ kind: SchemaMismatch.Kind, column: String? = nil,
        expected: String, found: String, correction: String? = nil, _ edits: [TableEdit] = []
    ) {
        if !edits.isEmpty { self.edits[self.found.count] = edits }
        self.found.append(
            SchemaMismatch(
                severity, kind, table: schema.name, column: column, expected: expected,
                found: found, correction: correction))
    }

    private func column(_ name: String) -> DatabaseColumn? { columns[name.asciiLowercased] }

    /// The columns of the type, but for the row number of a table of FTS5, which has no column for it.
    private var wantedColumns: [TableSchema.Column] {
        guard table.isFullText else { return schema.columns }
        return schema.columns.filter {
            column($0.name) != nil || $0.name.asciiLowercased != "rowid"
        }
    }

    // MARK: - The table

    private mutating func checkTable() {
        if table.name != schema.name {
            report(
                .warning, .letterCase, expected: "the type says \"\(schema.name)\"",
                found: "the table is \"\(table.name)\"",
                correction: "'@Table(\"\(table.name)\")'")
        }
        let isFullText = table.isFullText
        if schema.isFullText != isFullText, schema.kind != .view || isFullText {
            report(
                .error, .tableKind,
                expected: schema.isFullText ? "'FullTextTable' is declared" : "a table is declared",
                found: isFullText ? "it is a table of FTS5" : "it is no table of FTS5",
                correction: isFullText
                    ? "conform to 'FullTextTable'" : "leave 'FullTextTable' out")
            return
        }
        let actual: TableKind =
            table.kind == .view ? .view : table.isWithoutRowID ? .withoutRowID : .table
        guard actual != schema.kind else { return }
        let canChange = actual != .view && schema.kind != .view && table.kind == .table
        report(
            .error, .tableKind, expected: "the type says \(schema.kind.word)",
            found: "it is \(actual.word)", correction: "'\(actual.argument)'",
            canChange ? [.withoutRowID(schema.kind == .withoutRowID)] : [])
    }

    private mutating func checkKey() {
        guard table.kind == .table else { return }
        let wanted = schema.keyColumns.map(\.name)
        let actual = table.keyColumns.map(\.name)
        guard wanted.map(\.asciiLowercased) != actual.map(\.asciiLowercased) else { return }
        // A table without a declared key has its row number; a type need not name it.
        if wanted.isEmpty, !actual.isEmpty {
            report(
                .error, .primaryKey, expected: "the type has no key",
                found: "the key is (\(actual.joined(separator: ", ")))",
                correction: actual.count == 1
                    ? "'@Column(primaryKey: true)'"
                    : "declare a '@Selection' of them, and '@Column(primaryKey: true) let key: Key'"
            )
            return
        }
        let isThere = wanted.allSatisfy { column($0) != nil }
        report(
            .error, .primaryKey, expected: "the key is (\(wanted.joined(separator: ", ")))",
            found: actual.isEmpty
                ? "the table has no key" : "it is (\(actual.joined(separator: ", ")))",
            correction: "declare the key as the table has it",
            isThere || !table.isWithoutRowID ? [.key(wanted)] : [])
    }

    // MARK: - Columns of the type

    private mutating func check(_ wanted: TableSchema.Column) {
        guard let actual = column(wanted.name) else { return reportMissing(wanted) }
        if actual.name != wanted.name {
            report(
                .warning, .letterCase, column: wanted.name,
                expected: "the type says \"\(wanted.name)\"",
                found: "the column is \"\(actual.name)\"",
                correction: "'@Column(\"\(actual.name)\")'")
        }
        checkAffinity(wanted, actual)
        checkGeneration(wanted, actual)
        checkOptional(wanted, actual)
    }

    private mutating func reportMissing(_ wanted: TableSchema.Column) {
        let isTable = table.kind == .table
        let isSimple = wanted.keyPosition == nil
        let edit = TableEdit.add(wanted.definition(withDefault: true), isSimple: isSimple)
        report(
            .error, .missingColumn, column: wanted.name,
            expected: "\(schema.typeName).\(wanted.property) is stored in it",
            found: "the table has no such column",
            correction: isTable ? "add the column" : nil,
            isTable && !wanted.isGenerated ? [edit] : [])
    }

    private mutating func checkAffinity(
        _ wanted: TableSchema.Column, _ actual: DatabaseColumn
    ) {
        guard !table.isFullText, wanted.isStorageKnown,
            !wanted.isKept(in: actual, isStrict: table.isStrict)
        else { return }
        let affinity = ColumnAffinity(declared: actual.type, isStrict: table.isStrict)
        let other = wanted.representation(for: affinity)
        report(
            .error, .affinity, column: wanted.name,
            expected: "\(wanted.type) is stored as \(wanted.affinity.word)",
            found: "the column is \(actual.type)"
                + (affinity.rawValue == actual.type.uppercased()
                    ? "" : ", of affinity \(affinity.rawValue)"),
            correction: other.map { "'@Column(as: \($0).self)'" }
                ?? "declare the column as \(wanted.affinity.rawValue)",
            table.kind == .table
                ? [
                    .type(
                        actual.name, wanted.affinity.rawValue,
                        value: wanted.conversion(of: actual.name, from: affinity))
                ] : [])
    }

    private mutating func checkGeneration(
        _ wanted: TableSchema.Column, _ actual: DatabaseColumn
    ) {
        guard table.kind == .table, wanted.isGenerated != (actual.generation != nil) else { return }
        if wanted.isGenerated {
            report(
                .error, .generated, column: wanted.name, expected: "the type says it is generated",
                found: "the column is an ordinary one", correction: "leave 'generated:' out")
            return
        }
        let kind = actual.generation == .stored ? ".stored" : ".virtual"
        report(
            .error, .generated, column: wanted.name, expected: "the type writes it",
            found: "the database computes it",
            correction: "'@Column(generated: \(kind))' with 'let'",
            [.plain(actual.name)])
    }

    private mutating func checkOptional(
        _ wanted: TableSchema.Column, _ actual: DatabaseColumn
    ) {
        guard table.kind == .table else { return }
        if wanted.isLazy, actual.defaultSQL == nil, !table.isRowNumber(actual),
            wanted.keyPosition == nil
        {
            report(
                .warning, .lazyDefault, column: wanted.name,
                expected: "the type may leave the value to the database",
                found: "the column has no default", correction: "give it one",
                [.defaultValue(actual.name, wanted.placeholder)])
        }
        // A key is optional where a draft leaves it out.
        guard wanted.isOptional, actual.isNotNull, wanted.keyPosition == nil else { return }
        report(
            .warning, .nullability, column: wanted.name, expected: "\(wanted.type) takes NULL",
            found: "the column is NOT NULL", correction: "make the property non-optional",
            actual.keyPosition == nil ? [.optional(actual.name)] : [])
    }

    /// The nullable columns that properties read which are not optional: all rows are asked.
    private mutating func checkNulls() throws {
        guard table.kind == .table else { return }
        let open = schema.columns.compactMap { wanted -> (TableSchema.Column, DatabaseColumn)? in
            guard !wanted.isOptional, let actual = column(wanted.name), !actual.isNotNull,
                !table.isRowNumber(actual)
            else { return nil }
            return (wanted, actual)
        }
        let withNull = try reader.columnsWithNull(open.map(\.1.name), of: table)
        for (wanted, actual) in open {
            let hasNull = withNull.contains(actual.name)
            // SQLite lets keys be NULL by an old mistake, which nobody uses.
            if !hasNull, actual.keyPosition != nil { continue }
            report(
                hasNull ? .error : .warning, .nullability, column: wanted.name,
                expected: "\(wanted.type) takes no NULL",
                found: hasNull ? "rows have NULL" : "the column may be NULL, and no row is",
                correction: "make the property optional, or declare the column NOT NULL",
                actual.generation == nil ? [.notNull(actual.name, wanted.placeholder)] : [])
        }
    }

    // MARK: - Columns of the table

    private mutating func checkOthers() {
        let wanted = Set(schema.columns.map(\.name.asciiLowercased))
        for actual in table.columns where !wanted.contains(actual.name.asciiLowercased) {
            let isRequired =
                table.kind == .table && actual.isNotNull && actual.defaultSQL == nil
                && actual.generation == nil && !table.isRowNumber(actual)
            guard isRequired else {
                report(
                    .warning, .extraColumn, column: actual.name,
                    expected: "the type has no property",
                    found: "the table has the column", correction: "declare a property for it")
                continue
            }
            let affinity = ColumnAffinity(declared: actual.type, isStrict: table.isStrict)
            let value = affinity == .text ? "''" : affinity == .blob ? "X''" : "0"
            report(
                .error, .requiredColumn, column: actual.name,
                expected: "the type has no property, so that an insert gives no value",
                found: "the column is NOT NULL without a default",
                correction: "declare a property for it, or give the column a default",
                [.defaultValue(actual.name, value)])
        }
    }

    private mutating func checkOrder() {
        let actual = table.columns.map(\.name.asciiLowercased)
        let declared = wantedColumns.map(\.name.asciiLowercased)
        let wanted = declared.filter(actual.contains)
        let shared = actual.filter(declared.contains)
        guard wanted != shared || (table.isFullText && declared != actual) else { return }
        let order = "(\(table.columns.map(\.name).joined(separator: ", ")))"
        report(
            table.isFullText ? .error : .note, .columnOrder,
            expected: "the type declares (\(wantedColumns.map(\.name).joined(separator: ", ")))",
            found: "the table has \(order)",
            correction: table.isFullText
                ? "declare them in that order: FTS5 counts columns"
                : "it matters for 'SELECT *' alone")
    }

    // MARK: - Repairs

    /// One ALTER TABLE for each column where that suffices, else one rebuild for all mismatches.
    private mutating func addRepairs() throws {
        let all = edits.sorted { $0.key < $1.key }.flatMap(\.value)
        guard !all.isEmpty, table.kind == .table else { return }
        let isSimple = all.allSatisfy {
            if case .add(_, let isSimple) = $0 { isSimple } else { false }
        }
        if isSimple {
            for case (let index, let edits) in edits {
                guard case .add(let definition, _)? = edits.first else { continue }
                found[index].repair = ["ALTER TABLE \(table.quotedName) ADD COLUMN \(definition)"]
            }
            return
        }
        // The key comes last, when all of its columns are there.
        let ordered = all.filter { !$0.isKey } + all.filter(\.isKey)
        guard let statements = try TableRebuild(db, table).statements(ordered) else { return }
        for index in edits.keys { found[index].repair = statements }
    }
}

extension TableEdit {
    fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}
