/// `strongroom completions SHELL`
struct CompletionsCommand: Command {
    static let syntax = CommandSyntax(
        "completions", summary: "generate shell completions",
        operands: [
            Operand(
                "SHELL", completion: .words(Shell.allCases.map(\.rawValue)),
                help: "bash, zsh or fish")
        ],
        examples: [
            .init(
                line: "eval \"$(strongroom completions bash)\"", meaning: "in ~/.bashrc"),
            .init(line: "source <(strongroom completions zsh)", meaning: "in ~/.zshrc"),
            .init(
                line: "strongroom completions fish | source",
                meaning: "in ~/.config/fish/config.fish"),
        ])

    private let shell: Shell

    init(_ arguments: ParsedArguments) throws(Failure) {
        let name = arguments.operand(0) ?? ""
        guard let shell = Shell(rawValue: name) else {
            throw .usage("there are no completions for \(name)", hint: "use bash, zsh or fish")
        }
        self.shell = shell
    }

    func run(in context: CommandContext) throws {
        try context.output.write(shell.completions(for: CommandList.syntaxes))
    }
}
