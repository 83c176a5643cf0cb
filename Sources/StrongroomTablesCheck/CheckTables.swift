internal import StrongroomCore
internal import StrongroomEssentials
package import StrongroomSchema
internal import TableModel

/// The check of sources against a schema, without building them.
package enum CheckTables {
    /// What is printed, and the exit status.
    package struct Result {
        package var text: String
        package let status: Int32
    }

    /// The schemas of the tables in files of one target, in the order in which they stand there.
    package static func schemas(inFiles paths: [String]) throws -> [TableSchema] {
        var run = CheckRun(try CheckOptions(["--schema", "none", "--module", "App"] + paths))
        try run.readSources()
        return run.describedTables().map(\.schema)
    }

    package static func run(_ words: [String]) -> Result {
        do {
            let options = try CheckOptions(words)
            if options.asksForHelp { return Result(text: CheckOptions.help, status: 0) }
            var run = CheckRun(options)
            try run.check()
            return run.result
        } catch let error as CheckOptions.UsageError {
            let hint = "'swift package check-tables --help' lists the options"
            return Result(
                text: "check-tables: error: \(error.message)\n\(hint)\n", status: 2)
        } catch {
            return Result(text: "check-tables: error: \(error)\n", status: 1)
        }
    }
}

/// A file that cannot be read.
struct UnreadableFile: Error, CustomStringConvertible {
    let description: String
}

/// One run: what is read, and what there is to say.
struct CheckRun {
    private let options: CheckOptions
    private var types = SourceTypes()
    private var remarks: [Remark] = []
    private var tableCount = 0
    private var unknownTypes: [(name: String, place: Place)] = []

    init(_ options: CheckOptions) { self.options = options }

    mutating func check() throws {
        try readSources()
        let schema = try SchemaFileReader.read(options.schema)
        remarks += schema.remarks
        // What a broken definition lacks, each type would miss.
        let isWhole = !schema.remarks.contains { $0.severity == .error }
        let tables = describedTables()
        guard isWhole else { return }
        try schema.queue.inDatabase { db in
            try check(tables, db, schema)
        }
        reportUnknownTypes()
    }

    // MARK: - The sources

    fileprivate mutating func readSources() throws {
        for source in options.sources {
            guard let file = TextFile(path: source.path) else {
                throw UnreadableFile(description: "\(source.path) cannot be read")
            }
            if let offset = file.invalidOffset {
                remarks.append(
                    Remark(
                        .error, "the file is not UTF-8; nothing of it is read",
                        at: Place(file: file, offset: offset)))
                continue
            }
            let finder = DeclarationFinder(file, module: source.module)
            types.add(finder)
            if finder.hasErrors, finder.types.contains(where: { $0.macro != nil }) {
                remarks.append(
                    Remark(
                        .warning,
                        "the file has an error of syntax, which the compiler explains: "
                            + "what is said of its tables may be wrong",
                        at: Place(file: file, offset: 0)))
            }
        }
    }

    /// The types with `@Table` that the macro has no error for; what it finds is reported.
    fileprivate mutating func describedTables() -> [DescribedTable] {
        let describer = TableDescriber(types)
        var tables: [DescribedTable] = []
        for type in types.all {
            guard let macro = type.macro else { continue }
            let analysis = Analyzer.analyze(
                type.declaration, attribute: macro.attribute, role: macro.role)
            remarks += analysis.findings.map { finding in
                Remark(
                    finding.severity == .error ? .error : .warning, finding.message,
                    at: type.place(finding.range),
                    notes: finding.notes.map { Remark(.note, $0.message, at: type.place($0.range)) }
                )
            }
            let isRight = !analysis.findings.contains { $0.severity == .error }
            let isOwnSource = analysis.description?.ownMembers.contains("tableFragment") == true
            let names = [type.name, type.path.last ?? ""]
            guard macro.role == .table, isRight, !isOwnSource,
                !names.contains(where: options.ignored.contains),
                let description = analysis.description
            else { continue }
            tables.append(describer.table(type, description))
        }
        return tables
    }

    // MARK: - The comparison

