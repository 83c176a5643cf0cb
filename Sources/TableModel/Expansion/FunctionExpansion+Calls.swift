/// How queries call the function: with expressions, with values, and without labels.
extension FunctionExpansion {
    private func named(_ name: String) -> String { "\(Expansion.runtime).\(name)" }

    private var resultType: String { function.result ?? named("NoValue") }

    /// A property is an expression itself.
    var propertyCall: [String] {
        [
            "\(access)typealias QueryValue = \(resultType)",
            "\(access)var queryFragment: \(named("QueryFragment")) {",
            "    \(named("_call"))(_traits, as: \(resultType).self).queryFragment",
            "}",
        ]
    }

    var calls: [String] {
        let arguments = function.arguments
        let isScalar: Bool
        if case .scalar = function.form { isScalar = true } else { isScalar = false }
        let all = Set(arguments.indices)
        var lines = call(arguments, values: [])
        if isScalar, !arguments.isEmpty { lines += call(arguments, values: all) }
        if isScalar, arguments.count == 2 {
            lines += call(arguments, values: [0]) + call(arguments, values: [1])
        }
        guard let bare = withoutLabels else { return lines }
        lines += call(bare, values: [], isDisfavored: true)
        if isScalar { lines += call(bare, values: all) }
        return lines
    }

    /// The arguments without labels; the first one that had a label has to be given, so that a call
    /// has one meaning.
    private var withoutLabels: [FunctionDescription.Argument]? {
        guard let first = function.arguments.firstIndex(where: { $0.label != nil }) else {
            return nil
        }
        var arguments = function.arguments
        arguments[first].defaultValue = nil
        for index in arguments.indices { arguments[index].label = nil }
        return arguments
    }

    /// - Parameter values: Which arguments are values of Swift; the others are expressions.
    private func call(
        _ arguments: [FunctionDescription.Argument], values: Set<Int>, isDisfavored: Bool = false
    ) -> [String] {
        let parameters = arguments.enumerated().map { index, argument in
            parameter(argument, index, isValue: values.contains(index))
        }
        let passed = arguments.enumerated().map { index, argument in
            let value =
                values.contains(index)
                ? named("_default(_\(index), as: \(argument.representation).self)") : "_\(index)"
            return named("_argument(\(value))")
        }
        let lines = [
            "\(access)func callAsFunction(\((parameters + clauses).joined(separator: ", ")))",
            "    -> \(named(expression))<\(resultType)>",
            "{",
            "    \(named(caller))(",
            "        \((["_traits"] + passed).joined(separator: ", ")), as: \(resultType).self\(given))",
            "}",
        ]
        return isDisfavored || !values.isEmpty ? ["@_disfavoredOverload"] + lines : lines
    }

    private func parameter(
        _ argument: FunctionDescription.Argument, _ index: Int, isValue: Bool
    ) -> String {
        let head = "\(argument.label ?? "_") _\(index): "
        if isValue {
            return head + argument.type + (argument.defaultValue.map { " = \($0)" } ?? "")
        }
        let stored = argument.representation
        let type =
            TypeText.isOptional(stored)
            ? named("QueryTerm<\(TypeText.base(stored))>") : named("QueryExpression<\(stored)>")
        let value = argument.defaultValue.map { named("_default(\($0), as: \(stored).self)") }
        return head + "some " + type + (value.map { " = \($0)" } ?? "")
    }

    private var isAggregate: Bool {
        switch function.form {
        case .scalar, .property: false
        case .sequence, .aggregate, .window: true
        }
    }

    private var isDistinctPossible: Bool { isAggregate && function.arguments.count == 1 }

    /// The parameters of aggregates that are no arguments.
    private var clauses: [String] {
        guard isAggregate else { return [] }
        let distinct = named("DistinctFlag<\(function.arguments.first?.representation ?? "")>")
        return (isDistinctPossible ? ["distinct: \(distinct) = .all"] : []) + [
            "order: (any \(named("OrderingExpression")))? = nil",
            "filter: (any \(named("QueryExpression")))? = nil",
        ]
    }

    private var given: String {
        guard isAggregate else { return "" }
        let distinct = isDistinctPossible ? "distinct: distinct, " : ""
        return ",\n        \(named("AggregateClauses"))(\(distinct)order: order, filter: filter)"
    }

    private var expression: String {
        switch function.form {
        case .scalar, .property: "SQLQueryExpression"
        case .sequence, .aggregate: "OwnAggregateExpression"
        case .window: "AggregateExpression"
        }
    }

    private var caller: String {
        switch function.form {
        case .scalar, .property: "_call"
        case .sequence, .aggregate: "_aggregateCall"
        case .window: "_windowCall"
        }
    }
}
