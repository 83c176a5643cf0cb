internal import TableModel

/// The types of all files, found by the names that stand in declarations.
struct SourceTypes {
    enum Found {
        case type(DeclaredType)
        case alias(DeclaredAlias)
        /// Several have the name, and nothing tells which is meant.
        case ambiguous
    }

    private(set) var all: [DeclaredType] = []
    private var types: [String: [DeclaredType]] = [:]
    private var aliases: [String: [DeclaredAlias]] = [:]
    private var inherited: [String: Set<String>] = [:]
    private var members: [String: Set<String>] = [:]

    mutating func add(_ finder: DeclarationFinder) {
        all += finder.types
        for type in finder.types { types[type.name, default: []].append(type) }
        for (path, alias) in finder.aliases {
            aliases[path.joined(separator: "."), default: []].append(alias)
        }
        for found in finder.extensions {
            let name = found.path.joined(separator: ".")
            inherited[name, default: []].formUnion(found.inherited.map(Self.lastName))
            members[name, default: []].formUnion(found.members)
        }
    }

    private static func lastName(_ type: String) -> String {
        type.split(separator: ".").last.map(String.init) ?? type
    }

    /// Whether the type names a protocol, at itself or in an extension.
    func conforms(_ type: DeclaredType, to name: String) -> Bool {
        type.declaration.names(name) || inherited[type.name]?.contains(name) == true
    }

    /// Whether the type has a property of its own.
    func hasMember(_ type: DeclaredType, _ names: String...) -> Bool {
        let own = type.declaration.properties.flatMap(\.bindings).compactMap { $0.name?.text }
        return names.contains { own.contains($0) || members[type.name]?.contains($0) == true }
    }

    /// What a name means: what is declared nearest to the place where it stands.
    func find(_ name: [String], from scope: Scope) -> Found? {
        var name = name
        if name.first == "Self" { name = scope.path + name.dropFirst() }
        for count in (0...scope.path.count).reversed() {
            let path = (scope.path.prefix(count) + name).joined(separator: ".")
            if let found = find(path, from: scope) { return found }
        }
        // The first may be the name of the module.
        return name.count > 1 ? find(name.dropFirst().joined(separator: "."), from: scope) : nil
    }

    private func find(_ path: String, from scope: Scope) -> Found? {
        let found =
            (types[path] ?? []).map { ($0.scope, Found.type($0)) }
            + (aliases[path] ?? []).map { ($0.scope, Found.alias($0)) }
        if found.isEmpty { return nil }
        let near = [
            found.filter { $0.0.file === scope.file }, found.filter { $0.0.module == scope.module },
            found,
        ]
        guard let nearest = near.first(where: { !$0.isEmpty }) else { return nil }
        return nearest.count == 1 ? nearest[0].1 : .ambiguous
    }
}
