import StrongroomCore
import StrongroomSchema

/// `strongroom schema diff FILE OTHER`
struct SchemaDiffCommand: Command {
    static let syntax = CommandSyntax(
        "schema diff", summary: "print the SQL that turns one schema into another",
        operands: [.database, Operand("OTHER", help: "the database with the wanted schema")],
        options: [.json],
        groups: [KeyOptions.current.group, KeyOptions.ofOther.group, DatabaseSettings.group],
        notes: [
            "Compares tables, indexes, views and triggers, not rows. A statement that "
                + "would lose a table is printed as a comment. Nothing is written: put the "
                + "statements into a migration.",
            "Exit status: 0 if the schemas are the same, 1 if they differ.",
        ],
        examples: [
            .init(
                line: "strongroom schema diff shop.db new.db --key-file shop.key",
                meaning: "show what a migration has to do")
        ])

    private let path: String
    private let otherPath: String
    private let keySource: KeySource
    private let otherKeySource: KeySource?
    private let settings: DatabaseSettings
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        otherPath = arguments.operands[1]
        keySource = try KeyOptions.current.source(in: arguments)
        otherKeySource = try KeyOptions.ofOther.optionalSource(in: arguments)
        settings = try DatabaseSettings(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        try DatabasePrecheck.encrypted(path)
        try DatabasePrecheck.encrypted(otherPath)
        let keys = KeyReader(context: context)
        let key = try keys.key(from: keySource, for: .opening(path: path))
        let otherKey = try otherKeySource.map {
            try keys.key(from: $0, for: .opening(path: otherPath))
        }
        let lines = try SchemaOpening.reading(path, key, settings, context) { db in
            try SchemaOpening.reading(otherPath, otherKey ?? key, settings, context) { other in
                try SchemaDifference(db, other).lines
            }
        }
        if writesJSON {
            let json = JSONValue.object([
                .init("file", .string(path)), .init("other", .string(otherPath)),
                .init("isSame", .boolean(lines.isEmpty)),
                .init("statements", .array(lines.map { .string($0) })),
            ])
            try context.output.write(json.indentedText + "\n")
        } else {
            for line in lines {
                try context.output.writeLine(
                    SchemaOpening.visible(line) + (line.hasPrefix("--") ? "" : ";"))
            }
        }
        guard !lines.isEmpty else { return }
        throw Failure(
            .failed, "the schemas of \(path) and \(otherPath) differ",
            hint: "put the statements into a migration of the app")
    }
}
