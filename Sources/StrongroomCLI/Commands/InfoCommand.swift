import StrongroomCore

/// `strongroom info FILE`
struct InfoCommand: Command {
    static let syntax = CommandSyntax(
        "info", summary: "show a database's settings, size, tables and row counts",
        operands: [.database],
        options: [.json],
        groups: [KeyOptions.current.group, DatabaseSettings.group],
        examples: [
            .init(line: "strongroom info shop.db --key-file shop.key", meaning: "show everything"),
            .init(
                line: "strongroom info shop.db --key-file shop.key --json | jq .tables",
                meaning: "the tables and their row counts, for a script"),
        ])

    private let path: String
    private let keySource: KeySource
    private let settings: DatabaseSettings
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        keySource = try KeyOptions.current.source(in: arguments)
        settings = try DatabaseSettings(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        try DatabasePrecheck.encrypted(path)
        let key = try KeyReader(context: context)
            .key(from: keySource, for: .opening(path: path))
        let queue = try settings.opening(path, key, context) { file in
            try file.undoInterruptedTransaction()
            var configuration = file.configuration
            configuration.readonly = true
            configuration.distrustsFile = true
            configuration.runsModules = false
            configuration.busyMode = .timeout(CommandTimeouts.busySeconds)
            return try file.open(configuration)
        }
        let information = try context.cancellation.onCancel({ queue.interrupt() }) {
            try queue.read { db in try DatabaseInformation(db, path: path) }
        }
        try queue.close()
        try information.write(to: context.output, asJSON: writesJSON)
    }
}

/// How long the commands wait for others.
enum CommandTimeouts {
    /// Another program's transactions are short; who waits longer wants to know.
    static let busySeconds = 5.0
}
