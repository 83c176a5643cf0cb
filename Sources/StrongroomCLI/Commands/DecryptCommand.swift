import StrongroomCore

/// `strongroom decrypt IN OUT`
struct DecryptCommand: Command {
    static let syntax = CommandSyntax(
        "decrypt", summary: "decrypt a database into a plaintext SQLite file",
        operands: [
            Operand("IN", help: "the encrypted database; it is only read"),
            Operand(
                "OUT",
                help:
                    "the plaintext database to create: anyone who can read the file reads all data"),
        ],
        options: [.force, .json],
        groups: [KeyOptions.current.group, DatabaseSettings.group],
        notes: ["OUT appears only when it is complete and verified. Only its owner can read it."],
        examples: [
            .init(
                line: "strongroom decrypt shop.db shop.sqlite --key-file shop.key",
                meaning: "decrypt with the key in a file")
        ])

    private let source: String
    private let destination: String
    private let keySource: KeySource
    private let overwrites: Bool
    private let settings: DatabaseSettings
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        source = arguments.operands[0]
        destination = arguments.operands[1]
        keySource = try KeyOptions.current.source(in: arguments)
        overwrites = arguments.contains(.force)
        settings = try DatabaseSettings(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        try DatabasePrecheck.encrypted(source)
        try DatabasePrecheck.destination(destination, for: source, overwrites: overwrites)
        try DatabasePrecheck.keyring(at: destination, replacedByThatOf: nil)
        let key = try KeyReader(context: context)
            .key(from: keySource, for: .opening(path: source))
        let report = try CommandProgress(context: context, title: "decrypting").run { progress in
            try settings.opening(source, key, context) { file in
                try file.transfer(
                    to: DatabaseFile(path: destination), overwrite: overwrites, progress: progress)
            }
        }
        try TransferResult(report: report, source: source, destination: destination)
            .write(in: context, asJSON: writesJSON)
    }
}
