/// `strongroom completions fish | source`
struct FishCompletions {
    let commands: [CommandSyntax]

    var script: String {
        var lines = [
            "# fish completion for strongroom; load it with: strongroom completions fish | source",
            "complete -c strongroom -f",
            "complete -c strongroom -n __fish_use_subcommand -s h -l help -d 'show the help'",
            "complete -c strongroom -n __fish_use_subcommand -l version -d 'show the version'",
        ]
        for command in commands where !command.name.contains(" ") {
            lines.append(
                "complete -c strongroom -n __fish_use_subcommand -a \(command.name) "
                    + "-d '\(quoted(command.summary))'")
        }
        for (name, words) in CommandGroup.groups(commands) {
            lines.append(
                "complete -c strongroom -n __fish_use_subcommand -a \(name) "
                    + "-d '\(words.joined(separator: ", "))'")
            lines.append(
                "complete -c strongroom -n '__fish_seen_subcommand_from \(name)' "
                    + "-a '\(words.joined(separator: " "))'")
        }
        for command in commands {
            lines += operandLines(of: command) + command.allOptions.map { line(of: $0, command) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func condition(_ command: CommandSyntax) -> String {
        let seen = command.name.split(separator: " ").map { "__fish_seen_subcommand_from \($0)" }
        return "complete -c strongroom -n '\(seen.joined(separator: "; and "))'"
    }

    private func operandLines(of command: CommandSyntax) -> [String] {
        Set(command.operands.map(\.completion)).compactMap { completion in
            switch completion {
            case .nothing: nil
            case .file, .folder: "\(condition(command)) -F"
            case .variable: nil
            case .words(let words):
                "\(condition(command)) -a '\(words.joined(separator: " "))'"
            }
        }.sorted()
    }

    private func line(of option: Option, _ command: CommandSyntax) -> String {
        let short = option.short.map { " -s \($0)" } ?? ""
        let value =
            switch option.completion {
            case .nothing: option.takesValue ? " -x" : ""
            case .file: " -r -F"
            case .folder: " -x -a '(__fish_complete_directories)'"
            case .variable: " -x -a '(set -nx)'"
            case .words(let words): " -x -a '\(words.joined(separator: " "))'"
            }
        return condition(command) + short + " -l \(option.name)\(value) "
            + "-d '\(quoted(option.help))'"
    }

    private func quoted(_ text: String) -> String {
        text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    }
}
