/// The text that a macro generates: one extension with everything that a table or a selection
/// needs.
///
/// Each type is named in full, and the members have the access of the type. Nothing in it depends
/// on other expansions, nor on the order of files.
package struct Expansion {
    /// The module whose types the text names.
    static let runtime = "StrongroomTablesRuntime"

    let table: TableDescription
    /// The type with those that it is declared in: `Visit.ID`.
    let type: String
    /// The modifier of members, with a space behind it.
    let access: String
    /// What stands for `Self`, and for types that the declaration declares itself.
    private let names: [String: String]

    /// The extended type: `Shop.Box`.
    private let extended: String

    init(_ table: TableDescription, type: String) {
        self.table = table
        extended = type
        let type = Self.path(type, table)
        self.type = type
        access = table.access.modifier
        var names = ["Self": type]
        for nested in table.nestedTypes { names[nested] = "\(type).\(nested)" }
        self.names = names
    }

    /// The compiler adds the parameters of a type around the code only to a bare name.
    private static func path(_ type: String, _ table: TableDescription) -> String {
        guard type.contains(".") else { return type }
        var parameters = table.enclosingParameters
        if table.isGeneric { parameters[table.typeName] = table.genericParameters }
        return type.split(separator: ".").map { name in
            parameters[String(name)].map { "\(name)<\($0.joined(separator: ", "))>" } ?? "\(name)"
        }.joined(separator: ".")
    }

    /// - parameter type: the extended type, with those around it.
    package static func text(of table: TableDescription, type: String) -> String {
        Expansion(table, type: type).lines.joined(separator: "\n")
    }

    private var lines: [String] {
        let body =
            heading + describing + decoding + encoding + columns + outerColumns + selection
            + (table.hasDraft && table.role == .table ? draft : []) + coding
        return table.availability
            + ["nonisolated extension \(extended): \(conformances) {"]
            + indented(body) + ["}"]
    }

    /// All that the macro declares for the type, what others imply included: in files that the
    /// compiler reads before it expands the macro, it knows of these alone.
    private var conformances: String {
        let protocols =
            switch (table.role, table.isEnum, table.key) {
            case (.selection, true, _): ["SelectionTable", "CaseSelection"]
            case (.selection, false, _): ["SelectionTable"]
            case (.table, _, .some): ["Table", "PrimaryKeyedTable"]
            case (.table, _, nil): ["Table"]
            }
        let implied = ["QuerySource", "_ColumnGroup", "JoinSide", "QueryRepresentable"]
        return (protocols + implied).map { "\(Self.runtime).\($0)" }.joined(separator: ", ")
    }

    private var heading: [String] {
        var lines: [String] = []
        if table.role == .table, let key = table.key {
            lines.append("\(access)typealias PrimaryKey = \(unwrappedStorage(key))")
            if key.property != "primaryKey", !table.ownMembers.contains("primaryKey") {
                lines.append(
                    "\(access)var primaryKey: \(swiftType(key)) { self.\(key.escaped) }")
            }
        }
        if !table.nestedTypes.contains("Columns") {
            lines.append("\(access)typealias Columns = Selection\(visibilityHint)")
        }
        if table.role == .table, table.keepsRecordCoding {
            lines.append("\(access)static var _keepsRecordCoding: Swift.Bool { true }")
        }
        if table.role == .table, table.isView || table.hasNoRowID {
            lines.append("\(access)typealias _Rows = \(Self.runtime)._UnnumberedRows")
        }
        return lines + [layout]
    }

    /// A generic type cannot store it.
    private var layout: String {
        var arguments = ["\(type).self", "name: \(swiftLiteral(table.tableName))"]
        if let schema = table.schemaName { arguments.append("schema: \(swiftLiteral(schema))") }
        if table.ownMembers.contains("tableAlias") { arguments.append("alias: \(type).tableAlias") }
        if table.ownMembers.contains("tableFragment") {
            arguments.append("fragment: \(type).tableFragment")
        }
        if table.isView { arguments.append("kind: .view") }
        if table.hasNoRowID { arguments.append("kind: .withoutRowID") }
        if !table.policies.isEmpty {
            arguments.append(
                "policies: .init(\(table.policies.map(resolve).joined(separator: ", ")))")
        }
        let value = "\(Self.runtime).TableLayout(\(arguments.joined(separator: ", ")))"
        return table.hasParameters
            ? "\(access)static var _layout: \(Self.runtime).TableLayout { \(value) }"
            : "\(access)static let _layout = \(value)\(genericHint)"
    }

    // The compiler shows these lines with its errors: the macro sees neither how far an extended
    // type can be seen nor whether it is generic.

    private var genericHint: String {
        table.isInExtension
            ? "  // of a generic type: declare it in the type, not in an extension" : ""
    }

    var visibilityHint: String {
        table.isInExtension && table.access >= .package
            ? "  // in an extension of a less visible type: write it without '\(table.access.rawValue)'"
            : ""
    }

    // MARK: - Types

    /// The type that a column's values are stored by.
    func storage(_ column: Column) -> String {
        guard let representation = column.representation else {
            return swiftType(column)
        }
        let resolved = scoped(representation, as: .storage, of: column)
        let isOptional = column.isOptional && !representation.contains("?")
        return isOptional && !representation.contains("Optional<")
            ? TypeText.optional(resolved) : resolved
    }

    func unwrappedStorage(_ column: Column) -> String {
        TypeText.unwrapped(storage(column)) ?? storage(column)
    }

    /// The Swift type of the property.
    func swiftType(_ column: Column) -> String {
        scoped(column.type ?? "_", as: .types, of: column)
    }

    /// A type as a value: `Both.self`. In the expressions of an enum a name is first that of a case,
    /// as the argument of another type it is that of a type.
    func metatype(_ type: String) -> String {
        table.isEnum && TypeText.names(type, oneOf: table.columns.map(\.property))
            ? TypeText.asArgument(type) + ".self" : type + ".self"
    }

    /// The text with the names that mean the same everywhere.
    func resolve(_ text: String) -> String {
        TypeText.resolved(text, replacing: names)
    }

    func indented(_ lines: [String]) -> [String] {
        lines.map { $0.isEmpty ? "" : "    " + $0 }
    }
}
