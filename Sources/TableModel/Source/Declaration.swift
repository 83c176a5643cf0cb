/// The declaration that a macro is attached to, as a value: what stands there, not what it means.
package struct Declaration: Sendable {
    package enum Kind: String, Sendable {
        case `struct`, `enum`, `class`, `actor`, `protocol`, `extension`, other
    }

    package var kind: Kind
    package var name: SourceText
    /// The names of the generic parameters.
    package var genericParameters: [String] = []
    package var access: Access = .internal
    package var attributes: [Attribute] = []
    /// The types behind the colon.
    package var inheritedTypes: [SourceText] = []
    package var properties: [Property] = []
    package var cases: [EnumCase] = []
    /// `#if` blocks with a stored property inside.
    package var conditionalColumns: [SourceSpan] = []
    /// Types that the declaration declares inside itself.
    package var nestedTypes: [NestedType] = []
    /// The cases of an enum `CodingKeys`; nil where there is none, or one that is not such an enum.
    package var codingKeys: [CodingKey]?
    /// `init(from:)`, `encode(to:)`, `init(row:)`, `databaseSelection`: what the user has written.
    package var ownMembers: [String: SourceSpan] = [:]

    /// The name in `ownMembers` of the `encode(to:)` that takes a `PersistenceContainer`.
    package static let encodingIntoContainer = "encode(to: PersistenceContainer)"

    package init(_ kind: Kind, name: SourceText) {
        self.kind = kind
        self.name = name
    }

    package func attribute(_ name: String) -> Attribute? {
        attributes.first { $0.name == name }
    }

    /// Whether the declaration itself names a protocol: `Codable`, `Foundation.Codable`, `a &
    /// Codable`.
    package func names(_ protocols: String...) -> Bool {
        inheritedTypes.contains { type in
            type.text.split(separator: "&").contains { part in
                let name = part.split(separator: ".").last.map(String.init) ?? ""
                return protocols.contains(trimmed(name))
            }
        }
    }
}

/// How far a declaration can be seen.
package enum Access: String, Sendable, Comparable {
    case `private`, `fileprivate`, `internal`, package, `public`, open

    private var rank: Int {
        switch self {
        case .private: 0
        case .fileprivate: 1
        case .internal: 2
        case .package: 3
        case .public: 4
        case .open: 5
        }
    }

    package static func < (left: Access, right: Access) -> Bool { left.rank < right.rank }

    /// The modifier of a declaration next to the one that has the access.
    var peerModifier: String { self == .private ? "private " : modifier }

    /// The modifier of a generated member, with a space behind it, or nothing.
    package var modifier: String {
        switch self {
        case .private, .fileprivate: "fileprivate "
        case .internal: ""
        case .package: "package "
        case .public, .open: "public "
        }
    }
}

/// One `let` or `var` in a declaration.
package struct Property: Sendable {
    package struct Binding: Sendable {
        /// The name without back ticks; nil for a pattern such as `(a, b)`.
        package var name: SourceText?
        package var type: SourceText?
        package var value: Expression?
        /// With a getter, or a body.
        package var isComputed = false
        package var range: SourceSpan

        package init(name: SourceText?, range: SourceSpan) {
            self.name = name
            self.range = range
        }
    }

    package var isLet: Bool
    /// The place of `let` or `var`.
    package var keyword: SourceSpan
    package var isStatic = false
    package var isLazy = false
    package var attributes: [Attribute] = []
    /// Everything in front of `let` or `var`, as written.
    package var prefix = ""
    package var bindings: [Binding]
    /// From the first attribute to the last binding.
    package var range: SourceSpan

    package init(
        isLet: Bool, keyword: SourceSpan, bindings: [Binding], range: SourceSpan
    ) {
        self.isLet = isLet
        self.keyword = keyword
        self.bindings = bindings
        self.range = range
    }

    package func attribute(_ names: String...) -> Attribute? {
        attributes.first { names.contains($0.name) }
    }
}

/// One case of an enum.
package struct EnumCase: Sendable {
    package struct Value: Sendable {
        package var label: SourceText?
        package var type: SourceText
        package var defaultValue: Expression?

        package init(label: SourceText? = nil, type: SourceText, defaultValue: Expression? = nil) {
            self.label = label
            self.type = type
            self.defaultValue = defaultValue
        }
    }

    package var name: SourceText
    package var values: [Value]
    package var attributes: [Attribute] = []
    package var range: SourceSpan

    package init(name: SourceText, values: [Value], range: SourceSpan) {
        self.name = name
        self.values = values
        self.range = range
    }

    package func attribute(_ names: String...) -> Attribute? {
        attributes.first { names.contains($0.name) }
    }
}

/// One case of an enum `CodingKeys`.
package struct CodingKey: Sendable {
    package var name: SourceText
    /// The text behind `=`.
    package var rawValue: String?

    package init(_ name: SourceText, rawValue: String?) {
        self.name = name
        self.rawValue = rawValue
    }
}

/// A type declared inside the declaration.
package struct NestedType: Sendable {
    package var name: String
    package var inheritedTypes: [String]

    package init(_ name: String, inheritedTypes: [String] = []) {
        self.name = name
        self.inheritedTypes = inheritedTypes
    }
}

/// The text without spaces and line breaks at its ends.
func trimmed(_ text: some StringProtocol) -> String {
    let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
    let end = text.lastIndex { !$0.isWhitespace }.map(text.index(after:)) ?? text.startIndex
    return start < end ? String(text[start..<end]) : ""
}
