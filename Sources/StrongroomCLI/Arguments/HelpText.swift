/// The help of one command, generated from its declaration.
package struct HelpText {
    /// Terminals are 80 columns wide unless someone made them wider.
    private static let width = 80
    /// A longer name stands on a line of its own.
    private static let widestColumn = 30

    private typealias Entry = (name: String, meaning: String)

    private var lines: [String] = []
    private let column: Int

    /// Every meaning begins at one column, as far left as the names allow.
    private init(entries: [Entry]) {
        let ends = entries.map { $0.name.count + 4 }
        column = ends.filter { $0 <= Self.widestColumn }.max() ?? Self.widestColumn
    }

    package static func text(for syntax: CommandSyntax, program: String = "strongroom") -> String {
        let operands = syntax.operands.map { ($0.name, $0.help) }
        let groups = syntax.groups.map { ($0.title, entries(of: $0)) }
        var help = HelpText(entries: operands + groups.flatMap(\.1))
        help.lines += wrap("\(program) \(syntax.name): \(syntax.summary)", indent: 0)
        help.section("usage")
        help.lines += wrap(usage(of: syntax, program: program), indent: 2, hanging: 6)
        if !operands.isEmpty { help.section("operands", operands) }
        for (title, entries) in groups { help.section(title, entries) }
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
    private mutating func write(_ entry: Entry) {
        let wrapped = Self.wrap(entry.meaning, indent: column)
        let label = "  " + entry.name
        if label.count + 2 <= column, let first = wrapped.first {
            lines.append(label + first.dropFirst(label.count))
            lines += wrapped.dropFirst()
        } else {
            lines += [label] + wrapped
        }
    }

    private mutating func section(_ title: String, _ entries: [Entry] = []) {
        lines += ["", title + ":"]
        for entry in entries { write(entry) }
    }

    /// Where one option of a group has a short name, the others keep its place free.
    private static func entries(of group: CommandSyntax.OptionGroup) -> [Entry] {
        let hasShort = group.options.contains { $0.short != nil }
        return group.options.map { option in
            ((hasShort && option.short == nil ? "    " : "") + option.usage, option.help)
        }
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

    /// What the program does.
    static let summary =
        "encrypt, inspect, repair and back up SQLite databases, and rotate their keys"

    private static let heading = wrap("strongroom: \(summary)", indent: 0)

    /// What `strongroom` alone prints.
    static let short =
        heading.joined(separator: "\n") + """


              strongroom keygen app.key                                  create a key file
              strongroom encrypt app.sqlite app.db --key-file app.key    encrypt a database
              strongroom query app.db 'SELECT ...' --key-file app.key    run SQL
              strongroom check app.db --key-file app.key                 check it for damage
              strongroom doctor app.db                                   diagnose why it does not open

            `strongroom help` lists all commands; `strongroom help COMMAND` explains one.

            """

    /// The list of commands: what `strongroom help` and `--help` print.
    static func overview(of commands: [CommandSyntax]) -> String {
        let commands = commands.map { ($0.name, $0.summary) }
        let codes = ExitCode.allCases.map { (String($0.rawValue), $0.meaning) }
        let options = [
            ("-h, --help", "show this help"),
            (
                "-V, --version",
                "show the version of the program and of SQLCipher; with --verbose, what is known of it"
            ),
        ]
        let common = entries(of: .init(title: "", options: Option.everywhere))
        var help = HelpText(entries: commands + codes + options + common)
        help.lines = heading
        help.section("usage")
        help.lines += ["  strongroom COMMAND [operands] [options]"]
        help.section("commands", commands)
        help.section("options", options)
        help.section("options of every command", common)
        help.section("exit status", codes)
        help.lines += [""]
        help.lines += wrap(
            "`strongroom help COMMAND` explains a command. Keys are never taken from the command line: "
                + "see `strongroom help keys`.", indent: 0)
        return help.lines.joined(separator: "\n") + "\n"
    }
}
