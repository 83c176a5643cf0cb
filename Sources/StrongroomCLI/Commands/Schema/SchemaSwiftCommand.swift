import StrongroomCore
import StrongroomSchema

/// `strongroom schema swift FILE`
struct SchemaSwiftCommand: Command {
    static let syntax = CommandSyntax(
        "schema swift", summary: "generate Swift table types from a database",
        operands: [.database],
        groups: [KeyOptions.current.group, DatabaseSettings.group],
        notes: [
            "Each table and view becomes a struct with @Table, for the product "
                + "StrongroomTables. Names become Swift names: created_at becomes the property "
                + "createdAt. What is left out is reported on standard error.",
            "Where a declared type does not show how its values are stored, rows are "
                + "read. No row is printed.",
        ],
        examples: [
            .init(
                line: "strongroom schema swift shop.db --key-file shop.key > Tables.swift",
                meaning: "start with the existing tables")
        ])

    private let path: String
    private let keySource: KeySource
    private let settings: DatabaseSettings

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        keySource = try KeyOptions.current.source(in: arguments)
        settings = try DatabaseSettings(arguments)
    }

    func run(in context: CommandContext) throws {
        try DatabasePrecheck.encrypted(path)
        let key = try KeyReader(context: context)
            .key(from: keySource, for: .opening(path: path))
        let source = try SchemaOpening.reading(path, key, settings, context) { db in
            try SwiftSource(db)
        }
        try context.output.write(source.text)
        for omission in source.omissions { context.note("left out: \(omission)") }
    }
}
