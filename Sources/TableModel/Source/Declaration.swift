/// The declaration that a macro is attached to, as a value: what stands there, not what it means.
public struct Declaration: Sendable {
    public enum Kind: String, Sendable {
        case `struct`, `enum`, `class`, `actor`, `protocol`, `extension`, other
    }

    public var kind: Kind
    public var name: SourceText
    /// The names of the generic parameters.
    public var genericParameters: [String] = []
    public var access: Access = .internal
    public var attributes: [Attribute] = []
    /// The types behind the colon.
    public var inheritedTypes: [SourceText] = []
    public var properties: [Property] = []
    public var cases: [EnumCase] = []
    /// `#if` blocks with a stored property inside.
    public var conditionalColumns: [SourceSpan] = []
    /// Types that the declaration declares inside itself.
    public var nestedTypes: [NestedType] = []
    /// `init(from:)`, `encode(to:)`, `init(row:)`, `databaseSelection`: what the user has written.
    public var ownMembers: [String: SourceSpan] = [:]

    public init(_ kind: Kind, name: SourceText) {
        self.kind = kind
        self.name = name
    }

    public func attribute(_ name: String) -> Attribute? {
        attributes.first { $0.name == name }
    }

    /// Whether the declaration itself names a protocol: `Codable`, `Foundation.Codable`, `a &
    /// Codable`.
    public func names(_ protocols: String...) -> Bool {
        inheritedTypes.contains { type in
            type.text.split(separator: "&").contains { part in
                let name = part.split(separator: ".").last.map(String.init) ?? ""
                return protocols.contains(trimmed(name))
            }
        }
    }
}

/// How far a declaration can be seen.
public enum Access: String, Sendable, Comparable {
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

    public static func < (left: Access, right: Access) -> Bool { left.rank < right.rank }

    /// The modifier of a generated member, with a space behind it, or nothing.
    public var modifier: String {
        switch self {
        case .private, .fileprivate: "fileprivate "
        case .internal: ""
        case .package: "package "
        case .public, .open: "public "
        }
    }
}

/// One `let` or `var` in a declaration.
public struct Property: Sendable {
    public struct Binding: Sendable {
        /// The name without back ticks; nil for a pattern such as `(a, b)`.
        public var name: SourceText?
        public var type: SourceText?
        public var value: Expression?
        /// With a getter, or a body.
        public var isComputed = false
        public var range: SourceSpan

        public init(name: SourceText?, range: SourceSpan) {
            self.name = name
            self.range = range
        }
    }

    public var isLet: Bool
    /// The place of `let` or `var`.
    public var keyword: SourceSpan
    public var isStatic = false
    public var isLazy = false
    public var attributes: [Attribute] = []
    /// Everything in front of `let` or `var`, as written.
    public var prefix = ""
    public var bindings: [Binding]
    /// From the first attribute to the last binding.
    public var range: SourceSpan

    public init(
        isLet: Bool, keyword: SourceSpan, bindings: [Binding], range: SourceSpan
    ) {
        self.isLet = isLet
        self.keyword = keyword
        self.bindings = bindings
        self.range = range
    }

    public func attribute(_ names: String...) -> Attribute? {
        attributes.first { names.contains($0.name) }
    }
}

/// One case of an enum.
public struct EnumCase: Sendable {
    public struct Value: Sendable {
        public var label: SourceText?
        public var type: SourceText
        public var defaultValue: Expression?

        public init(label: SourceText? = nil, type: SourceText, defaultValue: Expression? = nil) {
            self.label = label
            self.type = type
            self.defaultValue = defaultValue
        }
    }

    public var name: SourceText
    public var values: [Value]
    public var attributes: [Attribute] = []
    public var range: SourceSpan

    public init(name: SourceText, values: [Value], range: SourceSpan) {
        self.name = name
        self.values = values
        self.range = range
    }

    public func attribute(_ names: String...) -> Attribute? {
        attributes.first { names.contains($0.name) }
    }
}

/// A type declared inside the declaration.
public struct NestedType: Sendable {
    public var name: String
    public var inheritedTypes: [String]

    public init(_ name: String, inheritedTypes: [String] = []) {
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
