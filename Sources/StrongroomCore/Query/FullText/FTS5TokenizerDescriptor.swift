/// What names a tokenizer of FTS5, with its arguments.
///
/// <https://www.sqlite.org/fts5.html#tokenizers>
public struct FTS5TokenizerDescriptor: Hashable, Sendable {
    /// The name, and the arguments after it.
    public let components: [String]

    /// A tokenizer by its name, which comes first, and its arguments.
    ///
    /// - Precondition: There is at least one component.
    public init(components: [String]) {
        precondition(!components.isEmpty, "a tokenizer needs a name")
        self.components = components
    }

    /// The tokenizer that knows letters and digits of ASCII, and takes all other characters for them.
    ///
    ///     try db.create(virtualTable: "note", using: FTS5()) { t in
    ///         t.tokenizer = .ascii()
    ///         t.column("body")
    ///     }
    ///
    /// - Parameters:
    ///   - separators: Characters of ASCII that separate tokens too.
    ///   - tokenCharacters: Characters of ASCII that are parts of tokens too.
    public static func ascii(
        separators: Set<Character> = [], tokenCharacters: Set<Character> = []
    ) -> FTS5TokenizerDescriptor {
        FTS5TokenizerDescriptor(
            components: ["ascii"] + Self.characters(separators, tokenCharacters))
    }

    /// The tokenizer that knows Unicode 6.1.
    ///
    /// - Parameters:
    ///   - diacritics: What becomes of accents.
    ///   - categories: The Unicode categories of characters that are parts of tokens: `L* N* Co` by
    ///     default.
    ///   - separators: Characters that separate tokens too.
    ///   - tokenCharacters: Characters that are parts of tokens too.
    public static func unicode61(
        diacritics: FTS5.Diacritics = .removeLegacy, categories: String = "",
        separators: Set<Character> = [], tokenCharacters: Set<Character> = []
    ) -> FTS5TokenizerDescriptor {
        var components = ["unicode61"]
        if let number = diacritics.number { components += ["remove_diacritics", number] }
        if !categories.isEmpty { components += ["categories", categories] }
        return FTS5TokenizerDescriptor(
            components: components + Self.characters(separators, tokenCharacters))
    }

    /// The tokenizer that reduces English words to their stems.
    ///
    ///     try db.create(virtualTable: "note", using: FTS5()) { t in
    ///         t.tokenizer = .porter()
    ///         t.column("body")
    ///     }
    ///
    /// - Parameter tokenizer: The tokenizer that finds the words: `unicode61` if nil.
    public static func porter(
        wrapping tokenizer: FTS5TokenizerDescriptor? = nil
    ) -> FTS5TokenizerDescriptor {
        FTS5TokenizerDescriptor(components: ["porter"] + (tokenizer?.components ?? []))
    }

    private static func characters(
        _ separators: Set<Character>, _ tokenCharacters: Set<Character>
    ) -> [String] {
        var components: [String] = []
        if !separators.isEmpty { components += ["separators", String(separators.sorted())] }
        if !tokenCharacters.isEmpty {
            components += ["tokenchars", String(tokenCharacters.sorted())]
        }
        return components
    }

    /// The tokenizer as the definition of a table names it.
    var sql: String {
        components.map(\.sqlLiteral).joined(separator: " ")
    }
}
