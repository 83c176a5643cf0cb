extension Analyzer {
    /// Reads `@Column(…)` at a property.
    mutating func readColumnArguments(
        _ attribute: Attribute, _ column: inout Column, of property: Property
    ) {
        for argument in attribute.arguments {
            switch argument.label {
            case nil: readName(argument, &column)
            case "as": readRepresentation(argument, &column)
            case "primaryKey": column.isPrimaryKey = isTrue(argument)
            case "generated": readGenerated(argument, &column, of: property)
            case "lazyInitializable": readLazy(argument, attribute, &column)
            case "merge": column.policies.append("merge: \(argument.value.text)")
            case "owner":
                if isTrue(argument) { column.policies.append("owner: true") }
            case "renamedFrom":
                if let name = literalName(argument.value) {
                    column.policies.append("renamedFrom: \(swiftLiteral(name))")
                }
            default: break
            }
        }
    }

    /// The macro sees the text alone, not what a constant is.
    private mutating func isTrue(_ argument: Argument) -> Bool {
        if case .boolean(let value) = argument.value.kind { return value }
        report(
            "'\(argument.label ?? "")' takes 'true' or 'false', written as a literal",
            at: argument.value.range)
        return false
    }

    mutating func readName(_ argument: Argument, _ column: inout Column) {
        guard let name = literalName(argument.value) else { return }
        column.name = name
        column.isNamed = true
    }

    mutating func readRepresentation(_ argument: Argument, _ column: inout Column) {
        guard case .type(let type) = argument.value.kind else {
            return report("'as:' takes a type, written 'X.self'", at: argument.value.range)
        }
        column.representation = type
    }

    private mutating func readGenerated(
        _ argument: Argument, _ column: inout Column, of property: Property
    ) {
        column.isGenerated = true
        guard !property.isLet else { return }
        report(
            "the database computes this column: declare it with 'let'", at: property.keyword,
            fixIts: [FixIt("Change to 'let'", replacing: property.keyword, with: "let")])
    }

    private mutating func readLazy(
        _ argument: Argument, _ attribute: Attribute, _ column: inout Column
    ) {
        guard isTrue(argument) else { return }
        guard column.isOptional else {
            column.isLazy = true
            return
        }
        report(
            "'lazyInitializable' changes nothing at an optional column", as: .warning,
            at: argument.range,
            fixIts: [
                Self.removal(of: "lazyInitializable", from: attribute, "lazyInitializable: true")
            ])
    }
}
