/// One operand of a command: what stands at a place rather than under a name.
package struct Operand: Sendable, Hashable {
    /// `FILE`, as the help writes it.
    package let name: String
    package let completion: Completion
    package let isOptional: Bool
    /// Whether any number of them may follow; of the last operand only.
    package let isRepeated: Bool
    package let help: String

    package init(
        _ name: String, completion: Completion = .file, isOptional: Bool = false,
        isRepeated: Bool = false, help: String
    ) {
        self.isRepeated = isRepeated
        self.name = name
        self.completion = completion
        self.isOptional = isOptional
        self.help = help
    }

    var usage: String { (isOptional ? "[\(name)]" : name) + (isRepeated ? "..." : "") }
}
