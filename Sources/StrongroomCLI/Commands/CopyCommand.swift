import StrongroomCore

/// `strongroom copy FILE OUT`
struct CopyCommand: Command {
    static let syntax = CommandSyntax(
        "copy", summary: "copy a database, even while it is in use, and verify the copy",
        operands: [
            .database, Operand("OUT", help: "the encrypted database to create"),
        ],
        options: [ResultKeyring.option, .force, .json],
        groups: [
            KeyOptions.current.group, KeyOptions.ofCopy.group, DatabaseSettings.group,
            ResultSettings.ofCopy,
        ],
        notes: [
            "The copy is the state of the database at one moment. Other programs can read "
                + "and write meanwhile. The copy appears only when it is complete and verified."
        ],
        examples: [
            .init(
                line: "strongroom copy shop.db copy.db --key-file shop.key",
                meaning: "copy under the same key"),
            .init(
                line: "strongroom copy shop.db copy.db --key-file shop.key "
                    + "--new-key-file other.key",
                meaning: "copy under another key"),
        ])

    private let source: String
    private let destination: String
    private let keySources: KeySourcePair
    private let overwrites: Bool
    private let settings: DatabaseSettings
    private let newSettings: ResultSettings
    private let keyring: ResultKeyring
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        source = arguments.operands[0]
        destination = arguments.operands[1]
        keySources = try KeySourcePair(.ofCopy, in: arguments)
        overwrites = arguments.contains(.force)
        settings = try DatabaseSettings(arguments)
        newSettings = try ResultSettings(arguments)
        keyring = try ResultKeyring(arguments, newSettings)
        try keySources.requireNewKey(for: keyring)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        try DatabasePrecheck.encrypted(source)
        try DatabasePrecheck.destination(destination, for: source, overwrites: overwrites)
        try DatabasePrecheck.keyring(
            at: destination, replacedByThatOf: keySources.new == nil ? source : nil)
        let keys = KeyReader(context: context)
        let key = try keys.key(from: keySources.current, for: .opening(path: source))
        let newKey = try keySources.new.map {
            try keys.key(from: $0, for: .making(path: destination))
        }
        let work = CommandProgress(context: context, title: "copying")
        let result = try keys.copyingKeyring(of: newKey == nil ? source : nil, to: destination) {
            try work.run { progress in
                try settings.opening(source, key, context) { file in
                    try copy(file, by: newKey ?? key, progress)
                }
            }
        }
        for notice in result.report.notices { context.warn(notice) }
        try result.write(in: context, asJSON: writesJSON)
    }

    private func copy(
        _ file: DatabaseFile, by key: CipherKey, _ progress: OperationProgress.Handler?
    ) throws -> TransferResult {
        try keyring.making(destination, like: file, by: key) { out in
            let copy = try newSettings.giving(out, copiedFrom: file)
            let report = try file.transfer(to: copy, overwrite: overwrites, progress: progress)
            return TransferResult(
                report: report, source: source, destination: destination,
                settings: newSettings.isEmpty
                    ? nil : UnusualSettings(copy.unusualSettings(after: CipherChange())))
        }
    }
}
