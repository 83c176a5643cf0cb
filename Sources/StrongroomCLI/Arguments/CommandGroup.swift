/// Commands of two words, for those who complete one word after the other.
enum CommandGroup {
    /// What may follow the program's name.
    static func firstWords(_ commands: [CommandSyntax]) -> [String] {
        var words: [String] = []
        for command in commands {
            let word = String(command.name.prefix { $0 != " " })
            if !words.contains(word) { words.append(word) }
        }
        return words
    }

    /// The words that have another one behind them, and these.
    static func groups(_ commands: [CommandSyntax]) -> [(name: String, words: [String])] {
        firstWords(commands).compactMap { name in
            let words = commands.filter { $0.name.hasPrefix(name + " ") }
                .map { String($0.name.dropFirst(name.count + 1)) }
            return words.isEmpty ? nil : (name, words)
        }
    }
}
