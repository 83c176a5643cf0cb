/// The text that `@DatabaseFunction` generates: a type by which queries call the function, and a
/// value of it.
package struct FunctionExpansion {
    private static let runtime = Expansion.runtime

    let function: FunctionDescription
    /// The name of the generated type.
    let type: String
    let access: String

    private init(_ function: FunctionDescription, type: String) {
        self.function = function
        self.type = type
        access = function.declaration.access.modifier
    }

    /// - Parameter type: A name that nothing else has.
    /// - Returns: The declarations of the type and of the value.
    package static func text(of function: FunctionDescription, type: String) -> [String] {
        let expansion = FunctionExpansion(function, type: type)
        return [expansion.declaration, expansion.value].map { $0.joined(separator: "\n") }
    }

    private var peerAccess: String { function.declaration.access.peerModifier }

    private var availability: [String] {
        function.declaration.attributes.filter { $0.name == "available" }.map(\.source.text)
    }

    private func named(_ name: String) -> String { "\(Self.runtime).\(name)" }

    private var resultType: String { function.result ?? named("NoValue") }

    // MARK: - The type

    private var declaration: [String] {
        let protocols =
            isProperty
            ? "\(named("TypedFunction")), \(named("QueryExpression"))" : named("TypedFunction")
        let call = isProperty ? propertyCall : calls
        return availability + ["nonisolated \(peerAccess)struct \(type): \(protocols) {"]
            + ["let _body: \(bodyType)", traits].map { "    " + $0 }
            + (databaseFunction + call).map { "    " + $0 } + ["}"]
    }

    private var isProperty: Bool {
        if case .property = function.form { true } else { false }
    }

    private var traits: String {
        var arguments = [swiftLiteral(function.sqlName)]
        if function.isDeterministic { arguments.append("isDeterministic: true") }
        if function.isDirectOnly { arguments.append("isDirectOnly: true") }
        let type = named("FunctionTraits")
        return "private var _traits: \(type) { \(type)(\(arguments.joined(separator: ", "))) }"
    }

    private var bodyType: String {
        switch function.form {
        case .scalar, .property: named("FunctionBody")
        case .sequence: named("AggregateBody<[\(element)]>")
        case .aggregate: named("AggregateBody<\(function.declaration.written)>")
        case .window: named("WindowBody<\(function.declaration.written)>")
        }
    }

    /// The type of one value of a sequence.
    private var element: String {
        let parts = function.declaration.parameters.first?.sequence ?? []
        guard parts.count > 1 else { return parts.first?.type.text ?? "" }
        let list = parts.map { part in (part.label.map { $0 + ": " } ?? "") + part.type.text }
        return "(\(list.joined(separator: ", ")))"
    }

    private var databaseFunction: [String] {
        let maker =
            switch function.form {
            case .scalar, .property: "_function"
            case .sequence, .aggregate: "_aggregate"
            case .window: "_window"
            }
        let counts = function.arguments.map { named("_columnCount(\($0.representation).self)") }
        return [
            "\(access)var databaseFunction: \(named("DatabaseFunction")) {",
            "    \(named(maker))(",
            "        _traits, argumentCount: \(counts.isEmpty ? "0" : counts.joined(separator: " + ")),",
            "        _body)",
            "}",
        ]
    }

    // MARK: - The value

    private var value: [String] {
        let declaration = function.declaration
        let isStatic = declaration.place == .type ? "static " : ""
        var lines = availability
        lines.append("nonisolated \(peerAccess)\(isStatic)var `$\(function.name)`: \(type) {")
        if declaration.place == .instance {
            let name = swiftLiteral(function.sqlName)
            lines.append("    let _owner = \(named("_owner"))(self, of: \(name))")
        }
        let prefix = declaration.place == .instance ? "return " : ""
        return lines + ["    \(prefix)\(type)("] + body.map { "        " + $0 } + ["    )", "}"]
    }

    private var body: [String] {
        switch function.form {
        case .scalar, .property:
            let isTried =
                function.declaration.throwsErrors || !function.arguments.isEmpty
                || function.declaration.place == .instance
            let called = isProperty ? owner + written : "\(owner)\(written)(\(decoded))"
            let parameter = function.arguments.isEmpty ? "_ in" : "_decoder in"
            return [
                "_body: { \(parameter)",
                "    \(isTried ? "try " : "")\(result(called))\(isolationHint)",
                "}",
            ]
        case .sequence(let label):
            return ["_body: " + sequenceBody(label)[0]] + sequenceBody(label).dropFirst()
        case .aggregate:
            return ["_body: " + aggregateBody[0]] + aggregateBody.dropFirst()
        case .window:
            return ["_body: \(named("WindowBody"))("] + aggregateBody.map { "    " + $0 }
                + [
                    ",",
                    "    inverse: { _state, _decoder in try _state.inverse(\(decoded(by: "inverse"))) },",
                    "    value: { _state in \(method("value")) }",
                    ")",
                ]
        }
    }

    /// In a module of the main actor, the compiler shows this line with its error.
    private var isolationHint: String {
        function.declaration.isNonisolated
            ? "" : "  // declare it 'nonisolated': SQLite calls it on any thread"
    }

    private func sequenceBody(_ label: String?) -> [String] {
        let isTried =
            function.declaration.throwsErrors || function.declaration.place == .instance
        let called = "\(owner)\(written)(\(label.map { $0 + ": " } ?? "")_rows)"
        let parts = function.declaration.parameters.first?.sequence ?? []
        let values = zip(function.arguments, parts).map { argument, part in
            (parts.count > 1 ? part.label.map { $0 + ": " } ?? "" : "") + decoding(argument)
        }
        let row = values.joined(separator: ", ")
        return [
            "\(named("AggregateBody"))(",
            "    start: { [] },",
            "    step: { _rows, _decoder in",
            "        try _rows.append(\(parts.count > 1 ? "(\(row))" : row))",
            "    },",
            "    result: { _rows in \(isTried ? "try " : "")\(result(called)) }\(isolationHint)",
            ")",
        ]
    }

    private var aggregateBody: [String] {
        [
            "\(named("AggregateBody"))(",
            "    start: { \(function.declaration.written)() },",
            "    step: { _state, _decoder in try _state.step(\(decoded(by: "step"))) },"
                + isolationHint,
            "    result: { _state in \(method("result")) }",
            ")",
        ]
    }

    /// The call of a method without parameters of an aggregate's type.
    private func method(_ name: String) -> String {
        let isTried = function.method(name)?.throwsErrors == true
        return (isTried ? "try " : "") + result("_state.\(name)()")
    }

    private func result(_ value: String) -> String {
        "\(named("_result"))(\(value), as: \(resultType).self)"
    }

    private var owner: String {
        function.declaration.place == .instance ? "_owner()." : ""
    }

    private var written: String { function.declaration.written }

    /// The arguments of the Swift function, read one after the other.
    private var decoded: String {
        function.arguments.map { ($0.label.map { $0 + ": " } ?? "") + decoding($0) }
            .joined(separator: ", ")
    }

    private func decoded(by method: String) -> String {
        let parameters = function.method(method)?.parameters ?? []
        return zip(parameters, function.arguments).map { parameter, argument in
            (parameter.label.map { $0.text + ": " } ?? "") + decoding(argument)
        }.joined(separator: ", ")
    }

    private func decoding(_ argument: FunctionDescription.Argument) -> String {
        "_decoder.argument(\(argument.representation).self)"
    }
}
