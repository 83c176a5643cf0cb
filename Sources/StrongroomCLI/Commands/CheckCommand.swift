import StrongroomCore

/// `strongroom check FILE`
struct CheckCommand: Command {
    private static let quick = Option.flag(
        "quick", help: "skip the slowest part: comparing indexes with their tables")

    static let syntax = CommandSyntax(
        "check", summary: "check a database for damage",
        operands: [.database],
        options: [quick, .runModules, .json],
        groups: [KeyOptions.current.group, DatabaseSettings.group],
        notes: [
            "Authenticates every page with the key (cipher integrity), compares the size "
                + "of the file with what the database says, and has SQLite check the structure "
                + "and the foreign keys. Exit status: 0 sound, 13 damaged, 17 if only the log is, "
                + "1 if only rows violate a constraint or a foreign key.",
            "Virtual tables, such as those of full-text search, are listed as not "
                + "examined, because a crafted file can attack the C code of their modules. "
                + "--run-modules examines them. The tables that store their content are always "
                + "examined.",
        ],
        examples: [
            .init(line: "strongroom check shop.db --key-file shop.key", meaning: "check everything")
        ])

    private let path: String
    private let keySource: KeySource
    private let isQuick: Bool
    private let runsModules: Bool
    private let settings: DatabaseSettings
    private let writesJSON: Bool

    init(_ arguments: ParsedArguments) throws(Failure) {
        path = arguments.operands[0]
        keySource = try KeyOptions.current.source(in: arguments)
        isQuick = arguments.contains(Self.quick)
        runsModules = arguments.contains(.runModules)
        settings = try DatabaseSettings(arguments)
        writesJSON = arguments.contains(.json)
    }

    func run(in context: CommandContext) throws {
        try DatabasePrecheck.encrypted(path)
        let key = try KeyReader(context: context)
            .key(from: keySource, for: .opening(path: path))
        let report = try CommandProgress(context: context, title: "checking").run { progress in
            try settings.opening(path, key, context) { file in
                try file.check(
                    quick: isQuick, runningModules: runsModules, progress: progress)
            }
        }
        let result = CheckResult(
            report: report, path: path, hasColors: context.colors.output)
        if writesJSON || !report.isSound || context.verbosity != .quiet {
            try result.write(to: context.output, asJSON: writesJSON)
        }
        if let failure = result.failure { throw failure }
    }
}
