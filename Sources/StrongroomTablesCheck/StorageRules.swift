internal import StrongroomSchema
internal import TableModel

/// How the values of a type are stored, as far as the sources tell.
struct Storage {
    enum Kind {
        /// One column. The name is that of the type, without optionality.
        case value(SQLiteTypeAffinity, name: String)
        case group(DeclaredType)
        /// A type that the sources do not declare, or whose storage only the compiler knows.
        case unknown(name: String, mayBeGroup: Bool)
    }

    var kind: Kind
    var isOptional = false

    static func unknown(_ name: String, mayBeGroup: Bool = false) -> Storage {
        Storage(kind: .unknown(name: name, mayBeGroup: mayBeGroup))
    }

    static func value(_ affinity: SQLiteTypeAffinity, _ name: String) -> Storage {
        Storage(kind: .value(affinity, name: name))
    }
}

/// Finds out how types are stored by their names, as StrongroomTables stores them.
struct StorageRules {
    let types: SourceTypes

    private static let known: [String: SQLiteTypeAffinity] = {
        var known: [String: SQLiteTypeAffinity] = [
            "Bool": .integer, "Double": .real, "Float": .real, "String": .text, "Substring": .text,
            "Date": .text, "UUID": .text, "URL": .text, "Decimal": .text, "Data": .blob,
            "[UInt8]": .blob, "Array<UInt8>": .blob, "Date.UnixTimeRepresentation": .integer,
            "Date.UnixTimeRepresentation.Subsecond": .real, "Date.JulianDayRepresentation": .real,
            "Date.MicrosecondRepresentation": .text, "UUID.BytesRepresentation": .blob,
            "UUID.UppercasedRepresentation": .text,
        ]
        for size in ["", "8", "16", "32", "64"] {
            known["Int\(size)"] = .integer
            known["UInt\(size)"] = .integer
        }
        return known
    }()

    private static let modules = [
        "Swift", "Foundation", "FoundationEssentials", "Strongroom", "StrongroomTables",
        "StrongroomTablesRuntime",
    ]

    /// A type of Swift, of Foundation or of StrongroomTables, by its name.
    private static func known(_ name: String) -> Storage? {
        let short = TypeText.withoutModules(name, modules)
        return known[short].map { .value($0, short) }
    }

    /// - Parameter depth: How many names stand between the declaration and this one.
    func storage(of text: String, in scope: Scope, depth: Int = 0) -> Storage {
        let text = TypeText.withoutParentheses(text)
        guard depth < 20 else { return .unknown(text) }
        if let inner = TypeText.unwrapped(text) {
            var storage = storage(of: inner, in: scope, depth: depth + 1)
            storage.isOptional = true
            return storage
        }
        if let mark = text.firstRange(of: "?."), !text[..<mark.lowerBound].contains("<") {
            // `UUID?.BytesRepresentation`
            let plain = text.replacing("?.", with: ".", maxReplacements: 1)
            var storage = storage(of: plain, in: scope, depth: depth + 1)
            storage.isOptional = true
            return storage
        }
        if let document = document(text, in: scope, depth) { return document }
        if let inner = TypeText.rawRepresented(text) {
            return raw(of: inner, in: scope, depth) ?? .unknown(text)
        }
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy(TypeText.isName) else { return Self.known(text) ?? .unknown(text) }
        switch types.find(names, from: scope) {
        case .alias(let alias):
            guard let type = alias.type else { return .unknown(text) }
            return storage(of: type, in: alias.scope, depth: depth + 1)
        case .type(let type): return storage(of: type, depth)
        case .ambiguous: return .unknown(text, mayBeGroup: true)
        case nil:
            return member(names, in: scope, depth) ?? Self.known(text)
                ?? .unknown(text, mayBeGroup: !TypeText.isRepresentation(text))
        }
    }

    /// A document of JSON, whatever is in it; that of an optional takes NULL.
    private func document(_ text: String, in scope: Scope, _ depth: Int) -> Storage? {
        let short = TypeText.withoutModules(text, Self.modules)
        guard let (content, affinity) = TypeText.document(short) else { return nil }
        var document = Storage.value(affinity, text)
        document.isOptional = storage(of: content, in: scope, depth: depth + 1).isOptional
        return document
    }

