extension Analyzer {
    /// Attributes at a property that are not property wrappers.
    private static let known: Set<String> = [
        "Column", "Columns", "Ephemeral", "available", "preconcurrency", "MainActor",
        "usableFromInline",
        "nonobjc", "objc", "inlinable", "unsafe", "safe", "_documentation",
    ]

    /// Whether the attribute says something of a column, or nothing.
    static func isKnown(_ attribute: Attribute) -> Bool { known.contains(attribute.name) }

    mutating func describeProperties(_ description: inout TableDescription) {
        for property in declaration.properties where !property.isStatic {
            guard let binding = storedBinding(of: property), let name = binding.name else {
                continue
            }
            if let ephemeral = property.attribute("Ephemeral") {
                describeEphemeral(name, binding, ephemeral, &description)
                continue
            }
            guard isColumn(property, named: name, binding) else { continue }
            if let column = column(of: property, named: name, binding) {
                description.columns.append(column)
            }
        }
        let marked = description.columns.contains(where: \.isPrimaryKey)
        guard !marked, role == .table else { return }
        for index in description.columns.indices where description.columns[index].property == "id" {
            description.columns[index].isPrimaryKey = !isDeniedKey("id")
        }
    }

    /// Whether `@Column(primaryKey: false)` stands at the property.
    private func isDeniedKey(_ name: String) -> Bool {
        declaration.properties.contains { property in
            property.bindings.contains { $0.name?.text == name }
                && property.attribute("Column", "Columns")?.argument("primaryKey")?.value.kind
                    == .boolean(false)
        }
    }

    /// The one binding of a stored property; nil for computed properties and, with a finding, for
    /// several in one declaration.
    private mutating func storedBinding(of property: Property) -> Property.Binding? {
        if property.bindings.count == 1, let only = property.bindings.first {
            if only.isComputed { return nil }
            if only.name != nil { return only }
        }
        let isSplittable = property.bindings.allSatisfy { $0.name != nil }
        report(
            "one property per declaration", at: property.bindings.first?.range ?? property.range,
            fixIts: isSplittable ? [Self.split(property)] : [])
        return nil
    }

    private static func split(_ property: Property) -> FixIt {
        let keyword = property.isLet ? "let" : "var"
        let sharedType = property.bindings.last?.type?.text
        let lines = property.bindings.map { binding in
            var line = property.prefix + keyword + " " + Keywords.escaped(binding.name?.text ?? "_")
            let type = binding.type?.text ?? (binding.value == nil ? sharedType : nil)
            if let type { line += ": \(type)" }
            if let value = binding.value { line += " = \(value.text)" }
            return line
        }
        return FixIt(
            "Split the declaration", replacing: property.range, with: lines.joined(separator: "\n"))
    }

    private mutating func describeEphemeral(
        _ name: SourceText, _ binding: Property.Binding, _ attribute: Attribute,
        _ description: inout TableDescription
    ) {
        let isNilByItself = binding.type.map { TypeText.isOptional($0.text) } ?? false
        guard binding.value != nil || isNilByItself else {
            report(
                "'@Ephemeral' needs a default for '\(name.text)', which no query gives",
                at: name.range)
            return
        }
        var column = Column(
            property: name.text, name: name.text, type: binding.type?.text, range: name.range)
        column.defaultValue = binding.value?.text
        description.ephemerals.append(column)
    }

    /// Whether the property can be a column; says why where it cannot.
    private mutating func isColumn(
        _ property: Property, named name: SourceText, _ binding: Property.Binding
    ) -> Bool {
        if property.isLazy {
            report(
                "'\(name.text)' is lazy and cannot be a column", at: name.range,
                fixIts: [Self.ephemeral(property)])
            return false
        }
        if let wrapper = property.attributes.first(where: { !Self.isKnown($0) }) {
            report(
                "'\(name.text)' has the property wrapper '@\(wrapper.name)' and cannot be a column",
                at: wrapper.range, fixIts: [Self.ephemeral(property)])
            return false
        }
        guard property.isLet, let value = binding.value else { return true }
        report(
            "a 'let' with a value cannot be read from the database", at: value.range,
            fixIts: [
                FixIt("Change to 'var'", replacing: property.keyword, with: "var"),
                Self.ephemeral(property),
            ])
        return false
    }

    static func ephemeral(_ property: Property) -> FixIt {
        FixIt("Add '@Ephemeral'", replacing: property.range.beginning, with: "@Ephemeral ")
    }

    private mutating func column(
        of property: Property, named name: SourceText, _ binding: Property.Binding
    ) -> Column? {
        var column = Column(
            property: name.text, name: name.text,
            type: binding.type?.text ?? binding.value.flatMap(guessedType), range: name.range)
        column.defaultValue = binding.value?.text
        column.isInferred = binding.type == nil
        column.isLiteral =
            binding.value.flatMap(Self.literalType).map { literal in
                [literal, String(literal.dropFirst(6))].contains(column.type)
            } ?? false
        column.isLet = property.isLet
        column.availability = property.attributes.filter { $0.name == "available" }
            .map(\.source.text)
        let attribute = property.attribute("Column", "Columns")
        if let attribute { readColumnArguments(attribute, &column, of: property) }
        if attribute?.argument("lazyInitializable") == nil, lazyByDefault {
            column.isLazy = !column.isOptional && binding.value == nil && !column.isGenerated
        }
        reportUnknownType(column, binding)
        return column.type == nil ? nil : column
    }

    private var lazyByDefault: Bool {
        attribute.argument("lazyColumns")?.value.kind == .implicitMember("withoutDefault")
    }

    /// Where the type is not written, the generated code cannot name it: a literal tells it, and so
    /// do `Date()` and `Color.red`. A public type has no guesses in its interface.
    private mutating func reportUnknownType(_ column: Column, _ binding: Property.Binding) {
        guard binding.type == nil, let value = binding.value else {
            if binding.type == nil { reportMissingType(column) }
            return
        }
        let isCertain = Self.literalType(value) != nil
        guard column.type == nil || (declaration.access >= .package && !isCertain) else { return }
        reportMissingType(column)
    }

    private mutating func reportMissingType(_ column: Column) {
        report(
            "write the type of '\(column.property)'", at: column.range,
            fixIts: [FixIt("Add a type", replacing: column.range.ending, with: ": <#Type#>")])
    }

    /// The type that a default without annotation has.
    private func guessedType(_ value: Expression) -> String? {
        Self.literalType(value) ?? DefaultExpression.type(value.text) ?? staticType(value.text)
    }

    /// The type of `Self.x`, where the declaration says it.
    private func staticType(_ text: String) -> String? {
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count == 2, names[0] == "Self" || names[0] == declaration.name.text else {
            return nil
        }
        let binding = declaration.properties.lazy.filter(\.isStatic).flatMap(\.bindings)
            .first { $0.name?.text == names[1] }
        return binding?.type?.text
            ?? binding?.value.flatMap { Self.literalType($0) ?? DefaultExpression.type($0.text) }
    }

    /// The type that a literal has by itself.
    static func literalType(_ value: Expression) -> String? {
        switch value.kind {
        case .string, .interpolatedString: "Swift.String"
        case .integer: "Swift.Int"
        case .float: "Swift.Double"
        case .boolean: "Swift.Bool"
        default: nil
        }
    }
}
