/// Refuses the options under which other programs take a key: every user of the machine can read a
/// running program's command line.
enum KeysOnCommandLine {
    private static let names: Set<String> = [
        "key", "passphrase", "password", "pass", "passwd", "secret", "raw-key", "hexkey", "hex-key",
        "new-key", "new-passphrase", "new-password", "rekey", "key-data", "key-value",
    ]

    private static let sources = ["file", "env", "fd", "command", "ask"]

    /// Whether an option names where the key of a database is, of commands that need one.
    static func isSource(_ name: String) -> Bool {
        sources.contains { name == "key-" + $0 }
    }

    static func refusal(of name: String) -> Failure? {
        names.contains(name.lowercased()) ? refusal(name: "--" + name) : nil
    }

    static func refusal(ofShort name: Character) -> Failure? {
        name == "k" || name == "P" ? refusal(name: "-\(name)") : nil
    }

    private static func refusal(name: String) -> Failure {
        .usage(
            "\(name) is not an option: keys are not taken from the command line, "
                + "which every user of this machine can read",
            hint: "use --key-file PATH, --key-env NAME, --key-fd N or --key-command COMMAND, "
                + "or leave them all out to be asked; change a key that was typed here")
    }
}
