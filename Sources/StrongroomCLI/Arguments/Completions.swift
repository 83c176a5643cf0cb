/// The shells that completions can be written for.
package enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// A script for the shell, generated from the declarations of the commands.
    package func completions(for commands: [CommandSyntax]) -> String {
        switch self {
        case .bash: BashCompletions(commands: commands).script
        case .zsh: ZshCompletions(commands: commands).script
        case .fish: FishCompletions(commands: commands).script
        }
    }
}
