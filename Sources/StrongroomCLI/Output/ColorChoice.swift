/// Whether colours are used; each stands beside a word that says the same.
package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never

    /// What `--color` says on a command line, before it is parsed: errors of parsing have colours too.
    init(in words: [String]) {
        let words = words.prefix { $0 != "--" }
        let attached = words.last { $0.hasPrefix("--color=") }?.dropFirst("--color=".count)
        let separate = words.lastIndex(of: "--color").flatMap { index in
            words.indices.contains(index + 1) ? words[index + 1] : nil
        }
        self = (attached.map(String.init) ?? separate).flatMap(Self.init(rawValue:)) ?? .auto
    }

    /// - Parameter variable: Looks up an environment variable: `NO_COLOR` (<https://no-color.org>), `TERM`.
    func isOn(onTerminal: Bool, variable: (String) -> String?) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            onTerminal && (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
        }
    }
}

/// What a colour means.
package enum TextColor: String, Sendable {
    case bad = "31"
    case good = "32"
    case doubtful = "33"
    case advice = "36"

    /// The text between the sequences of ECMA-48 that terminals know.
    func paint(_ text: String, if isOn: Bool) -> String {
        isOn ? "\u{1B}[1;\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
