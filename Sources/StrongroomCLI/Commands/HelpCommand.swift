import StrongroomCore

/// `strongroom help [TOPIC]`
struct HelpCommand: Command {
    static let syntax = CommandSyntax(
        "help", summary: "show help for a command or a topic",
        operands: [
            Operand(
                "TOPIC", completion: .words(commandNames + HelpTopic.allCases.map(\.rawValue)),
                isOptional: true, help: "a command, or one of: \(topicNames)"),
            Operand(
                "WORD", completion: .nothing, isOptional: true,
                help: "the second word of a command that has two"),
        ],
        options: [manual, list],
        examples: [
            .init(line: "strongroom help query", meaning: "all about strongroom query"),
            .init(line: "strongroom help keys", meaning: "where keys come from"),
            .init(
                line: "strongroom help query --man | man -l -", meaning: "the same as a manual page"
            ),
        ])

    private static let manual = Option.flag(
        "man", help: "print a manual page: the command's, or the one for the whole tool")
    private static let list = Option.flag("list", help: "list the names of all commands")

    /// The list of all commands holds this one.
    private static let commandNames =
        CommandGroup.firstWords(CommandList.others.map { $0.syntax }) + ["help"]

    private static var topicNames: String {
        HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")
    }

    private let topic: String?
    private let writesManual: Bool
    private let listsNames: Bool

    init(_ arguments: ParsedArguments) {
        let words = [arguments.operand(0), arguments.operand(1)].compactMap(\.self)
        topic = words.isEmpty ? nil : words.joined(separator: " ")
        writesManual = arguments.contains(Self.manual)
        listsNames = arguments.contains(Self.list)
    }

    func run(in context: CommandContext) throws {
        if listsNames {
            let names = CommandList.syntaxes.map { $0.name + "\n" }
            return try context.output.write(names.joined())
        }
        guard let topic else {
            guard writesManual else { return try Self.writeOverview(to: context.output) }
            return try context.output.write(Self.overviewPage)
        }
        if let command = CommandList.all.first(where: { $0.syntax.name == topic }) {
            let page = ManualPage(of: command.syntax, version: LibraryVersions.strongroom)
            try context.output.write(
                writesManual ? page.text : HelpText.text(for: command.syntax))
        } else if writesManual {
            throw Failure.usage(
                "there is no manual page for \(topic)", hint: "strongroom help --list lists all")
        } else if let topic = HelpTopic(rawValue: topic) {
            try context.output.write(topic.text)
        } else if case let group = CommandList.syntaxes.filter({ $0.name.hasPrefix(topic + " ") }),
            !group.isEmpty
        {
            try context.output.write(HelpText.overview(of: group))
        } else {
            let known = Self.commandNames + HelpTopic.allCases.map(\.rawValue)
            let similar = Suggestion.closest(to: topic, among: known)
            throw Failure.usage(
                "there is no help for \(topic)",
                hint: similar.map { "did you mean strongroom help \($0)?" } ?? "strongroom help")
        }
    }

    static func writeOverview(to output: TextOutput) throws(Failure) {
        try output.write(HelpText.overview(of: CommandList.syntaxes))
    }

    /// `strongroom.1`
    private static var overviewPage: String {
        ManualPage(
            ofAll: CommandList.syntaxes, topics: HelpTopic.allCases.map(\.text),
            version: LibraryVersions.strongroom
        ).text
    }

    /// - Parameter isVerbose: Whether a second line names the defects of the engine.
    static func writeVersion(to output: TextOutput, isVerbose: Bool) throws {
        let library = try LibraryVersions.current()
        try output.writeLine(library.line)
        guard isVerbose else { return }
        if let path = LibraryVersions.libraryPath { try output.writeLine("SQLCipher is \(path)") }
        try output.writeLine(EngineResult().line)
    }
}
