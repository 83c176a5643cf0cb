import Strongroom

/// `strongroom help [TOPIC]`
struct HelpCommand: Command {
    static let syntax = CommandSyntax(
        "help", summary: "tell about a command, or about keys, exit statuses and JSON",
        operands: [
            Operand(
                "TOPIC", completion: .words(commandNames + HelpTopic.allCases.map(\.rawValue)),
                isOptional: true, help: "a command, or one of: \(topicNames)"),
            Operand(
                "WORD", completion: .nothing, isOptional: true,
                help: "the second word of a command that has two"),
        ],
        examples: [
            .init(line: "strongroom help query", meaning: "all about strongroom query"),
            .init(line: "strongroom help keys", meaning: "where keys come from"),
        ])

    /// Written out, because the list of commands holds this one.
    private static let commandNames = [
        "info", "check", "query", "encrypt", "decrypt", "copy", "rotate-key", "keygen",
        "backup", "completions", "help",
    ]

    private static var topicNames: String {
        HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")
    }

    private let topic: String?

    init(_ arguments: ParsedArguments) {
        let words = [arguments.operand(0), arguments.operand(1)].compactMap(\.self)
        topic = words.isEmpty ? nil : words.joined(separator: " ")
    }

    func run(in context: CommandContext) throws {
        guard let topic else { return try Self.writeOverview(to: context.output) }
        if let command = CommandList.all.first(where: { $0.syntax.name == topic }) {
            try context.output.write(HelpText.text(for: command.syntax))
        } else if let topic = HelpTopic(rawValue: topic) {
            try context.output.write(topic.text)
        } else if topic == "backup" {
            let group = CommandList.syntaxes.filter { $0.name.hasPrefix("backup ") }
            try context.output.write(HelpText.overview(of: group))
        } else {
            let known = Self.commandNames + HelpTopic.allCases.map(\.rawValue)
            let similar = Suggestion.closest(to: topic, among: known)
            throw Failure.usage(
                "no help on \(topic)",
                hint: similar.map { "did you mean strongroom help \($0)?" } ?? "strongroom help")
        }
    }

    static func writeOverview(to output: TextOutput) throws(Failure) {
        try output.write(HelpText.overview(of: CommandList.syntaxes))
    }

    /// - Parameter isVerbose: Whether a second line names the defects of the engine.
    static func writeVersion(to output: TextOutput, isVerbose: Bool) throws {
        let library = try LibraryVersions.current()
        try output.writeLine(
            "strongroom \(LibraryVersions.strongroom) "
                + "(SQLCipher \(library.cipher), SQLite \(library.sqlite))")
        if isVerbose { try output.writeLine(EngineResult().line) }
    }
}
