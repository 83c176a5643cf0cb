/// The check whether a type can be a column.
///
/// A macro sees no types. `@Table` therefore adds an attribute to each property, and the overloads
/// of a function in it decide which macro the attribute is. That macro reports at the property.
package enum ColumnCheck {
    /// The answer of the compiler, where it is not that all is well.
    package enum Verdict: Sendable {
        case unstorable, codable, rawValue, codableRawValue, namedGroup, generatedGroup
    }

    /// Types that are columns wherever nobody declares another type of the same name.
    private static let known: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        "Bool", "String", "Double", "Float", "Date", "UUID", "Data",
    ]

    // MARK: - The attributes

    package static func attributes(for property: Property) -> [String] {
        guard !property.isStatic, !property.isLazy, property.bindings.count == 1,
            let binding = property.bindings.first, let name = binding.name, !binding.isComputed,
            property.attributes.allSatisfy({ Analyzer.isKnown($0) && $0.name != "Ephemeral" }),
            !(property.isLet && binding.value != nil)
        else { return [] }
        let column = property.attribute("Column", "Columns")
        guard column?.argument("as") == nil else { return [] }
        guard let type = binding.type?.text else {
            return binding.value.flatMap(question).map { [attribute(name, $0)] } ?? []
        }
        guard isAskedAbout(type) else { return [] }
        let base = TypeText.base(type)
        var questions = ["check((\(base)).self)"]
        if column?.argument(nil) != nil || column?.argument("renamedFrom") != nil {
            questions.append("check(named: (\(base)).self)")
        }
        if column?.argument("generated") != nil {
            questions.append("check(generated: (\(base)).self)")
        }
        return questions.map { attribute(name, $0) }
    }

    /// - Parameter names: Those of all cases of the enum.
    package static func attributes(for cases: [EnumCase], of names: [String]) -> [String] {
        cases.compactMap { enumCase in
            guard enumCase.values.count == 1, let type = enumCase.values.first?.type.text,
                isAskedAbout(type), enumCase.attribute("Column")?.argument("as") == nil
            else { return nil }
            let base = TypeText.base(type)
            let asked = TypeText.names(base, oneOf: names) ? TypeText.asArgument(base) : "(\(base))"
            return attribute(enumCase.name, "check(\(asked).self)")
        }
    }

    private static func isAskedAbout(_ type: String) -> Bool {
        !known.contains(TypeText.base(type)) && !type.hasPrefix("some ")
    }

    /// A literal is a column; a closure would be type-checked twice.
    private static func question(about value: Expression) -> String? {
        guard Analyzer.literalType(value) == nil, value.kind != .nil, !value.text.contains("{")
        else { return nil }
        return "check(of: \(value.text))"
    }

    private static func attribute(_ name: SourceText, _ question: String) -> String {
        "@StrongroomTables._ColumnCheck(\(swiftLiteral(name.text)), "
            + "\(Expansion.runtime)._\(question))"
    }

    // MARK: - The findings

    package static func finding(_ verdict: Verdict, at property: Property) -> Finding? {
        guard let binding = property.bindings.first, let name = binding.name else { return nil }
        let column = property.attribute("Column", "Columns")
        switch verdict {
        case .namedGroup:
            let argument = column?.argument(nil) ?? column?.argument("renamedFrom")
            let range = argument?.value.range ?? name.range
            return Finding("a group has no name of its own", at: range)
        case .generatedGroup:
            let range = column?.argument("generated")?.range ?? name.range
            return Finding("a group cannot be generated", at: range)
        default:
            let type = binding.type.map { TypeText.base($0.text) }
            var fixIts = representations(of: type, verdict).map {
                representation($0, column, at: property.range)
            }
            fixIts.append(Analyzer.ephemeral(property))
            return unstorable(
                type ?? binding.value?.text ?? name.text, type == nil ? .unstorable : verdict,
                at: name.range, fixIts)
        }
    }

    /// - parameter declaration: the place of `case`, from its attributes on.
    package static func finding(
        _ verdict: Verdict, at enumCase: EnumCase, isAlone: Bool, declaration: SourceSpan
    ) -> Finding? {
        guard let type = enumCase.values.first?.type else { return nil }
        let base = TypeText.base(type.text)
        // The attribute of a declaration is for all cases in it.
        let fixIts = representations(of: base, verdict).map {
            representation($0, enumCase.attribute("Column"), at: declaration)
        }
        return unstorable(base, verdict, at: type.range, isAlone ? fixIts : [])
    }

    private static func unstorable(
        _ type: String, _ verdict: Verdict, at range: SourceSpan, _ fixIts: [FixIt]
    ) -> Finding {
        let hasRawValue = verdict == .rawValue || verdict == .codableRawValue
        return Finding(
            "'\(type)' cannot be stored in a column"
                + (hasRawValue ? "; make it 'QueryBindable'" : ""), at: range, fixIts: fixIts)
    }

    private static func representations(of type: String?, _ verdict: Verdict) -> [String] {
        guard let type else { return ["<#Representation.self#>"] }
        var names: [String] = []
        if verdict == .rawValue || verdict == .codableRawValue { names.append("Raw") }
        if verdict == .codable || verdict == .codableRawValue { names += ["JSON", "JSONB"] }
        return names.map { "\(type).\($0)Representation.self" } + ["<#Representation.self#>"]
    }

    private static func representation(
        _ text: String, _ column: Attribute?, at declaration: SourceSpan
    ) -> FixIt {
        guard let column, let first = column.arguments.first else {
            let range = column?.range ?? declaration.beginning
            return FixIt(
                "Add '@Column(as: \(text))'", replacing: range,
                with: "@Column(as: \(text))" + (column == nil ? " " : ""))
        }
        let message = "Add 'as: \(text)'"
        guard first.label == nil else {
            return FixIt(message, replacing: first.range.beginning, with: "as: \(text), ")
        }
        return FixIt(message, replacing: first.value.range.ending, with: ", as: \(text)")
    }
}
