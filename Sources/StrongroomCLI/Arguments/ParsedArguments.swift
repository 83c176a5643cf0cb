/// The words of a command line, sorted by what they were declared to be.
package struct ParsedArguments: Sendable {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]

    package init() {}

    mutating func append(operand: String) {
        operands.append(operand)
    }

    /// Puts a path in place of each word that names a file, and that SQLite would take for something else.
    mutating func namePaths(operands isPath: (Int) -> Bool, options: [Option]) {
        for place in operands.indices where isPath(place) {
            operands[place] = Self.path(operands[place])
        }
        for option in options { values[option.name] = values[option.name]?.map(Self.path) }
    }

    /// `:memory:` and URIs are names of files like all others.
    private static func path(_ word: String) -> String {
        word == ":memory:" || word.hasPrefix("file:") ? "./" + word : word
    }

    /// Records an option; a flag has the value "".
    mutating func append(_ value: String, for option: Option) {
        values[option.name, default: []].append(value)
    }

    package func contains(_ option: Option) -> Bool { values[option.name] != nil }

    package func value(_ option: Option) -> String? { values[option.name]?.last }

    package func values(_ option: Option) -> [String] { values[option.name] ?? [] }

    /// The operand at `index`, or nil where an optional one was left out.
    package func operand(_ index: Int) -> String? {
        operands.indices.contains(index) ? operands[index] : nil
    }
}
