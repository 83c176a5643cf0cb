/// What names a tokenizer of FTS3 and FTS4, with its arguments.
///
/// <https://www.sqlite.org/fts3.html#tokenizer>
public struct FTS3TokenizerDescriptor: Hashable, Sendable {
    private let name: String
    private let arguments: [String]

    private init(_ name: String, _ arguments: [String] = []) {
        self.name = name
        self.arguments = arguments
    }

    /// The tokenizer that knows letters and digits of ASCII, and takes all other characters for them.
    public static let simple = FTS3TokenizerDescriptor("simple")

    /// The tokenizer that reduces English words to their stems.
    public static let porter = FTS3TokenizerDescriptor("porter")

    /// The tokenizer that knows Unicode 6.1.
    ///
    /// - Parameters:
    ///   - diacritics: What becomes of accents.
    ///   - separators: Characters that separate tokens too.
    ///   - tokenCharacters: Characters that are parts of tokens too.
    public static func unicode61(
        diacritics: FTS3.Diacritics = .removeLegacy, separators: Set<Character> = [],
        tokenCharacters: Set<Character> = []
    ) -> FTS3TokenizerDescriptor {
        var arguments: [String] = []
        if let number = diacritics.number { arguments.append("remove_diacritics=\(number)") }
        if !separators.isEmpty { arguments.append("separators=" + text(separators)) }
        if !tokenCharacters.isEmpty { arguments.append("tokenchars=" + text(tokenCharacters)) }
        return FTS3TokenizerDescriptor("unicode61", arguments)
    }

    // A NUL can't be written, and separates tokens anyway.
    private static func text(_ characters: Set<Character>) -> String {
        String(characters.sorted()).filter { $0 != "\0" }
    }

    /// The tokenizer as the definition of an FTS table names it, after `tokenize=`.
    var sql: String {
        ([name] + arguments.map(\.quotedDatabaseIdentifier)).joined(separator: " ")
    }

    /// The tokenizer as the definition of an `fts3tokenize` table names it.
    var tokenizeSQL: String {
        ([name] + arguments.map(\.quotedDatabaseIdentifier)).joined(separator: ", ")
    }
}
