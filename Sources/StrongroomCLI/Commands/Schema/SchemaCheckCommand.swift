import StrongroomCore
import StrongroomEssentials
import StrongroomSchema

/// `strongroom schema check FILE --tables tables.json`
struct SchemaCheckCommand: Command {
    private static let tables = Option.value(
        "tables", "PATH", completion: .file,
        help: "the tables that the app's types declare, as written by TableSchema.write")
    private static let strict = Option.flag(
        "strict", help: "fail on warnings, not on errors alone")

    static let syntax = CommandSyntax(
        "schema check", summary: "compare the tables that an app declares with a database",
        operands: [.database],
        options: [tables, strict, .json],
        groups: [KeyOptions.current.group, DatabaseSettings.group],
        notes: [
            "Each mismatch names the table, the column, what the type says and what the "
                + "database says. The statements that repair them are printed at the end: put "
                + "them into a migration. Nothing is written.",
            "Exit status: 0 without errors, 1 with errors, or with warnings under "
                + "--strict.",
        ],
        examples: [
            .init(
                line: "strongroom schema check shop.db --tables tables.json --key-file shop.key",
                meaning: "check whether the app's types fit")
        ])

    private let path: String
    private let tablesPath: String
    private let isStrict: Bool
    private let keySource: KeySource
    private let settings: DatabaseSettings
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        guard let tables = arguments.value(Self.tables) else {
            throw .usage(
                "--tables is missing", hint: "TableSchema.write(AppTables.all, to:) writes one")
        }
        tablesPath = tables
        isStrict = arguments.contains(Self.strict)
        keySource = try KeyOptions.current.source(in: arguments)
        settings = try DatabaseSettings(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        try DatabasePrecheck.encrypted(path)
        let schemas = try readTables()
        let key = try KeyReader(context: context)
            .key(from: keySource, for: .opening(path: path))
        let mismatches = try SchemaOpening.reading(path, key, settings, context) { db in
            try db.mismatches(of: schemas)
        }
        let result = SchemaCheckResult(
            mismatches: mismatches, path: path, tableCount: schemas.count,
            hasColors: context.colors.output)
        try context.output.write(writesJSON ? result.json.indentedText + "\n" : result.text)
        if let failure = result.failure(isStrict: isStrict) { throw failure }
    }

    private func readTables() throws(Failure) -> [TableSchema] {
        guard let content = FileManager.default.contents(atPath: tablesPath) else {
            throw Failure(.failed, "\(tablesPath) cannot be read", hint: "check the path")
        }
        do throws(SchemaFileError) {
            return try SchemaFile.read(content).tables
        } catch {
            throw Failure(
                .failed, "\(tablesPath) is not a list of tables: \(error.description)",
                hint: "TableSchema.write(AppTables.all, to:) writes one")
        }
    }
}

/// What `strongroom schema check` reports.
struct SchemaCheckResult {
    let mismatches: [SchemaMismatch]
    let path: String
    let tableCount: Int
    var hasColors = false

    func failure(isStrict: Bool) -> Failure? {
        let grave = mismatches.filter { mismatch in
            mismatch.severity == .error || (isStrict && mismatch.severity == .warning)
        }
        if grave.isEmpty { return nil }
        return Failure(
            .failed, "\(path) does not fit the tables: \(Self.count(grave.count, "mismatch"))",
            hint: mismatches.repair.isEmpty
                ? "change the types, or the database"
                : "put the statements into a migration, or change the types")
    }

    private static func count(_ count: Int, _ word: String) -> String {
        "\(count) \(word)\(count == 1 ? "" : word.hasSuffix("ch") ? "es" : "s")"
    }

    var text: String {
        let name = VisibleText.text(of: path)
        if mismatches.isEmpty { return "\(name) fits \(Self.count(tableCount, "table"))\n" }
        var lines: [String] = []
        for mismatch in mismatches {
            let place = [mismatch.table, mismatch.column].compactMap(\.self).joined(separator: ".")
            lines.append(
                painted(mismatch.severity) + " "
                    + VisibleText.text(
                        of: "\(place): \(mismatch.expected), \(mismatch.found)"))
            if let correction = mismatch.correction {
                lines.append("    " + VisibleText.text(of: correction))
            }
        }
        let repair = mismatches.repair
        if !repair.isEmpty {
            lines += ["", "-- These statements repair \(name):"]
            lines += repair.map { SchemaOpening.visible($0) + ";" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func painted(_ severity: SchemaMismatch.Severity) -> String {
        switch severity {
        case .error: TextColor.bad.paint("error:", if: hasColors)
        case .warning: TextColor.doubtful.paint("warning:", if: hasColors)
        case .note: "note:"
        }
    }

    var json: JSONValue {
        let list = mismatches.map { mismatch in
            JSONValue.object([
                .init("severity", .string(mismatch.severity.rawValue)),
                .init("kind", .string(mismatch.kind.rawValue)),
                .init("table", .string(mismatch.table)),
                .init("column", mismatch.column.map { .string($0) } ?? .null),
                .init("expected", .string(mismatch.expected)),
                .init("found", .string(mismatch.found)),
                .init("correction", mismatch.correction.map { .string($0) } ?? .null),
                .init("repair", .array(mismatch.repair.map { .string($0) })),
            ])
        }
        return .object([
            .init("file", .string(path)),
            .init("tableCount", .integer(Int64(tableCount))),
            .init("mismatches", .array(list)),
            .init("repair", .array(mismatches.repair.map { .string($0) })),
        ])
    }
}
