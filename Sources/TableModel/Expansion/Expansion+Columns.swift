extension Expansion {
    /// The columns as closures see them.
    var columns: [String] {
        let kind =
            table.isEnum
            ? "CaseColumns"
            : table.role == .table && table.key != nil
                ? "PrimaryKeyedColumns" : "TableColumnsProtocol"
        let members = table.columns.map { column in
            let type =
                column.isGenerated
                ? "\(Self.runtime).GeneratedColumn<\(storage(column))>"
                : term(column, isOptional: table.isEnum)
            return member(column, type: type)
        }
        return ["\(access)struct TableColumns: \(Self.runtime).\(kind) {"]
            + indented(columnsHead(type) + members + keyMember(isOptional: false))
            + ["}"]
    }

    /// The columns on the outer side of a join.
    var outerColumns: [String] {
        let members = table.columns.map { column in
            member(column, type: term(column, isOptional: true))
        }
        return ["@dynamicMemberLookup"]
            + ["\(access)struct OuterColumns: \(Self.runtime).OuterColumnsProtocol {"]
            + indented(
                columnsHead(type + "?") + ["\(access)typealias Inner = TableColumns"] + members
                    + keyMember(isOptional: true)) + ["}"]
    }

    private func columnsHead(_ value: String) -> [String] {
        let reference = "\(Self.runtime).TableReference"
        return [
            "\(access)typealias QueryValue = \(value)\(visibilityHint)",
            "\(access)let _table: \(reference)",
            "\(access)init(_ table: \(reference), _ name: Swift.String) { self._table = table }",
        ]
    }

    private func member(_ column: Column, type: String) -> String {
        let attributes = column.availability.map { $0 + " " }.joined()
        let name = swiftLiteral(column.name)
        return "\(attributes)\(access)var \(column.escaped): \(type) { .init(_table, \(name)) }"
    }

    /// Whether the compiler knows nothing of a type but that its values are columns.
    private func isParameter(_ stored: String) -> Bool {
        table.genericParameters.contains(TypeText.base(stored))
    }

    /// The type of a column, or of a group of columns: values of a parameter are one column.
    private func term(_ column: Column, isOptional: Bool) -> String {
        let stored = storage(column)
        if isParameter(stored) {
            return "\(Self.runtime).TableColumn<\(isOptional ? TypeText.optional(stored) : stored)>"
        }
        return stored + (isOptional ? ".OptionalColumnTerm" : ".ColumnTerm")
    }

    private func keyMember(isOptional: Bool) -> [String] {
        guard table.role == .table, let key = table.key, key.property != "primaryKey" else {
            return []
        }
        return [
            "\(access)var primaryKey: \(term(key, isOptional: isOptional)) { \(key.escaped) }"
        ]
    }

    /// A row of expressions.
    var selection: [String] {
        let head =
            [
                "\(access)typealias QueryValue = \(type)",
                "\(access)let _resultColumns: [\(Self.runtime).ResultColumn]",
            ]
        return ["\(access)struct Selection: \(Self.runtime).SelectionColumns {"]
            + indented(head + (table.isEnum ? caseMakers : rowMaker)) + ["}"]
    }

    private var rowMaker: [String] {
        let terms = table.columns.enumerated().map { parameter($0.element, number: $0.offset) }
        let names = table.columns.map(\.escaped).joined(separator: ", ")
        let generics = isErased ? [] : terms.compactMap(\.generic)
        let list = generics.map { "\($0.name): \(Self.runtime).QueryTerm" }
        let head = list.isEmpty ? "init(" : "init<\(list.joined(separator: ", "))>("
        let types = generics.map { "\($0.name).TermValue == \($0.value)" }
        let end = types.isEmpty ? ")" : ") where \(types.joined(separator: ", "))"
        return [access + head] + indented(separated(terms.map(\.text)))
            + ["\(end) { self._resultColumns = \(type)._name([\(names)]) }"]
    }

    /// The compiler gives up a signature of more than about 30 generic parameters, and one whose
    /// parameters are bound to generic types, such as `ID<Base>`.
    private var isErased: Bool { table.hasParameters || table.columns.count > 24 }

    /// One parameter of a row of expressions.
    private struct Parameter {
        var text: String
        /// The generic parameter that stands for its type, and the type of its values.
        var generic: (name: String, value: String)?
    }

    /// Terms alone are asked for: the compiler needs eight times as long for a signature with as many
    /// expressions, of whose types it looks at everything.
    private func parameter(_ column: Column, number: Int) -> Parameter {
        let stored = storage(column)
        let kind = isErased ? "any" : "some"
        guard column.isOptional else {
            let value = defaultTerm(column).map { " = \($0)" } ?? ""
            // What the compiler says of it then names the column.
            let isPlain =
                column.escaped == column.property || column.property.allSatisfy(\.isLetter)
            let name = "_" + (isPlain ? column.property : "term\(number)")
            let type = isErased ? "any \(Self.runtime).QueryExpression<\(stored)>" : name
            return Parameter(
                text: "\(column.escaped): \(type)\(value)", generic: (name, stored))
        }
        if isParameter(stored) {
            let none = "\(Self.runtime)._default(\(stored).none, as: \(stored).self)"
            return Parameter(
                text: "\(column.escaped): any \(Self.runtime).QueryExpression<\(stored)> = "
                    + (defaultTerm(column) ?? none))
        }
        let none = TypeText.isOptional(stored) ? stored : "Swift.Optional<\(stored)>"
        let value = column.defaultValue == "nil" ? nil : defaultTerm(column)
        return Parameter(
            text: "\(column.escaped): \(kind) \(Self.runtime).QueryTerm<\(stored).Unwrapped> = "
                + (value ?? none + ".none"))
    }

    /// The default of a property as a term of SQL; a literal of its own type stands as it is.
    private func defaultTerm(_ column: Column) -> String? {
        guard let value = resolvedDefault(column) else { return nil }
        let stored = storage(column)
        if column.isLiteral, column.representation == nil { return value }
        let callee = TypeText.unwrapped(stored).map { "Swift.Optional<\($0)>" } ?? stored
        return "\(Self.runtime)._default(\(value), as: \(metatype(callee)))"
    }

    private var caseMakers: [String] {
        table.columns.map { column in
            let value =
                resolvedDefault(column).map {
                    " = \(Self.runtime)._default(\($0), as: \(metatype(storage(column))))"
                } ?? ""
            let kind = isErased ? "any" : "some"
            let expression = "\(kind) \(Self.runtime).QueryExpression<\(storage(column))>"
            let name = swiftLiteral(column.property)
            guard !column.isBare else {
                return "\(access)static var \(column.escaped): Self { "
                    + "Self(_resultColumns: \(type)._name(case: \(name), true)) }"
            }
            return
                "\(access)static func \(column.escaped)(_ value: \(expression)\(value)) -> Self { "
                + "Self(_resultColumns: \(type)._name(case: \(name), value)) }"
        }
    }

    func separated(_ items: [String]) -> [String] {
        items.enumerated().map { $0.offset == items.count - 1 ? $0.element : $0.element + "," }
    }
}
