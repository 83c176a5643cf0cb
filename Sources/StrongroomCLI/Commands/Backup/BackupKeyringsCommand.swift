import StrongroomBackup
import StrongroomCore
import StrongroomEssentials
import StrongroomKeyrings

/// `strongroom backup keyrings REPO`
struct BackupKeyringsCommand: Command {
    static let syntax = CommandSyntax(
        "backup keyrings", summary: "list the keyrings in a repository; needs no secret",
        operands: [.repository], options: [.json], groups: [RepositoryOptions.group],
        notes: [
            "A backup of a database with a keyring stores the keyring. KEYS are the keys that it gives, by "
                + "the identifiers that backup list shows. Pruning leaves the newest keyring of each key."
        ],
        examples: [
            .init(
                line: "strongroom backup keyrings /backup/shop",
                meaning: "which slots open the backups")
        ])

    private let path: String
    private let options: RepositoryOptions
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        options = try RepositoryOptions(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        let keyrings = try options.repository(at: path, in: context).keyrings()
        if writesJSON {
            let all = keyrings.map { keyring in
                JSONValue.object([
                    .init("file", .string(keyring.storedPath)),
                    .init("date", .string(WrittenTime.text(of: keyring.date))),
                    .init("keys", .array(keyring.keyIdentifiers.map { .string($0) })),
                    .init("keyring", KeyringSummary(keyring).json),
                ])
            }
            return try context.output.writeLine(JSONValue.array(all).indentedText)
        }
        var table = TextTable(
            header: ["KEYRING", "REVISION", "DATE", "SLOTS", "KEYS"], output: context.output,
            columns: context.outputColumns(), whole: [0, 1, 2])
        for keyring in keyrings {
            try table.append([
                .init(String(keyring.identifier.prefix(8))),
                .init(String(keyring.revision), isNumber: true),
                .init(String(WrittenTime.text(of: keyring.date).prefix(10))),
                .init(VisibleText.text(of: keyring.slots.map(\.name).joined(separator: ", "))),
                .init(keyring.keyIdentifiers.map { String($0.prefix(8)) }.joined(separator: ", ")),
            ])
        }
        try table.finish()
    }
}
