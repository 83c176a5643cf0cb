/// Finds out what function of SQL a declaration is, and what is wrong with it.
package struct FunctionAnalyzer {
    private let declaration: FunctionDeclaration
    private let attribute: Attribute
    private let type: FunctionType?
    private var findings: [Finding] = []

    /// - Parameter type: What `as:` says where it is the type of a function.
    package static func analyze(
        _ declaration: FunctionDeclaration, attribute: Attribute, type: FunctionType?
    ) -> (description: FunctionDescription?, findings: [Finding]) {
        var analyzer = FunctionAnalyzer(
            declaration: declaration, attribute: attribute, type: type)
        let description = analyzer.describe()
        if description != nil { analyzer.checkIsolation() }
        return (analyzer.findings.isEmpty ? description : nil, analyzer.findings)
    }

    private init(declaration: FunctionDeclaration, attribute: Attribute, type: FunctionType?) {
        self.declaration = declaration
        self.attribute = attribute
        self.type = type
    }

    private mutating func report(_ message: String, at range: SourceSpan) {
        findings.append(Finding(message, at: range))
    }

    private mutating func describe() -> FunctionDescription? {
        switch declaration.kind {
        case .other:
            report(
                "'@DatabaseFunction' belongs on a function, a computed property or a struct",
                at: attribute.range)
            return nil
        case .function, .computedProperty: break
        case .struct: return describeStruct()
        }
        checkSignature(of: declaration)
        let sequence = declaration.parameters.lazy.compactMap(\.sequence).first
        if sequence != nil, declaration.parameters.count > 1 {
            report(
                "a function of a sequence has no other parameter; a tuple takes several values",
                at: declaration.parameters[1].range)
        }
        let arguments =
            sequence.map { elements(of: $0) } ?? declaration.parameters.map { argument($0) }
        let form: FunctionDescription.Form =
            if declaration.kind == .computedProperty {
                .property
            } else if sequence != nil {
                .sequence(label: declaration.parameters[0].label?.text)
            } else {
                .scalar
            }
        return described(as: form, arguments, result: declaration.result)
    }

    private mutating func describeStruct() -> FunctionDescription? {
        func method(_ name: String) -> FunctionDeclaration? {
            declaration.methods.first { $0.name.text == name }
        }
        guard let step = method("step"), let result = method("result") else {
            report(
                "'@DatabaseFunction' needs the methods 'step' and 'result' of a struct",
                at: attribute.range)
            return nil
        }
        if let range = declaration.genericRange {
            report("a function of SQL has no generics", at: range)
        }
        checkSignature(of: step)
        let inverse = method("inverse")
        let value = method("value")
        if let lonely = inverse ?? value, inverse == nil || value == nil {
            report("a window function has both 'inverse' and 'value'", at: lonely.name.range)
        }
        if let inverse {
            checkSignature(of: inverse)
            if inverse.parameters.map(\.type.text) != step.parameters.map(\.type.text) {
                report("'inverse' takes the arguments of 'step'", at: inverse.name.range)
            }
        }
        return described(
            as: inverse == nil ? .aggregate : .window, step.parameters.map { argument($0) },
            result: result.result)
    }

    /// Of an isolation that no attribute tells, only the compiler knows (`FunctionExpansion`).
    private mutating func checkIsolation() {
        guard !declaration.isNonisolated else { return }
        let fixIt: FixIt
        if let actor = declaration.attributes.first(where: { $0.name == "MainActor" }) {
            fixIt = FixIt(
                "Replace '@MainActor' by 'nonisolated'", replacing: actor.range,
                with: "nonisolated")
        } else if declaration.isInActorType, declaration.kind != .struct {
            fixIt = FixIt(
                "Add 'nonisolated'", replacing: attribute.range.ending, with: " nonisolated")
        } else {
            return
        }
        findings.append(
            Finding(
                "SQLite calls '\(declaration.name.text)' on any thread: declare it 'nonisolated'",
                at: declaration.name.range, fixIts: [fixIt]))
    }

    private mutating func checkSignature(of function: FunctionDeclaration) {
        if let range = function.asyncRange {
            report("SQL does not wait: an 'async' function cannot be called", at: range)
        }
        if let range = function.genericRange {
            report("a function of SQL has no generics", at: range)
        }
        for parameter in function.parameters {
            if parameter.isVariadic {
                report("a function of SQL has no variadic parameter", at: parameter.range)
            }
            if parameter.isInOut {
                report("a function of SQL has no 'inout' parameter", at: parameter.range)
            }
            if parameter.sequence == nil, parameter.type.text.hasPrefix("some ") {
                report(
                    "'some Sequence<X>' is the only parameter that may be generic",
                    at: parameter.range)
            }
        }
    }

    private func argument(
        _ parameter: FunctionDeclaration.Parameter
    ) -> FunctionDescription.Argument {
        FunctionDescription.Argument(
            label: parameter.label?.text, type: parameter.type.text,
            representation: parameter.type.text, defaultValue: parameter.defaultValue?.text)
    }

    private func elements(
        of sequence: [FunctionDeclaration.Element]
    ) -> [FunctionDescription.Argument] {
        sequence.enumerated().map { index, element in
            // The label of the parameter is that of the first value.
            let outer = index == 0 ? declaration.parameters[0].label?.text : nil
            return FunctionDescription.Argument(
                label: element.label ?? outer, type: element.type.text,
                representation: element.type.text)
        }
    }

    private mutating func described(
        as form: FunctionDescription.Form, _ arguments: [FunctionDescription.Argument],
        result: SourceText?
    ) -> FunctionDescription {
        let isVoid = ["Void", "()", "Swift.Void"].contains(result?.text ?? "()")
        var description = FunctionDescription(
            form: form, name: declaration.name.text, sqlName: declaration.name.text,
            declaration: declaration, arguments: arguments, result: isVoid ? nil : result?.text)
        for argument in attribute.arguments { read(argument, &description) }
        let parameters = description.method("step")?.parameters ?? declaration.parameters
        for (index, argument) in description.arguments.enumerated()
        where TypeText.isNoColumn(argument.representation) {
            report(
                "'\(argument.representation)' cannot be an argument of a function of SQL",
                at: parameters[min(index, parameters.count - 1)].range)
        }
        return description
    }

    private mutating func read(_ argument: Argument, _ description: inout FunctionDescription) {
        switch argument.label {
        case nil:
            if argument.value.kind == .nil { return }
            guard case .string(let name) = argument.value.kind, !name.isEmpty else {
                return report(
                    "a name is written as a string literal and is not empty",
                    at: argument.value.range)
            }
            description.sqlName = name
        case "isDeterministic": description.isDeterministic = flag(argument)
        case "isDirectOnly": description.isDirectOnly = flag(argument)
        case "as": readRepresentations(argument, &description)
        default: break
        }
    }

    private mutating func flag(_ argument: Argument) -> Bool {
        if case .boolean(let value) = argument.value.kind { return value }
        report("a flag is written as 'true' or 'false'", at: argument.value.range)
        return false
    }

    private mutating func readRepresentations(
        _ argument: Argument, _ description: inout FunctionDescription
    ) {
        if argument.value.kind == .nil { return }
        if case .property = description.form {
            guard case .type(let type) = argument.value.kind else {
                return report("'as:' takes a type, written 'X.self'", at: argument.value.range)
            }
            description.result = type
            return
        }
        guard let type else {
            return report(
                "'as:' takes the type of a function, written '((A) -> B).self'",
                at: argument.value.range)
        }
        guard type.parameters.count == description.arguments.count else {
            return report(
                "'as:' has \(type.parameters.count) arguments, and the function "
                    + "\(description.arguments.count)", at: type.range)
        }
        for index in description.arguments.indices {
            description.arguments[index].representation = type.parameters[index]
        }
        if description.result != nil { description.result = type.result }
    }
}
