/// The words of a command line, sorted by what they were declared to be.
package struct ParsedArguments: Sendable {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]

    package init() {}

    mutating func append(operand: String) {
        operands.append(operand)
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
