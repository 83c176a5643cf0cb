/// `eval "$(strongroom completions bash)"`
struct BashCompletions {
    let commands: [CommandSyntax]

    var script: String {
        let names = CommandGroup.firstWords(commands).joined(separator: " ")
        let groups = CommandGroup.groups(commands).map { name, words in
            """
                if [ "$command" = \(name) ]; then
                    if [ "$COMP_CWORD" -eq 2 ]; then
                        COMPREPLY=($(compgen -W "\(words.joined(separator: " "))" -- "$word"))
                        return
                    fi
                    command="$command ${COMP_WORDS[2]}"
                fi

            """
        }.joined()
        let cases = commands.map(commandCase).joined()
        return """
            # bash completion for strongroom; load it with: eval "$(strongroom completions bash)"
            _strongroom() {
                local word="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
                COMPREPLY=()
                if [ "$COMP_CWORD" -eq 1 ]; then
                    COMPREPLY=($(compgen -W "\(names) --help --version" -- "$word"))
                    return
                fi
                local command="${COMP_WORDS[1]}"
            \(groups)    case "$command" in
            \(cases)    esac
            }
            complete -o filenames -o bashdefault -F _strongroom strongroom

            """
    }

    private func commandCase(_ command: CommandSyntax) -> String {
        let values = command.allOptions.filter(\.takesValue).map(valueCase).joined()
        let names = command.allOptions.map { "--" + $0.name }.joined(separator: " ")
        let operands = Set(command.operands.map(\.completion))
        return """
                "\(command.name)")
                    case "$previous" in
            \(values)        esac
                    case "$word" in
                        -*) COMPREPLY=($(compgen -W "\(names)" -- "$word")) ;;
                        *) \(operands.map(reply).sorted().joined(separator: "; ")) ;;
                    esac
                    ;;

            """
    }

    private func valueCase(_ option: Option) -> String {
        let names = (["--" + option.name] + (option.short.map { ["-\($0)"] } ?? []))
            .joined(separator: "|")
        return "            \(names)) \(reply(option.completion)); return ;;\n"
    }

    private func reply(_ completion: Completion) -> String {
        switch completion {
        case .nothing: ":"
        // A file name may have spaces.
        case .file: "local IFS=$'\\n'; COMPREPLY+=($(compgen -f -- \"$word\"))"
        case .folder: "local IFS=$'\\n'; COMPREPLY+=($(compgen -d -- \"$word\"))"
        case .variable: "COMPREPLY+=($(compgen -e -- \"$word\"))"
        case .words(let words):
            "COMPREPLY+=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$word\"))"
        }
    }
}
