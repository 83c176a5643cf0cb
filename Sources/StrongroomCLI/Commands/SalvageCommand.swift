import StrongroomCore

/// `strongroom salvage FILE OUT`
struct SalvageCommand: Command {
    static let syntax = CommandSyntax(
        "salvage", summary: "recover the intact rows of a damaged database",
        operands: [
            Operand("FILE", help: "the damaged database; it is only read"),
            Operand("OUT", help: "the encrypted database to create"),
        ],
        options: [.runModules, ResultKeyring.option, .force, .json],
        groups: [
            KeyOptions.current.group, KeyOptions.old.group, KeyOptions.ofCopy.group,
            DatabaseSettings.group,
        ],
        notes: [
            "If pages have two keys, it decrypts them with both. If pages are damaged or "
                + "missing, it saves every row of all other pages, and lists what is lost. "
                + "Deleted rows stay deleted. OUT has the default cipher settings, and appears "
                + "only when it is complete and verified.",
            "--run-modules rebuilds full-text indexes that have lost a part, and leaves "
                + "out those that cannot be rebuilt. Without it, virtual tables stay as they "
                + "were saved.",
            "Exit status: 0 if nothing is lost, 13 if OUT lacks what is lost.",
        ],
        examples: [
            .init(
                line: "strongroom salvage shop.db saved.db --key-file shop.key",
                meaning: "recover the rows of a damaged file"),
            .init(
                line: "strongroom salvage shop.db saved.db --key-file new.key "
                    + "--old-key-file old.key",
                meaning: "finish an interrupted rotation"),
        ])

    private let source: String
    private let destination: String
    private let keySources: KeySourcePair
    private let oldKeySource: KeySource?
    private let runsModules: Bool
    private let overwrites: Bool
    private let settings: DatabaseSettings
    private let keyring: ResultKeyring
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        source = arguments.operands[0]
        destination = arguments.operands[1]
        keySources = try KeySourcePair(.ofCopy, in: arguments)
        oldKeySource = try KeyOptions.old.optionalSource(in: arguments)
        runsModules = arguments.contains(.runModules)
        overwrites = arguments.contains(.force)
        settings = try DatabaseSettings(arguments)
        keyring = try ResultKeyring(arguments)
        try keySources.requireNewKey(for: keyring)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        try DatabasePrecheck.destination(destination, for: source, overwrites: overwrites)
        try DatabasePrecheck.keyring(
            at: destination, replacedByThatOf: keySources.new == nil ? source : nil)
        let keys = KeyReader(context: context, isForRepair: true)
        let key = try keys.key(from: keySources.current, for: .opening(path: source))
        let oldKey = try oldKeySource.map {
            try keys.pastKeyring.key(from: $0, for: .opening(path: source))
        }
        let newKey = try keySources.new.map {
            try keys.key(from: $0, for: .making(path: destination))
        }
        let hints = DatabaseFile.DiagnosisHints(
            otherKeys: [oldKey].compactMap { $0 }, backups: [settings.saltCopy].compactMap { $0 })
        let work = CommandProgress(context: context, title: "salvaging")
        let copied = newKey == nil ? source : nil
        let report = try keys.copyingKeyring(of: copied, to: destination) {
            try work.run { progress in
                let file = DatabaseFile(path: source, key: key)
                return try keyring.making(destination, like: nil, by: newKey ?? key) { out in
                    try (settings.named(for: file) ?? file).salvage(
                        to: out, hints: hints, overwrite: overwrites, runningModules: runsModules,
                        progress: progress)
                }
            }
        }
        let result = SalvageResult(report: report, source: source, destination: destination)
        try TransferResult.finishing("\(destination) is made") { () throws(Failure) in
            if writesJSON || result.failure != nil || context.verbosity != .quiet {
                try context.output.write(
                    writesJSON ? result.json.indentedText + "\n" : result.text)
            }
            try context.output.flush()
        }
        if let failure = result.failure { throw failure }
    }
}
