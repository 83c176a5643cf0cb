/// A declaration that becomes a function of SQL, as a value: what stands there.
package struct FunctionDeclaration: Sendable {
    package enum Kind: Sendable {
        case function, computedProperty, `struct`, other
    }

    /// Where the declaration stands.
    package enum Place: Sendable {
        /// Where calls need nothing in front.
        case free
        /// In a type, for the type itself.
        case type
        /// In a type, for its values.
        case instance
    }

    package struct Parameter: Sendable {
        /// The label of calls; nil for `_`.
        package var label: SourceText?
        package var type: SourceText
        package var defaultValue: Expression?
        package var isVariadic = false
        package var isInOut = false
        /// Of `some Sequence<X>` the parts of X: one, or those of a tuple.
        package var sequence: [Element]?
        package var range: SourceSpan

        package init(label: SourceText?, type: SourceText, range: SourceSpan) {
            self.label = label
            self.type = type
            self.range = range
        }
    }

    package struct Element: Sendable {
        package var label: String?
        package var type: SourceText

        package init(label: String?, type: SourceText) {
            self.label = label
            self.type = type
        }
    }

    package var kind: Kind
    /// The name without back ticks.
    package var name: SourceText
    /// The name as it is written.
    package var written: String
    package var place = Place.free
    package var access = Access.internal
    package var attributes: [Attribute] = []
    package var parameters: [Parameter] = []
    /// The result's type, or the property's; nil where there is none.
    package var result: SourceText?
    package var throwsErrors = false
    package var asyncRange: SourceSpan?
    package var genericRange: SourceSpan?
    package var isNonisolated = false
    /// Whether the type around it is of the main actor.
    package var isInActorType = false
    /// The methods of a struct.
    package var methods: [FunctionDeclaration] = []
    package var range: SourceSpan

    package init(_ kind: Kind, name: SourceText, written: String, range: SourceSpan) {
        self.kind = kind
        self.name = name
        self.written = written
        self.range = range
    }
}

/// The type of a function that tells representations: `((A, B) -> R).self`.
package struct FunctionType: Sendable {
    package var parameters: [String]
    package var result: String
    package var range: SourceSpan

    package init(_ parameters: [String], _ result: String, range: SourceSpan) {
        self.parameters = parameters
        self.result = result
        self.range = range
    }
}
