/// An expression as far as a macro has to understand it.
package struct Expression: Hashable, Sendable {
    /// What the expression is, by its first look: a macro sees no types.
    package enum Kind: Hashable, Sendable {
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

    package let kind: Kind
    package let source: SourceText

    package init(_ kind: Kind, _ source: SourceText) {
        self.kind = kind
        self.source = source
    }

    package var text: String { source.text }
    package var range: SourceSpan { source.range }
}

/// One argument of an attribute or a macro.
package struct Argument: Hashable, Sendable {
    package let label: String?
    package let value: Expression
    /// The label, the value, and a comma behind it.
    package let range: SourceSpan

    package init(label: String? = nil, _ value: Expression, at range: SourceSpan) {
        self.label = label
        self.value = value
        self.range = range
    }
}

/// An attribute: `@Column("is_done")`.
package struct Attribute: Hashable, Sendable {
    /// The name without `@`, without module, and without generic arguments.
    package let name: String
    package let arguments: [Argument]
    /// From the `@` to the closing parenthesis.
    package let source: SourceText

    package init(_ name: String, _ arguments: [Argument] = [], source: SourceText) {
        self.name = name
        self.arguments = arguments
        self.source = source
    }

    package var range: SourceSpan { source.range }

    package func argument(_ label: String?) -> Argument? {
        arguments.first { $0.label == label }
    }
}
