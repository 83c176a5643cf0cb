import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct FullTextFuzzTests {
    /// What means something in a pattern, or could end a string.
    static let pieces = [
        "AND", "OR", "NOT", "NEAR", "NEAR/2", "(", ")", "\"", "'", "*", "^", "+", "-", ":", "{",
        "}",
        ",", "a", "title", "word", " ", "\0", "\u{1A}", "\n", "é", "\u{301}", "🐴", "\u{2014}", "_",
        "0", ".", "content", "--", ";", "\\", "İ", "ﬁ", "\u{FEFF}", "\u{FFFD}",
    ]

    /// Texts of users that are searched for, some thousands in each run.
    @Test(.needsFTS5) func `No text of a user makes an invalid pattern`() throws {
        try DatabaseQueue().inDatabase { db throws in
            let modules = [
                "fts3(title)", "fts4(title, tokenize=unicode61)", "fts5(title)",
                "fts5(title, prefix='2 3', tokenize='unicode61 tokenchars ''-_\"''')",
            ]
            for (index, module) in modules.enumerated() {
                try db.create(virtualTable: "t\(index)", using: module)
                try db.execute(sql: "INSERT INTO t\(index) VALUES ('a word, (é) NEAR -- title')")
            }
            let inputCount = try Fuzzing().run("patterns of full-text search") { generator in
                for _ in 0..<30 {
                    let text = generator.text(of: Self.pieces, upTo: 8)
                    for (index, module) in modules.enumerated() {
                        let table = Table("t\(index)")
                        let requests =
                            module.hasPrefix("fts5")
                            ? Self.fts5Patterns(text).map { table.matching($0) }
                            : Self.fts3Patterns(text).map { table.matching($0) }
                        for request in requests { _ = try request.fetchCount(db) }
                    }
                }
            }
            #expect(inputCount > 0)
        }
    }

    private static func fts5Patterns(_ text: String) -> [FTS5Pattern?] {
        [
            FTS5Pattern(matchingAnyTokenIn: text), FTS5Pattern(matchingAllTokensIn: text),
            FTS5Pattern(matchingAllPrefixesIn: text), FTS5Pattern(matchingPhrase: text),
            FTS5Pattern(matchingPrefixPhrase: text),
        ]
    }

    private static func fts3Patterns(_ text: String) -> [FTS3Pattern?] {
        [
            FTS3Pattern(matchingAnyTokenIn: text), FTS3Pattern(matchingAllTokensIn: text),
            FTS3Pattern(matchingAllPrefixesIn: text), FTS3Pattern(matchingPhrase: text),
        ]
    }

    @Test(.needsFTS5) func `A raw pattern is valid, or an error, and then finds or does not`()
        throws
    {
        try DatabaseQueue().inDatabase { db throws in
            try db.create(virtualTable: "t", using: "fts5(title)")
            try db.create(virtualTable: "u", using: "fts4(title)")
            let inputCount = try Fuzzing().run("raw patterns of full-text search") { generator in
                let text = generator.text(of: Self.pieces, upTo: 8)
                if let pattern = try? db.makeFTS5Pattern(rawPattern: text, forTable: "t") {
                    _ = try Table("t").matching(pattern).fetchCount(db)
                }
                if let pattern = try? FTS3Pattern(rawPattern: text) {
                    _ = try Table("u").matching(pattern).fetchCount(db)
                }
            }
            #expect(inputCount > 0)
        }
    }

    @Test(.needsFTS5) func `Names of tables and columns stay names`() throws {
        try DatabaseQueue().inDatabase { db throws in
            try db.execute(sql: "CREATE TABLE kept(a)")
            let inputCount = try Fuzzing().run("names of full-text tables") { generator in
                let name = "n" + generator.text(of: Self.pieces, upTo: 4)
                let column = "c" + generator.text(of: Self.pieces, upTo: 4)
                let characters = Set(generator.text(of: Self.pieces, upTo: 4))
                try db.inSavepoint {
                    try? db.create(virtualTable: name, using: FTS5()) { t in
                        t.column(column)
                        t.tokenizer = .unicode61(tokenCharacters: characters)
                    }
                    try? db.create(virtualTable: name + "4", using: FTS4()) { t in
                        t.column(column)
                        t.tokenizer = .unicode61(separators: characters)
                    }
                    if try db.tableExists(name) {
                        let columns = try db.columns(in: name).map(\.name)
                        try Fuzzing.expect(columns == [column], "\(columns) for \(column)")
                    }
                    try Fuzzing.expect(try db.tableExists("kept"), "dropped by \(name)")
                    return .rollback
                }
            }
            #expect(inputCount > 0)
        }
    }
}
