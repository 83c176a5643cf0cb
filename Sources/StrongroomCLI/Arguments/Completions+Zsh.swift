/// `source <(strongroom completions zsh)`
struct ZshCompletions {
    let commands: [CommandSyntax]

    var script: String {
        let single = commands.filter { !$0.name.contains(" ") }
            .map { "        '\($0.name):\(quoted($0.summary))'\n" }
        let groups = CommandGroup.groups(commands)
        let list =
            (single + groups.map { "        '\($0.name):\($0.words.joined(separator: ", "))'\n" })
            .joined()
        let choices = groups.map { name, words in
            """
                if [[ $command == \(name) ]]; then
                    if (( CURRENT == 2 )); then
                        _values command \(words.joined(separator: " "))
                        return
                    fi
                    command="$command $words[2]"
                    words=("${(@)words[2,-1]}")
                    (( CURRENT-- ))
                fi

            """
        }.joined()
        return """
            #compdef strongroom
            # zsh completion for strongroom; load it with: source <(strongroom completions zsh)
            _strongroom() {
                local -a commands=(
            \(list)    )
                if (( CURRENT == 2 )); then
                    _describe command commands
                    _arguments --help --version
                    return
                fi
                local command=$words[2]
                words=("${(@)words[2,-1]}")
                (( CURRENT-- ))
            \(choices)    case $command in
            \(commands.map(commandCase).joined())    esac
            }
            # Autoloaded from a folder of functions, this file is the function's body.
            if [[ $funcstack[1] == _strongroom ]]; then
                _strongroom "$@"
            else
                compdef _strongroom strongroom
            fi

            """
    }

    private func commandCase(_ command: CommandSyntax) -> String {
        let options = command.allOptions.map(optionSpecification)
        let operands = command.operands.enumerated().map { index, operand in
            "'\(operand.isRepeated ? "*" : String(index + 1))\(operand.isOptional ? "::" : ":")\(operand.name)"
                + "\(action(operand.completion))'"
        }
        let specifications = (options + operands).map { "            \($0)" }
        return """
                "\(command.name)") _arguments -s \\
            \(specifications.joined(separator: " \\\n")) ;;

            """
    }

    private func optionSpecification(_ option: Option) -> String {
        let value = option.valueName.map { ":\($0)\(action(option.completion))" } ?? ""
        let often = option.repetition == .many ? "*" : ""
        let long = "--\(option.name)\(option.takesValue ? "=" : "")"
        let tail = "[\(quoted(option.help))]\(value)'"
        guard let short = option.short else { return "'\(often)\(long)\(tail)" }
        let exclusion = option.repetition == .many ? "'*'" : "'(-\(short) --\(option.name))'"
        return "\(exclusion){-\(short),\(long)}'\(tail)"
    }

    private func action(_ completion: Completion) -> String {
        switch completion {
        case .nothing: ": "
        case .file: ":_files"
        case .folder: ":_files -/"
        case .variable: ":_parameters -g \\*export\\*"
        case .words(let words): ":(\(words.joined(separator: " ")))"
        }
    }

    /// Inside single quotes, brackets and a field that a colon ends.
    private func quoted(_ text: String) -> String {
        text.map { character in
            switch character {
            case "'": "'\\''"
            case "[", "]", ":": "\\\(character)"
            default: String(character)
            }
        }.joined()
    }
}
