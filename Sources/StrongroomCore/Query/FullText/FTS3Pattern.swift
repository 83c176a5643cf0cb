/// What to look for in a table of FTS3 or FTS4.
///
///     let books = try Book.matching(FTS3Pattern(matchingAllTokensIn: "sea storm")).fetchAll(db)
///
/// Any text of a user may be given to the initialisers that search for tokens: what means something
/// to FTS3 is a word like others there, and punctuation is ignored.
///
/// <https://www.sqlite.org/fts3.html#full_text_index_queries>
public struct FTS3Pattern: Hashable, Sendable {
    /// The pattern in FTS3's syntax.
    public let rawPattern: String

    private init(validated rawPattern: String) {
        self.rawPattern = rawPattern
    }

    /// A pattern in FTS3's syntax.
    ///
    /// - Throws: `DatabaseError` when it is not valid, in tables of FTS3 or of FTS4.
    public init(rawPattern: String) throws {
        try DatabaseQueue().writeWithoutTransaction { db in
            // To FTS4 alone `^` means something: `-^word` is all that is not to be found.
            for module in ["fts3", "fts4"] {
                try db.execute(sql: "CREATE VIRTUAL TABLE \(module) USING \(module)()")
                _ = try Row.fetchOne(
                    db, sql: "SELECT NULL FROM \(module) WHERE \(module) MATCH ?",
                    arguments: [rawPattern])
            }
        }
        self.init(validated: rawPattern)
    }

    /// What contains at least one of the words of a text; nil if there is no word.
    public init?(matchingAnyTokenIn string: String) {
        self.init(wordsIn: string) { $0.map(Self.alternative).joined(separator: " OR ") }
    }

    /// What contains all words of a text, in any order; nil if there is no word.
    public init?(matchingAllTokensIn string: String) {
        self.init(wordsIn: string) { $0.joined(separator: " ") }
    }

    /// What contains words that begin with the words of a text; nil if there is no word.
    public init?(matchingAllPrefixesIn string: String) {
        self.init(wordsIn: string) { $0.map { $0 + "*" }.joined(separator: " ") }
    }

    /// What contains the words of a text one after the other; nil if there is no word.
    public init?(matchingPhrase string: String) {
        let tokens = PatternTokens.tokens(in: string)
        guard !tokens.isEmpty else { return nil }
        self.init(validated: "\"\(tokens.joined(separator: " "))\"")
    }

    private init?(wordsIn string: String, _ pattern: ([String]) -> String) {
        var tokens = PatternTokens.tokens(in: string)
        guard !tokens.isEmpty else { return nil }
        if tokens.count > Self.mostWords {
            var seen: Set<String> = []
            tokens = Array(tokens.filter { seen.insert($0).inserted }.prefix(Self.mostWords))
        }
        self.init(validated: pattern(tokens))
    }

    /// FTS3 refuses patterns of more than 4095 words: a text as long as that is searched for by its
    /// first words. <https://www.sqlite.org/fts3.html#full_text_index_queries>
    private static let mostWords = 2048

    /// A word beside `OR`. The tokenizer of a table may find nothing in it, such as in an accent
    /// alone: without quotes, `OR` would then have lost a side.
    private static func alternative(_ word: String) -> String {
        word.utf8.allSatisfy { $0 < 0x80 } ? word : "\"\(word)\""
    }
}

extension FTS3Pattern: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { rawPattern.databaseValue }

    /// Texts that are patterns.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> FTS3Pattern? {
        String.fromDatabaseValue(dbValue).flatMap { try? FTS3Pattern(rawPattern: $0) }
    }
}
