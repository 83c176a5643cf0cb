import StrongroomCore

/// `strongroom encrypt IN OUT`
struct EncryptCommand: Command {
    static let syntax = CommandSyntax(
        "encrypt", summary: "encrypt a SQLite database into a new file",
        operands: [
            Operand("IN", help: "the plaintext database; it is only read"),
            Operand("OUT", help: "the encrypted database to create"),
        ],
        options: [ResultKeyring.option, .force, .json],
        groups: [KeyOptions.ofResult.group, ResultSettings.ofEncrypted],
        notes: [
            "OUT appears only when it is complete and verified. It keeps everything that "
                + "SQLite stores: schema, rows, rowids, sequences, full-text indexes, "
                + "user_version, application_id, auto_vacuum, encoding.",
            "A program needs the settings of a file that does not use the default ones: "
                + "the command prints what to give it, and what to give strongroom.",
            "IN is not deleted. If its content is secret, delete it, and remember its "
                + "backups.",
        ],
        examples: [
            .init(
                line: "strongroom encrypt shop.sqlite shop.db --key-file shop.key",
                meaning: "encrypt with the key in a file"),
            .init(
                line: "strongroom encrypt shop.sqlite shop.db",
                meaning: "prompt for a new passphrase"),
            .init(
                line: "strongroom encrypt shop.sqlite shop.db --key-file shop.key "
                    + "--new-page-size 8192",
                meaning: "use another page size"),
        ])

    private let source: String
    private let destination: String
    private let keySource: KeySource
    private let overwrites: Bool
    private let settings: ResultSettings
    private let keyring: ResultKeyring
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        source = arguments.operands[0]
        destination = arguments.operands[1]
        keySource = try KeyOptions.ofResult.source(in: arguments)
        overwrites = arguments.contains(.force)
        settings = try ResultSettings(arguments)
        keyring = try ResultKeyring(arguments, settings)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        try DatabasePrecheck.plain(source)
        try DatabasePrecheck.destination(destination, for: source, overwrites: overwrites)
        try DatabasePrecheck.keyring(at: destination, replacedByThatOf: nil)
        let key = try KeyReader(context: context)
            .key(from: keySource, for: .making(path: destination, option: "key"))
        try keyring.making(destination, like: nil, by: key) { file in
            let encrypted = try settings.giving(file)
            let report = try CommandProgress(context: context, title: "encrypting").run {
                try DatabaseFile(path: source).transfer(
                    to: encrypted, overwrite: overwrites, progress: $0)
            }
            try TransferResult(
                report: report, source: source, destination: destination,
                settings: UnusualSettings(encrypted.unusualSettings(after: CipherChange()))
            ).write(in: context, asJSON: writesJSON)
        }
    }
}
