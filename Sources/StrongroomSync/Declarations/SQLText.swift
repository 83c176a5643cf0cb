internal import StrongroomCore
internal import StrongroomSchema

// What the text of SQL says of it.

extension String {
    /// The words and names of SQL, with A to Z in lower case.
    var sqlWords: Set<String> {
        withSQLLexer { lexer in
            var words: Set<String> = []
            while let token = lexer.nextMeaningful() {
                let text = String(decoding: lexer.bytes[token.range], as: UTF8.self)
                switch token.kind {
                case .word: words.insert(text.asciiLowercased)
                case .quotedName: words.insert(String(text.dropFirst().dropLast()).asciiLowercased)
                default: break
                }
            }
            return words
        }
    }

    /// Whether an expression may have another value each time.
    var isChangingSQL: Bool {
        let lower = asciiLowercased
        return Self.changing.contains(where: lower.contains)
    }

    private static let changing = [
        "current_", "random", "now", "date(", "time(", "julianday", "strftime", "unixepoch", "uuid",
        "changes(", "last_insert",
    ]
}

extension StoredTable {
    /// The columns that expressions may name.
    func names(in expressions: [String]) -> [String] {
        let words = expressions.reduce(into: Set<String>()) { $0.formUnion($1.sqlWords) }
        return Set(columns.map(\.name.asciiLowercased)).intersection(words).sorted()
    }
}
