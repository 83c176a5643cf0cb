/// What a type that is declared inside another needs besides: an extension does not see what stands
/// beside the type, so types and defaults get names in a member of the type, where they are seen.
extension Expansion {
    /// The groups of these names: types of properties, the types that store them, and defaults.
    enum ScopeGroup: String { case types = "Types", storage = "Storage", defaults = "Defaults" }

    /// Types of Swift's own, whose names are taken to mean the same everywhere.
    private static let known: Set<String> = [
        "Bool", "Double", "Float", "String", "[UInt8]",
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    ]

    /// - parameter table: what `@Table` or `@Selection` describes.
    /// - Returns: The member with the names; nil where none is needed.
    package static func scope(of table: TableDescription) -> String? {
        let expansion = Expansion(table, type: table.typeName)
        let groups =
            expansion.group(.types, expansion.typeAlias)
            + expansion.group(.storage, expansion.storageAlias)
            + expansion.group(.defaults, expansion.defaultValue)
        guard !groups.isEmpty else { return nil }
        return
            (["nonisolated \(expansion.access)enum _Scope {"] + expansion.indented(groups) + ["}"])
            .joined(separator: "\n")
    }

    private func group(_ group: ScopeGroup, _ line: (Column) -> String?) -> [String] {
        let lines = table.columns.compactMap { column in
            line(column).map { column.availability.map { $0 + " " }.joined() + access + $0 }
        }
        return lines.isEmpty
            ? [] : ["\(access)enum \(group.rawValue) {"] + indented(lines) + ["}"]
    }

    private func typeAlias(_ column: Column) -> String? {
        guard let type = column.type, isScoped(type) else { return nil }
        return "typealias \(scopeName(column)) = \(resolve(TypeText.base(type)))"
    }

    private func storageAlias(_ column: Column) -> String? {
        guard let type = column.representation, isScoped(type) else { return nil }
        return "typealias \(scopeName(column)) = \(resolve(TypeText.base(type)))"
    }

    private func defaultValue(_ column: Column) -> String? {
        guard let value = column.defaultValue, isScopedDefault(column) else { return nil }
        return
            "static var \(scopeName(column)): \(resolve(column.type ?? "_")) { \(resolve(value)) }"
    }

    /// The type of a column or of its storage, by a name that means the same everywhere.
    func scoped(_ written: String, as group: ScopeGroup, of column: Column) -> String {
        guard isScoped(written) else { return resolve(written) }
        return TypeText.wrapped(scopePath(group, column), like: written)
    }

    /// The default of a column, by a name that means the same everywhere; nil where it has none.
    func resolvedDefault(_ column: Column) -> String? {
        isScopedDefault(column)
            ? scopePath(.defaults, column) : column.defaultValue.map(resolve)
    }

    private func isScoped(_ written: String) -> Bool {
        guard table.isNested, !written.hasPrefix("Swift.") else { return false }
        let base = TypeText.base(written)
        return !Self.known.contains(base) && !table.genericParameters.contains(base)
    }

    /// A default without names means the same everywhere.
    private func isScopedDefault(_ column: Column) -> Bool {
        guard table.isNested, !column.isLiteral, let value = column.defaultValue else {
            return false
        }
        return TypeText.names(in: value).contains { !["true", "false", "nil"].contains($0) }
    }

    private func scopeName(_ column: Column) -> String { Keywords.escaped("_" + column.property) }

    private func scopePath(_ group: ScopeGroup, _ column: Column) -> String {
        "\(type)._Scope.\(group.rawValue).\(scopeName(column))"
    }
}