    private mutating func check(
        _ tables: [DescribedTable], _ db: Database, _ file: SchemaFileReader
    ) throws {
        tableCount = tables.count
        let reader = try SchemaReader(db)
        var schemas: [TableSchema] = []
        for table in tables {
            if let reason = file.unreadable[table.schema.name.asciiLowercased] {
                remarks.append(Remark(.note, "not checked: \(reason)", at: table.place))
                continue
            }
            let found = try reader.table(table.schema.name, in: table.schema.schemaName)
            let (schema, hasOpenGroup) = schema(of: table, in: found)
            schemas.append(schema)
            for mismatch in try db.mismatches(of: [schema]) where mismatch.kind != .foreignKey {
                let isOpen = [.extraColumn, .requiredColumn, .primaryKey].contains(mismatch.kind)
                if hasOpenGroup && isOpen { continue }
                report(mismatch, at: table)
            }
        }
        for mismatch in try db.mismatches(of: schemas) where mismatch.kind == .foreignKey {
            if let table = tables.first(where: { $0.schema.name == mismatch.table }) {
                report(mismatch, at: table)
            }
        }
    }

    /// The schema without what may be a group of columns, where the table has no such column.
    private mutating func schema(
        of table: DescribedTable, in found: DatabaseTable?
    ) -> (TableSchema, hasOpenGroup: Bool) {
        let names = Set(found?.columns.map(\.name.asciiLowercased) ?? [])
        var schema = table.schema
        schema.columns = []
        for column in table.columns {
            if let type = column.unknownType { unknownTypes.append((type, column.place)) }
            let isThere = found == nil || names.contains(column.schema.name.asciiLowercased)
            if isThere || !column.mayBeGroup { schema.columns.append(column.schema) }
        }
        return (schema, schema.columns.count < table.columns.count)
    }

    private mutating func report(_ mismatch: SchemaMismatch, at table: DescribedTable) {
        let column = table.columns.first { column in
            column.schema.name.asciiLowercased == mismatch.column?.asciiLowercased
        }
        let text = mismatch.description.drop { $0 != " " }.dropFirst()
        let notes = column?.owners.map { Remark(.note, "it is a column of this group", at: $0) }
        remarks.append(
            Remark(
                mismatch.severity.remark, String(text), at: column?.place ?? table.place,
                notes: notes ?? []))
    }

    /// Each type once, where it is used first.
    private mutating func reportUnknownTypes() {
        var seen: Set<String> = []
        for (name, place) in unknownTypes where seen.insert(name).inserted {
            remarks.append(
                Remark(
                    .note, "cannot tell how '\(name)' is stored, so that is not checked",
                    at: place))
        }
    }

    // MARK: - The result

    var result: CheckTables.Result {
        var order: [ObjectIdentifier: Int] = [:]
        for remark in remarks {
            let file = ObjectIdentifier(remark.place.file)
            order[file] = order[file] ?? order.count
        }
        let sorted = remarks.enumerated().sorted { left, right in
            let (first, second) = (left.element.place, right.element.place)
            let files = (
                order[ObjectIdentifier(first.file)] ?? 0, order[ObjectIdentifier(second.file)] ?? 0
            )
            return (files.0, first.offset, left.offset) < (files.1, second.offset, right.offset)
        }.map(\.element)
        func count(_ severity: Remark.Severity) -> Int {
            remarks.filter { $0.severity == severity }.count
        }
        let (errors, warnings) = (count(.error), count(.warning))
        let name = options.schema
        let tables = Self.count(tableCount, "table")
        let summary =
            errors + warnings > 0
            ? "\(Self.count(errors, "error")), \(Self.count(warnings, "warning"))"
            : tableCount == 0
                ? "no type with '@Table' in \(Self.count(options.sources.count, "file"))"
                : "\(name) fits \(tables)"
        return CheckTables.Result(
            text: (sorted.flatMap(\.lines) + ["check-tables: \(summary)"])
                .joined(separator: "\n") + "\n",
            status: errors > 0 || (options.isStrict && warnings > 0) ? 1 : 0)
    }

    private static func count(_ count: Int, _ word: String) -> String {
        "\(count) \(word)\(count == 1 ? "" : "s")"
    }
}

extension SchemaMismatch.Severity {
    fileprivate var remark: Remark.Severity {
        switch self {
        case .error: .error
        case .warning: .warning
        case .note: .note
        }
    }
}
