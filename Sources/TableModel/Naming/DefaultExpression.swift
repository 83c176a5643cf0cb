/// What the text of a default says about its type.
enum DefaultExpression {
    /// `Date()`, `Foundation.Date()`, `[Int]()`: what is called. `Color.red`: what the member
    /// belongs to. `Optional("x")`: the optional of a literal. `60 * 5`: a number.
    static func type(_ text: String) -> String? {
        let text = trimmed(text)
        return arithmetic(text) ?? optionalLiteral(text) ?? called(text) ?? memberOwner(text)
    }

    /// The path of capitalised names at the beginning, and what follows it.
    private static func path(_ text: String) -> (names: [Substring], rest: Substring)? {
        var names: [Substring] = []
        var rest = text[...]
        while true {
            let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            guard name.first?.isUppercase == true else { break }
            names.append(name)
            rest = rest.dropFirst(name.count)
            guard rest.first == ".", rest.dropFirst().first?.isUppercase == true else { break }
            rest = rest.dropFirst()
        }
        return names.isEmpty || names[0] == "Self" ? nil : (names, rest)
    }

    private static func called(_ text: String) -> String? {
        if text.hasPrefix("["), text.hasSuffix("]()") { return String(text.dropLast(2)) }
        guard let (names, rest) = path(text), names != ["Optional"] else { return nil }
        guard rest.first == "(", closesAtEnd(rest) else { return nil }
        return names.joined(separator: ".")
    }

    /// `Color.red`, `Date.now`: a member that has the type that it belongs to, as constants do.
    private static func memberOwner(_ text: String) -> String? {
        guard let (names, rest) = path(text), rest.first == "." else { return nil }
        let isName = rest.dropFirst().allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        return isName && rest.count > 1 ? names.joined(separator: ".") : nil
    }

    private static func optionalLiteral(_ text: String) -> String? {
        guard text.hasPrefix("Optional("), text.hasSuffix(")") else { return nil }
        let inner = trimmed(text.dropFirst(9).dropLast())
        if inner.hasPrefix("\""), inner.hasSuffix("\"") { return "Swift.String?" }
        if inner == "true" || inner == "false" { return "Swift.Bool?" }
        return arithmetic(inner).map { $0 + "?" } ?? type(inner).map(TypeText.optional)
    }

    /// Numbers with operators between them.
    private static func arithmetic(_ text: String) -> String? {
        let allowed = Set("0123456789_.+-*/%() ")
        guard text.contains(where: \.isNumber), text.allSatisfy(allowed.contains) else {
            return nil
        }
        return text.contains(".") ? "Swift.Double" : "Swift.Int"
    }

    /// Whether the parenthesis at the beginning closes with the last character.
    private static func closesAtEnd(_ text: Substring) -> Bool {
        var depth = 0
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return text.index(after: index) == text.endIndex }
        }
        return false
    }
}
