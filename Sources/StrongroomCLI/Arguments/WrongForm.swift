/// The right form of what people type first, because other programs have it so.
enum WrongForm {
    private static let outputOptions: Set<String> = ["o", "out", "output"]

    /// Names that other programs have for what these commands do.
    private static let otherNames = [
        "rotate": "rotate-key", "rekey": "rotate-key", "change-key": "rotate-key",
        "passwd": "rotate-key", "open": "shell", "sql": "shell", "sqlite": "shell",
        "sqlcipher": "shell", "genkey": "keygen", "key": "keygen", "export": "decrypt",
        "dump": "decrypt", "import": "encrypt", "repair": "salvage", "recover": "salvage",
        "man": "help --man",
    ]

    /// For operands that are too many.
    static func hint(for operands: [String], of syntax: CommandSyntax) -> String? {
        let words = operands.map(ShellWord.text)
        switch syntax.name {
        case "backup create" where operands.count == 2:
            return "strongroom backup create \(words[0]) --to \(words[1])"
        case "query":
            return "put the SQL in quotes: strongroom query \(words[0]) 'SELECT …'"
        default: break
        }
        guard operands.count == syntax.operands.count + 1, operands.last?.hasSuffix(".key") == true,
            syntax.option(named: "key-file") != nil
        else { return nil }
        let line = (["strongroom", syntax.name] + words.dropLast()).joined(separator: " ")
        return "\(line) --key-file \(words[words.count - 1])"
    }

    /// For an option that a command does not have; `value` is what follows it.
    static func hint(
        forOption name: String, _ value: String?, of syntax: CommandSyntax
    ) -> String? {
        guard outputOptions.contains(name),
            let operand = syntax.operands.last, ["PATH", "OUT"].contains(operand.name)
        else { return nil }
        let others = syntax.operands.dropLast().map(\.name)
        let path = value.flatMap { $0.hasPrefix("-") ? nil : ShellWord.text($0) }
        return (["strongroom", syntax.name] + others + [path ?? operand.name])
            .joined(separator: " ")
    }

    /// For a word in place of the command.
    static func hint(
        forCommand name: String, among known: [String], isFile: (String) -> Bool
    ) -> String? {
        if let other = otherNames[name.lowercased()] { return "strongroom \(other)" }
        if known.contains("backup " + name) { return "strongroom backup \(name)" }
        return isFile(name) ? "strongroom info \(ShellWord.text(name))" : nil
    }
}