    private func storage(of type: DeclaredType, _ depth: Int) -> Storage {
        if type.macro != nil { return Storage(kind: .group(type)) }
        let isOwn = types.hasMember(type, "queryBinding", "_affinity")
        guard types.conforms(type, to: "QueryBindable"), !isOwn else { return .unknown(type.name) }
        if var storage = raw(of: type, depth) {
            if case .value(let affinity, _) = storage.kind {
                storage.kind = .value(affinity, name: type.name)
            }
            return storage
        }
        return types.conforms(type, to: "LosslessStringConvertible")
            ? .value(.text, type.name) : .unknown(type.name)
    }

    // MARK: - Members of types

    /// `Item.ID`, the type of the property `id`; `Level.RawValue`.
    private func member(_ names: [String], in scope: Scope, _ depth: Int) -> Storage? {
        let owner = names.count > 1 ? Array(names.dropLast()) : scope.path
        guard let last = names.last, case .type(let type) = types.find(owner, from: scope) else {
            return nil
        }
        switch last {
        case "ID": return property("id", of: type, depth)
        case "RawValue": return raw(of: type, depth)
        case "PrimaryKey":
            let description = type.macro.flatMap {
                Analyzer.analyze(type.declaration, attribute: $0.attribute, role: $0.role)
                    .description
            }
            return description?.key.flatMap { property($0.property, of: type, depth) }
        default: return nil
        }
    }

    private func property(_ name: String, of type: DeclaredType, _ depth: Int) -> Storage? {
        let binding = type.declaration.properties.lazy.flatMap(\.bindings)
            .first { $0.name?.text == name }
        return binding?.type.map { storage(of: $0.text, in: type.scope, depth: depth + 1) }
    }

    private func raw(of text: String, in scope: Scope, _ depth: Int) -> Storage? {
        let names = TypeText.base(text).split(separator: ".").map(String.init)
        guard case .type(let type) = types.find(names, from: scope) else { return nil }
        var storage = raw(of: type, depth)
        storage?.isOptional = TypeText.isOptional(text)
        return storage
    }

    /// The type behind the colon of an enum, or that of the property `rawValue`.
    private func raw(of type: DeclaredType, _ depth: Int) -> Storage? {
        if type.declaration.kind == .enum, let first = type.declaration.inheritedTypes.first {
            let storage = storage(of: first.text, in: type.scope, depth: depth + 1)
            if case .value = storage.kind { return storage }
        }
        return property("rawValue", of: type, depth)
    }
}

extension TypeText {
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    static func isRepresentation(_ text: String) -> Bool { text.hasSuffix("Representation") }

    static func withoutParentheses(_ text: String) -> String {
        var text = trimmed(text)
        while text.hasPrefix("("), text.hasSuffix(")"), !text.contains(","), !text.contains("->") {
            text = trimmed(String(text.dropFirst().dropLast()))
        }
        return text
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
        let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? start
        return String(text[start..<end])
    }

    /// The type without the name of its module, and that of a type in brackets.
    static func withoutModules(_ text: String, _ modules: [String]) -> String {
        var text = text
        for module in modules {
            for mark in ["", "[", "<"] {
                if mark.isEmpty {
                    if text.hasPrefix(module + ".") {
                        text = String(text.dropFirst(module.count + 1))
                    }
                } else {
                    text = text.replacing(mark + module + ".", with: mark)
                }
            }
        }
        return text
    }

    /// X of `X.JSONRepresentation` and `JSONOf<X>`, and how it is stored.
    static func document(_ text: String) -> (content: String, affinity: SQLiteTypeAffinity)? {
        for (name, affinity) in [("JSON", SQLiteTypeAffinity.text), ("JSONB", .blob)] {
            let suffix = ".\(name)Representation"
            if text.hasSuffix(suffix) { return (String(text.dropLast(suffix.count)), affinity) }
            guard text.hasPrefix("\(name)Of<"), text.hasSuffix(">") else { continue }
            return (String(text.dropFirst(name.count + 3).dropLast()), affinity)
        }
        return nil
    }

    /// X of `X.RawRepresentation` and `RawValueOf<X>`.
    static func rawRepresented(_ text: String) -> String? {
        if text.hasSuffix(".RawRepresentation") { return String(text.dropLast(18)) }
        guard text.hasPrefix("RawValueOf<"), text.hasSuffix(">") else { return nil }
        return String(text.dropFirst(11).dropLast())
    }
}
