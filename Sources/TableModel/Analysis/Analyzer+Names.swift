extension Analyzer {
    /// The name of the table and its schema.
    mutating func describeNames(_ description: inout TableDescription) {
        let type = description.typeName
        var isSingular = false
        if let naming = attribute.argument("naming") {
            isSingular = naming.value.kind == .implicitMember("singular")
        }
        let byRule = isSingular ? TableName.singular(ofType: type) : TableName.plural(ofType: type)
        description.tableName = byRule
        if let own = declaredName() {
            description.tableName = own
        }
        if let argument = attribute.arguments.first(where: { $0.label == nil }),
            argument.value.kind != .implicitMember("view"),
            let name = literalName(argument.value)
        {
            description.tableName = name
        }
        if let argument = attribute.argument("schema") {
            description.schemaName = literalName(argument.value)
        }
    }

    /// The literal of `static let databaseTableName = "x"` or `static let tableName = "x"`.
    private func declaredName() -> String? {
        for property in declaration.properties where property.isStatic {
            for binding in property.bindings {
                guard let name = binding.name?.text, case .string(let text)? = binding.value?.kind,
                    name == "databaseTableName" || name == "tableName"
                else { continue }
                return text
            }
        }
        return nil
    }

    /// A default scope starts from the type itself, and has no joins: another query would not be the
    /// one that the type's queries start from.
    mutating func reportForeignScope() {
        guard role == .table else { return }
        for binding in declaration.properties.lazy.filter(\.isStatic).flatMap(\.bindings) {
            guard binding.name?.text == "all", let value = binding.value, binding.type == nil else {
                continue
            }
            let first = value.text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            let own = ["Self", "Where", "Select", declaration.name.text]
            if first.first?.isUppercase == true, !own.contains(String(first)) {
                report(
                    "the default scope of '\(declaration.name.text)' is a query on 'Self'",
                    at: value.range)
            } else if value.text.contains(/\.(left|right|full|cross)?[jJ]oin\(/) {
                report("a default scope has no joins", at: value.range)
            }
        }
    }

    /// The text of a literal that is a name; nil, with a finding, for anything else.
    mutating func literalName(_ value: Expression) -> String? {
        if case .string(let name) = value.kind, !name.isEmpty { return name }
        report("a name is written as a string literal and is not empty", at: value.range)
        return nil
    }

    /// What the other arguments of the macro say.
    mutating func describeOptions(_ description: inout TableDescription) {
        description.isView = attribute.arguments.contains {
            $0.label == nil && $0.value.kind == .implicitMember("view")
        }
        description.hasNoRowID = attribute.argument("withoutRowID")?.value.kind == .boolean(true)
        if let argument = attribute.argument("onConflictingDelete") {
            description.policies.append("onConflictingDelete: \(argument.value.text)")
        }
        if let argument = attribute.argument("renamedFrom"),
            let name = literalName(argument.value)
        {
            description.policies.append("renamedFrom: \(swiftLiteral(name))")
        }
        let isCodable = declaration.names("Codable", "Encodable", "Decodable")
        let asksForCoding =
            attribute.argument("coding")?.value.kind == .implicitMember("columns")
        description.codesColumns = isCodable && (asksForCoding || role == .selection)
        description.decodesColumns = declaration.names("Codable", "Decodable")
        description.encodesColumns = declaration.names("Codable", "Encodable")
        description.isSendable = declaration.names("Sendable")
        description.inherited = declaration.inheritedTypes.map(\.text)
        description.ownMembers = Set(declaration.ownMembers.keys)
        for property in declaration.properties where property.isStatic {
            description.ownMembers.formUnion(property.bindings.compactMap { $0.name?.text })
        }
        let names = declaration.properties.flatMap(\.bindings).compactMap { $0.name?.text }
        if names.contains("primaryKey") { description.ownMembers.insert("primaryKey") }
        description.nestedTypes = declaration.nestedTypes.map(\.name)
        description.availability = declaration.attributes.filter { $0.name == "available" }
            .map(\.source.text)
    }
}

/// The text as a string literal of Swift.
package func swiftLiteral(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": literal += "\\\""
        case "\\": literal += "\\\\"
        case "\n": literal += "\\n"
        case "\r": literal += "\\r"
        case "\t": literal += "\\t"
        case _ where isUnseen(scalar):
            literal += "\\u{\(String(scalar.value, radix: 16))}"
        default: literal.unicodeScalars.append(scalar)
        }
    }
    return literal + "\""
}

/// Whether a reader of the source would not see a character, or see others in another order.
private func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<32, 0x7F..<0xA0, 0x200B...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
}
