/// What a command takes: the one declaration behind parsing, help and completions.
package struct CommandSyntax: Sendable {
    /// Options that belong together, under one heading in the help.
    package struct OptionGroup: Sendable {
        let title: String
        let options: [Option]
    }

    package struct Example: Sendable {
        let line: String
        let meaning: String
    }

    package let name: String
    /// Half a sentence, without a full stop.
    package let summary: String
    package let operands: [Operand]
    package let groups: [OptionGroup]
    /// Paragraphs after the options: what the person cannot guess.
    package let notes: [String]
    package let examples: [Example]

    package init(
        _ name: String, summary: String, operands: [Operand] = [], options: [Option] = [],
        groups: [OptionGroup] = [], notes: [String] = [], examples: [Example] = []
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        let own = OptionGroup(title: "options", options: options + [.help])
        self.groups = [own] + groups
        self.notes = notes
        self.examples = examples
    }

    package var options: [Option] { groups.flatMap(\.options) }

    /// With those that every command takes.
    package var allOptions: [Option] { options + Option.everywhere }

    func option(named name: String) -> Option? { allOptions.first { $0.name == name } }

    func option(short: Character) -> Option? { allOptions.first { $0.short == short } }
}

extension Option {
    /// Every command has it.
    static let help = Option.flag("help", short: "h", help: "show this help")
}
