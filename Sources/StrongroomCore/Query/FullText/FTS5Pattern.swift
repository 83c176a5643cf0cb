/// What to look for in a table of FTS5.
///
///     let books = try Book.matching(FTS5Pattern(matchingAllTokensIn: "sea storm")).fetchAll(db)
///
/// Any text of a user may be given to the initialisers that search for tokens: what means something
/// to FTS5 is a word like others there, and punctuation is ignored.
///
/// <https://www.sqlite.org/fts5.html#full_text_query_syntax>
public struct FTS5Pattern: Hashable, Sendable {
    /// The pattern in FTS5's syntax.
    public let rawPattern: String

    private init(validated rawPattern: String) {
        self.rawPattern = rawPattern
    }

    /// A pattern in FTS5's syntax.
    ///
    /// - Parameters:
    ///   - rawPattern: A pattern in FTS5's own query syntax.
    ///   - allowedColumns: The columns that it may name. See also
    ///     `Database.makeFTS5Pattern(rawPattern:forTable:)`, which knows them.
    /// - Throws: `DatabaseError` when it is not valid.
    public init(rawPattern: String, allowedColumns: [String] = []) throws {
        // A table has at least one column. Nobody will write this name.
        let columns = allowedColumns.isEmpty ? ["\u{1A}strongroom\u{1A}"] : allowedColumns
        try DatabaseQueue().writeWithoutTransaction { db in
            try db.create(virtualTable: "document", using: FTS5()) { t in
                for column in columns { t.column(column) }
            }
            try db.validateFTS5Pattern(rawPattern, forTable: "document")
        }
        self.init(validated: rawPattern)
    }

    /// What contains at least one of the words of a text; nil if there is no word.
    public init?(matchingAnyTokenIn string: String) {
        self.init(tokensIn: string) { $0.joined(separator: " OR ") }
    }

    /// What contains all words of a text, in any order; nil if there is no word.
    public init?(matchingAllTokensIn string: String) {
        self.init(tokensIn: string) { $0.joined(separator: " ") }
    }

    /// What contains words that begin with the words of a text; nil if there is no word.
    public init?(matchingAllPrefixesIn string: String) {
        self.init(tokensIn: string) { $0.map { $0 + "*" }.joined(separator: " ") }
    }

    /// What contains the words of a text one after the other; nil if there is no word.
    public init?(matchingPhrase string: String) {
        self.init(tokensIn: string) { "\"\($0.joined(separator: " "))\"" }
    }

    /// What begins with the words of a text, one after the other; nil if there is no word.
    public init?(matchingPrefixPhrase string: String) {
        self.init(tokensIn: string) { "^\"\($0.joined(separator: " "))\"" }
    }

    private init?(tokensIn string: String, _ pattern: ([String]) -> String) {
        let tokens = PatternTokens.tokens(in: string)
        guard !tokens.isEmpty else { return nil }
        self.init(validated: pattern(tokens))
    }

    fileprivate init(rawPattern: String, forTable table: String, _ db: Database) throws {
        try db.validateFTS5Pattern(rawPattern, forTable: table)
        self.init(validated: rawPattern)
    }
}

extension FTS5Pattern: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { rawPattern.databaseValue }

    /// Texts that are patterns without the name of a column.
    public static func fromDatabaseValue(_ dbValue: DatabaseValue) -> FTS5Pattern? {
        String.fromDatabaseValue(dbValue).flatMap { try? FTS5Pattern(rawPattern: $0) }
    }
}

extension Database {
    /// A pattern in FTS5's syntax, for a table.
    ///
    ///     let pattern = try db.makeFTS5Pattern(rawPattern: "title: sea NOT storm", forTable: "book")
    ///
    /// - Throws: `DatabaseError` when it is not valid, or names a column that the table lacks.
    public func makeFTS5Pattern(
        rawPattern: String, forTable table: String
    ) throws -> FTS5Pattern {
        try FTS5Pattern(rawPattern: rawPattern, forTable: table, self)
    }

    /// Has FTS5 read a pattern, and search a row that is rarely there.
    fileprivate func validateFTS5Pattern(_ rawPattern: String, forTable table: String) throws {
        let table = table.quotedDatabaseIdentifier
        _ = try Row.fetchOne(
            self, sql: "SELECT NULL FROM \(table) WHERE \(table) MATCH ? AND rowid = 0",
            arguments: [rawPattern])
    }
}
