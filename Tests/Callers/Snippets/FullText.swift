import Foundation
import Strongroom

// Full-text search with FTS5: these run where SQLCipher was built with it.

func fullTextSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try fullTextSnippets1(db, snippet)
    try fullTextSnippets2(db, snippet)
    try fullTextSnippets3(db, snippet)
}

func fullTextSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("full text with FTS5") {
        try db.create(virtualTable: "f5", using: FTS5()) { t in
            t.tokenizer = .porter(wrapping: .unicode61(diacritics: .keep))
            t.synchronize(withTable: "book")
            t.column("title")
            t.prefixes = [2, 3]
            t.columnSize = 0
            t.detail = "full"
        }
        let match = try db.makeFTS5Pattern(rawPattern: "emma OR iliad", forTable: "f5")
        let f5 = Table("f5").matching(match).order(Column.rank)
        try expect(
            try f5.fetchCount(db) == 2
                && FTS5Pattern(matchingPhrase: "emma")?.rawPattern == "\"emma\"")
        try expect(FTS5Pattern(matchingAllPrefixesIn: "em il")?.rawPattern == "em* il*")
        try db.drop(table: "f5")
        try db.dropFTS5SynchronizationTriggers(forTable: "f5")
    }
    try snippet("FTS5 pieces of a library") {
        let descriptor = FTS5TokenizerDescriptor.unicode61(
            diacritics: .removeLegacy, categories: "L*", separators: ["-"], tokenCharacters: ["_"])
        try expect(descriptor.components.first == "unicode61" && descriptor.components.count > 1)
        try expect(FTS5TokenizerDescriptor(components: ["ascii"]).components == ["ascii"])
        _ = FTS5.api(db)
        let tokens = try db.makeTokenizer(.ascii()).tokenize(query: "A b")
        try expect(tokens.map(\.token) == ["a", "b"] && tokens[0].flags.rawValue == 0)
        try expect(FTS5Tokenization.query != .document)
    }
    try snippet("FTS5 tokenizers of a library") {
        db.add(tokenizer: LongWords.self)
        db.add(tokenizer: Letters.self)
        try db.create(virtualTable: "doc", using: FTS5()) { t in
            t.tokenizer = LongWords.tokenizerDescriptor()
            t.column("body")
            t.column("hidden").notIndexed()
        }
        try db.execute(sql: "INSERT INTO doc VALUES ('to be or not to be', 'x')")
        try expect(
            try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM doc WHERE doc MATCH 'not'") == 1)
        let pattern = FTS5Pattern(matchingAnyTokenIn: "be")
        try expect(try Table("doc").matching(pattern).fetchCount(db) == 0)
        let tokenizer = try db.makeTokenizer(Letters.tokenizerDescriptor())
        try expect(try tokenizer.tokenize(document: "abc").map(\.token) == ["a", "b", "c"])
        try db.drop(table: "doc")
    }
}

/// A tokenizer that makes "1st" of "first", too.
final class Synonyms: FTS5WrapperTokenizer {
    static let name = "synonyms"
    let wrappedTokenizer: any FTS5Tokenizer

    init(db: Database, arguments: [String]) throws {
        wrappedTokenizer = try db.makeTokenizer(.unicode61())
    }

    func accept(
        token: String, flags: FTS5TokenFlags, for tokenization: FTS5Tokenization,
        tokenCallback: FTS5WrapperTokenCallback
    ) throws {
        try tokenCallback(token, flags)
        guard tokenization.contains(.query) == false, token == "first" else { return }
        try tokenCallback("1st", flags.union(.colocated))
    }
}

func fullTextSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("FTS5: patterns of each kind") {
        try db.create(virtualTable: "doc", using: FTS5()) { t in
            t.column("title")
            t.column("body")
        }
        try db.execute(
            sql:
                "INSERT INTO doc VALUES ('Moby-Dick', 'call me ishmael'), ('Emma', 'call a doctor')"
        )
        let doc = Table("doc")
        func count(_ pattern: FTS5Pattern?) throws -> Int {
            try doc.matching(pattern).fetchCount(db)
        }
        try expect(try count(FTS5Pattern(matchingAnyTokenIn: "ishmael emma")) == 2)
        try expect(try count(FTS5Pattern(matchingAllTokensIn: "ishmael call")) == 1)
        try expect(try count(FTS5Pattern(matchingAllPrefixesIn: "ish ca")) == 1)
        try expect(try count(FTS5Pattern(matchingPhrase: "call me")) == 1)
        try expect(try count(FTS5Pattern(matchingPrefixPhrase: "call me")) == 1)
        try expect(try count(FTS5Pattern(matchingPrefixPhrase: "me ishmael")) == 0)
        try expect(try count(FTS5Pattern(matchingAnyTokenIn: "...")) == 0)
        try expect(try count(db.makeFTS5Pattern(rawPattern: "title : emma", forTable: "doc")) == 1)
        try expectError(DatabaseError.self) {
            _ = try db.makeFTS5Pattern(rawPattern: "other : emma", forTable: "doc")
        }
        try expectError(DatabaseError.self) { _ = try FTS5Pattern(rawPattern: "AND") }
    }
    try snippet("FTS5: columns that match, and the rank") {
        let pattern = try FTS5Pattern(rawPattern: "call")
        let ranked = Table("doc").matching(pattern).order(Column.rank).select(Column("title"))
        try expect(try String.fetchAll(db, ranked).count == 2)
        let filtered = Table("doc").filter(
            Column("title").match(try FTS5Pattern(rawPattern: "emma")))
        try expect(try filtered.fetchCount(db) == 1)
        let literal: SQLRequest<String> =
            "SELECT title FROM doc WHERE doc MATCH \(pattern) ORDER BY rank"
        try expect(try literal.fetchAll(db).count == 2)
        try db.drop(table: "doc")
    }
    try snippet("FTS5: synonyms by colocated tokens") {
        db.add(tokenizer: Synonyms.self)
        try db.create(virtualTable: "doc", using: FTS5()) { t in
            t.tokenizer = Synonyms.tokenizerDescriptor()
            t.column("body")
        }
        try db.execute(sql: "INSERT INTO doc VALUES ('the first one')")
        let first = FTS5Pattern(matchingAllTokensIn: "1st")
        try expect(try Table("doc").matching(first).fetchCount(db) == 1)
        let tokens = try db.makeTokenizer(Synonyms.tokenizerDescriptor()).tokenize(
            document: "first")
        try expect(tokens.map(\.token) == ["first", "1st"] && tokens[1].flags.contains(.colocated))
        try expect(FTS5Tokenization.aux != .query && FTS5TokenFlags.colocated.rawValue == 1)
        try db.drop(table: "doc")
    }
}

func fullTextSnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("FTS5: external content by another name of the key") {
        try db.create(table: "page") { t in
            t.autoIncrementedPrimaryKey("number")
            t.column("body", .text)
        }
        try db.create(virtualTable: "page_ft", using: FTS5()) { t in
            t.content = "page"
            t.contentRowID = "number"
            t.column("body")
        }
        try db.execute(sql: "INSERT INTO page VALUES (5, 'a needle')")
        try db.execute(sql: "INSERT INTO page_ft(rowid, body) VALUES (5, 'a needle')")
        let pattern = FTS5Pattern(matchingAllTokensIn: "needle")
        let row = try Row.fetchOne(
            db, Table("page_ft").select(Column.rowID, Column("body")).matching(pattern))
        try expect(row == ["rowid": 5, "body": "a needle"])
        try db.drop(table: "page_ft")
        try db.drop(table: "page")
    }
    try snippet("FTS5: tokenizers of SQLite") {
        func tokens(_ descriptor: FTS5TokenizerDescriptor, _ text: String) throws -> [String] {
            try db.makeTokenizer(descriptor).tokenize(document: text).map(\.token)
        }
        try expect(try tokens(.ascii(), "Été Fish") == ["Été", "fish"])
        try expect(try tokens(.ascii(separators: ["x"]), "axb") == ["a", "b"])
        try expect(try tokens(.unicode61(), "Été-Fish") == ["ete", "fish"])
        try expect(try tokens(.unicode61(diacritics: .keep), "Été") == ["été"])
        try expect(try tokens(.unicode61(tokenCharacters: ["-"]), "a-b") == ["a-b"])
        try expect(try tokens(.porter(), "fishing") == ["fish"])
        try expect(try tokens(.porter(wrapping: .ascii()), "databases") == ["databas"])
        try expect(
            FTS5TokenizerDescriptor.porter(wrapping: .ascii()).components == ["porter", "ascii"])
        try expectError(DatabaseError.self) {
            _ = try db.makeTokenizer(FTS5TokenizerDescriptor(components: ["nothing"]))
        }
    }
}
