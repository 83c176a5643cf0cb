/// One subcommand: declared once, made from parsed arguments, run.
protocol Command {
    static var syntax: CommandSyntax { get }

    /// - Throws: a usage `Failure` for what the declaration alone cannot refuse.
    init(_ arguments: ParsedArguments) throws(Failure)

    func run(in surroundings: Surroundings) throws
}

/// Every command, in the order of the help.
package enum CommandList {
    static var all: [any Command.Type] {
        [
            InfoCommand.self, CheckCommand.self, DoctorCommand.self, QueryCommand.self,
            EncryptCommand.self, DecryptCommand.self, CopyCommand.self, SalvageCommand.self,
            RotateKeyCommand.self,
            KeygenCommand.self, CompletionsCommand.self, HelpCommand.self,
        ]
    }

    package static var syntaxes: [CommandSyntax] { all.map { $0.syntax } }
}

extension Option {
    static let json = Option.flag("json", help: "write the result, and errors, as JSON")
    static let force = Option.flag("force", help: "replace OUT if it is there")
}

extension Operand {
    static let database = Operand("FILE", help: "the encrypted database")
}
