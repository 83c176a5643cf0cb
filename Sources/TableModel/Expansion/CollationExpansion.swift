/// The text that `@DatabaseCollation` generates: a value for connections and queries.
package enum CollationExpansion {
    /// - Returns: The declaration of the value, unless there are findings.
    package static func expand(
        _ function: FunctionDeclaration, attribute: Attribute
    ) -> (text: String?, findings: [Finding]) {
        var findings: [Finding] = []
        let isFit =
            function.kind == .function && function.parameters.count == 2
            && function.place != .instance && !function.throwsErrors
            && function.asyncRange == nil && function.genericRange == nil
        if !isFit {
            findings.append(
                Finding(
                    "'@DatabaseCollation' belongs on a free or static function that compares two "
                        + "texts", at: attribute.range))
        }
        var name = function.name.text
        if let argument = attribute.argument(nil), argument.value.kind != .nil {
            if case .string(let literal) = argument.value.kind, !literal.isEmpty {
                name = literal
            } else {
                findings.append(
                    Finding(
                        "a name is written as a string literal and is not empty",
                        at: argument.value.range))
            }
        }
        return (findings.isEmpty ? text(of: function, name: name) : nil, findings)
    }

    private static func text(of function: FunctionDeclaration, name: String) -> String {
        let type = "\(Expansion.runtime).DatabaseCollation"
        let isStatic = function.place == .type ? "static " : ""
        let labels = function.parameters.map { ($0.label.map { $0.text + ": " } ?? "") }
        let head = "nonisolated \(function.access.peerModifier)\(isStatic)"
        let lines = [
            "\(head)var `$\(function.name.text)`: \(type) {",
            "    \(type)(\(swiftLiteral(name)), function: {",
            "        \(function.written)(\(labels[0])$0, \(labels[1])$1)",
            "    })",
            "}",
        ]
        let availability = function.attributes.filter { $0.name == "available" }
        return (availability.map(\.source.text) + lines).joined(separator: "\n")
    }
}
