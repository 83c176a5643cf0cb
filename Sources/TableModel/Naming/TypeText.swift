/// What the text of a type tells without a compiler.
package enum TypeText {
    /// `X?`, `X!`, `Optional<X>`, `Swift.Optional<X>`.
    package static func isOptional(_ type: String) -> Bool { unwrapped(type) != nil }

    /// X of `X?`, `X!` or `Optional<X>`; nil for other types.
    package static func unwrapped(_ type: String) -> String? {
        let text = trimmed(type)
        if text.hasSuffix("?") || text.hasSuffix("!") {
            let inner = trimmed(text.dropLast())
            return isWhole(inner) ? withoutParentheses(inner) : nil
        }
        for name in ["Optional<", "Swift.Optional<"] where text.hasPrefix(name) {
            guard text.hasSuffix(">") else { return nil }
            return trimmed(text.dropFirst(name.count).dropLast())
        }
        return nil
    }

    /// The type as an optional, which stays one.
    package static func optional(_ type: String) -> String {
        if isOptional(type) { return type }
        return isWhole(type) ? type + "?" : "(\(type))?"
    }

    /// A type with the optionals that another has around its base.
    package static func wrapped(_ base: String, like type: String) -> String {
        unwrapped(type).map { wrapped(base, like: $0) + "?" } ?? base
    }

    /// The type without all its optionals.
    package static func base(_ type: String) -> String {
        unwrapped(type).map(base) ?? trimmed(type)
    }

    /// Whether nothing of this form is ever a column: a tuple, a function, `any P`, `Any`.
    package static func isNoColumn(_ type: String) -> Bool {
        let text = base(type)
        return text.contains("->") || text.hasPrefix("any ") || text == "Any"
            || text.hasPrefix("(") && text.contains(",")
    }

    /// Whether a `?` behind the text is about all of it: not `any P`, `A & B`, `() -> X`.
    private static func isWhole(_ text: String) -> Bool {
        var depth = 0
        for character in text {
            switch character {
            case "(", "[", "<": depth += 1
            case ")", "]", ">": depth -= 1
            case " ", "&": if depth == 0 { return false }
            default: break
            }
        }
        return true
    }

    private static func withoutParentheses(_ text: String) -> String {
        guard text.hasPrefix("("), text.hasSuffix(")"), !text.contains(",") else { return text }
        return trimmed(text.dropFirst().dropLast())
    }

    /// Whether one of the names stands in the type, and not behind that of another type.
    package static func names(_ type: String, oneOf names: [String]) -> Bool {
        let other = Dictionary(names.map { ($0, "_.\($0)") }) { first, _ in first }
        return resolved(type, replacing: other) != type
    }

    /// The type, found through another whose argument it is: there, names are those of types.
    package static func asArgument(_ type: String) -> String { "Swift.Array<\(type)>.Element" }

    /// The text with `name` for each `Self`, and with `owner.X` for each X of `nested`.
    package static func resolved(_ text: String, replacing names: [String: String]) -> String {
        replaced(text) { names[$0] ?? $0 }
    }

    /// The names in a text, but for those of members.
    package static func names(in text: String) -> [String] {
        var names: [String] = []
        _ = replaced(text) { word in
            if word.first?.isNumber == false { names.append(word) }
            return word
        }
        return names
    }

    private static func replaced(_ text: String, _ replacement: (String) -> String) -> String {
        var result = ""
        var word = ""
        var previous: Character?
        func flush() {
            guard !word.isEmpty else { return }
            let isMember = previous == "."
            result += isMember ? word : replacement(word)
            word = ""
        }
        for character in text {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                continue
            }
            flush()
            result.append(character)
            if !character.isWhitespace { previous = character }
        }
        flush()
        return result
    }
}

/// Words that Swift reads as keywords where a name stands.
package enum Keywords {
    private static let reserved: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch",
        "class", "continue",
        "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal",
        "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch",
        "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// The name in back ticks where it needs them.
    package static func escaped(_ name: String) -> String {
        let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        return reserved.contains(name) || !isPlain ? "`\(name)`" : name
    }
}
