/// The help of one command, generated from its declaration.
package struct HelpText {
    /// Terminals are 80 columns wide unless someone made them wider.
    private static let width = 80
    private static let helpColumn = 28

    private var lines: [String] = []

    package static func text(for syntax: CommandSyntax, program: String = "strongroom") -> String {
        var help = HelpText()
        help.lines += wrap("\(program) \(syntax.name): \(syntax.summary)", indent: 0)
        help.section("usage")
        help.lines += wrap(usage(of: syntax, program: program), indent: 2, hanging: 6)
        if !syntax.operands.isEmpty {
            help.section("operands")
            for operand in syntax.operands { help.entry(operand.name, operand.help) }
        }
        for group in syntax.groups {
            help.section(group.title)
            for option in group.options { help.entry(option.alignedUsage, option.help) }
        }
        for note in syntax.notes {
            help.lines.append("")
            help.lines += wrap(note, indent: 0)
        }
        if !syntax.examples.isEmpty { help.section("examples") }
        for example in syntax.examples {
            help.lines += ["  \(example.line)", "      \(example.meaning)"]
        }
        return help.lines.joined(separator: "\n") + "\n"
    }

    static func usage(of syntax: CommandSyntax, program: String) -> String {
        ([program, syntax.name] + syntax.operands.map(\.usage) + ["[options]"])
            .joined(separator: " ")
    }

    /// Two columns: a name, and what it means, wrapped beside it.
    mutating func entry(_ name: String, _ meaning: String) {
        let wrapped = Self.wrap(meaning, indent: Self.helpColumn)
        let label = "  " + name
        if label.count + 2 <= Self.helpColumn, let first = wrapped.first {
            lines.append(label + first.dropFirst(label.count))
            lines += wrapped.dropFirst()
        } else {
            lines += [label] + wrapped
        }
    }

    mutating func section(_ title: String) {
        lines += ["", title + ":"]
    }

    static func wrap(_ text: String, indent: Int, hanging: Int? = nil) -> [String] {
        var lines: [String] = []
        var line = String(repeating: " ", count: indent)
        var isEmpty = true
        for word in text.split(separator: " ") {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = String(repeating: " ", count: hanging ?? indent)
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }

    /// The list of commands: what `strongroom` alone, `strongroom help` and `--help` print.
    static func overview(of commands: [CommandSyntax]) -> String {
        var help = HelpText()
        help.lines = ["strongroom: encrypted SQLite databases, made, used and looked after"]
        help.section("usage")
        help.lines += ["  strongroom COMMAND [operands] [options]"]
        help.section("commands")
        for command in commands { help.entry(command.name, command.summary) }
        help.section("options")
        help.entry("-h, --help", "show this help")
        help.entry("    --version", "show the version of the program and of SQLCipher")
        help.section("exit status")
        for code in ExitCode.allCases { help.entry(String(code.rawValue), code.meaning) }
        help.lines += [""]
        help.lines += wrap(
            "`strongroom help COMMAND` tells more. Keys are never taken from the command line: "
                + "see `strongroom help keys`.", indent: 0)
        return help.lines.joined(separator: "\n") + "\n"
    }
}

extension Option {
    /// `usage`, with the place of a short name kept free where there is none.
    fileprivate var alignedUsage: String { short == nil ? "    " + usage : usage }
}
