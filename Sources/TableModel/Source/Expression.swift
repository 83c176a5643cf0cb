/// An expression as far as a macro has to understand it.
public struct Expression: Hashable, Sendable {
    /// What the expression is, by its first look: a macro sees no types.
    public enum Kind: Hashable, Sendable {
        case string(String)
        /// A string literal with interpolations.
        case interpolatedString
        case integer
        case float
        case boolean(Bool)
        case `nil`
        /// `X.self`, with X.
        case type(String)
        /// `.name`.
        case implicitMember(String)
        case other
    }

    public let kind: Kind
    public let source: SourceText

    public init(_ kind: Kind, _ source: SourceText) {
        self.kind = kind
        self.source = source
    }

    public var text: String { source.text }
    public var range: SourceSpan { source.range }
}

/// One argument of an attribute or a macro.
public struct Argument: Hashable, Sendable {
    public let label: String?
    public let value: Expression
    /// The label, the value, and a comma behind it.
    public let range: SourceSpan

    public init(label: String? = nil, _ value: Expression, at range: SourceSpan) {
        self.label = label
        self.value = value
        self.range = range
    }
}

/// An attribute: `@Column("is_done")`.
public struct Attribute: Hashable, Sendable {
    /// The name without `@`, without module, and without generic arguments.
    public let name: String
    public let arguments: [Argument]
    /// From the `@` to the closing parenthesis.
    public let source: SourceText

    public init(_ name: String, _ arguments: [Argument] = [], source: SourceText) {
        self.name = name
        self.arguments = arguments
        self.source = source
    }

    public var range: SourceSpan { source.range }

    public func argument(_ label: String?) -> Argument? {
        arguments.first { $0.label == label }
    }
}
