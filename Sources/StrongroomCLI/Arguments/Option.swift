/// One option of a command, as declared once for parsing, help and completions.
package struct Option: Sendable, Hashable {
    /// How often an option may be given.
    package enum Repetition: Sendable { case once, many }

    /// Without dashes: `key-file`.
    package let name: String
    package let short: Character?
    /// What stands for the value in help, `PATH`; nil for a flag, which takes none.
    package let valueName: String?
    package let completion: Completion
    package let repetition: Repetition
    package let help: String

    package static func flag(_ name: String, short: Character? = nil, help: String) -> Option {
        Option(
            name: name, short: short, valueName: nil, completion: .nothing, repetition: .once,
            help: help)
    }

    package static func value(
        _ name: String, short: Character? = nil, _ valueName: String,
        completion: Completion = .nothing, repetition: Repetition = .once, help: String
    ) -> Option {
        Option(
            name: name, short: short, valueName: valueName, completion: completion,
            repetition: repetition, help: help)
    }

    package var takesValue: Bool { valueName != nil }

    /// `--key-file PATH`, `-p, --parameter NAME=VALUE`.
    var usage: String {
        let names = (short.map { "-\($0), " } ?? "") + "--" + name
        return valueName.map { "\(names) \($0)" } ?? names
    }
}

/// What a shell offers for a value.
package enum Completion: Sendable, Hashable {
    case nothing
    case file
    case folder
    /// The name of an environment variable.
    case variable
    case words([String])
}
