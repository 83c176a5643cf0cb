import CSQLCipher
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Tokenizers of SQLite and of the app.
@Suite struct TokenizerTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open { configuration in
            configuration.prepareDatabase { db in Self.addTokenizers(db) }
        }
    }

    private static func addTokenizers(_ db: Database) {
        db.add(tokenizer: LatinAsciiTokenizer.self)
        db.add(tokenizer: SynonymsTokenizer.self)
        db.add(tokenizer: OddTokenizer.self)
        db.add(tokenizer: FailingTokenizer.self)
    }

    @Test(.proves("FTS-005"))
    func `FTS3's tokenizers work without a table`() {
        #expect(FTS3.tokenize("SQLite database") == ["sqlite", "database"])
        #expect(
            FTS3.tokenize("SQLite database", withTokenizer: .porter) == ["sqlite", "databas"])
        #expect(FTS3.tokenize("\u{c9}t\u{e9} \u{c9}T") == ["\u{c9}t\u{e9}", "\u{c9}t"])
        #expect(FTS3.tokenize("\u{c9}t\u{e9}", withTokenizer: .unicode61()) == ["ete"])
        #expect(
            FTS3.tokenize(
                "a-b.c'd\"e", withTokenizer: .unicode61(tokenCharacters: ["-", "'", "\"", "\0"]))
                == ["a-b", "c'd\"e"])
        #expect(
            FTS3.tokenize("axb", withTokenizer: .unicode61(separators: ["x"])) == ["a", "b"])
        #expect(FTS3.tokenize("") == [])
    }

    @Test(.needsFTS5, .proves("FTS-006"))
    func `FTS5's tokenizers work without a table`() throws {
        try queue.read { db throws in
            let ascii = try db.makeTokenizer(.ascii())
            let tokens: [(token: String, flags: FTS5TokenFlags)] = try ascii.tokenize(
                document: "SQLite, \u{c9}t\u{e9}!")
            #expect(tokens.map(\.token) == ["sqlite", "\u{c9}t\u{e9}"])
            #expect(tokens.map(\.flags) == [[], []])
            #expect(try ascii.tokenize(query: "A b").map(\.token) == ["a", "b"])
            #expect(try ascii.tokenize(query: "").isEmpty)
            #expect(try ascii.tokenize(query: "a\0b").map(\.token) == ["a", "b"])
            let porter = try db.makeTokenizer(.porter(wrapping: .ascii(separators: ["x"])))
            #expect(
                try porter.tokenize(document: "databases axb").map(\.token)
                    == ["databas", "a", "b"])
            for components in [
                ["missing"], ["ascii", "wrong"], ["unicode61", "remove_diacritics", "9"],
            ] {
                let error = DatabaseError.thrown {
                    _ = try db.makeTokenizer(FTS5TokenizerDescriptor(components: components))
                }
                #expect(error?.resultCode == .SQLITE_ERROR)
            }
            let error = DatabaseError.thrown {
                _ = try db.makeTokenizer(FTS5TokenizerDescriptor(components: ["ascii\0", "x"]))
            }
            #expect(error?.resultCode == .SQLITE_MISUSE)
        }
    }

    @Test(.needsFTS5, .proves("FTS-006"))
    func `A tokenizer outlives its connection`() throws {
        let tokenizers = try DatabaseQueue().inDatabase { db throws in
            Self.addTokenizers(db)
            return UncheckedBox(
                [
                    try db.makeTokenizer(.unicode61()),
                    try db.makeTokenizer(LatinAsciiTokenizer.tokenizerDescriptor()),
                ])
        }
        for tokenizer in tokenizers.value {
            #expect(try tokenizer.tokenize(document: "\u{c9}t\u{e9}").map(\.token) == ["ete"])
        }
    }

    private struct UncheckedBox<Value>: @unchecked Sendable {
        // Safety: the connection it comes from is closed, and one thread uses it.
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    @Test(.needsFTS5, .proves("FTS-016", "UTL-011"))
    func `A wrapper changes tokens`() throws {
        try queue.write { db throws in
            try db.create(virtualTable: "t", using: FTS5()) { t in
                t.tokenizer = LatinAsciiTokenizer.tokenizerDescriptor()
                t.column("x")
            }
            try db.execute(sql: "INSERT INTO t VALUES ('\u{153}uvre \u{df}')")
            for word in ["oeuvre", "\u{153}uvre", "ss", "\u{152}UVRE"] {
                let pattern = FTS5Pattern(matchingAllTokensIn: word)
                #expect(try Table("t").matching(pattern).fetchCount(db) == 1, "\(word)")
            }
            // What is marked is what stands in the text.
            let pattern = FTS5Pattern(matchingAllTokensIn: "oeuvre")
            #expect(
                try Table("t").matching(pattern)
                    .select(sql: "highlight(t, 0, '[', ']')", as: String.self)
                    .fetchOne(db) == "[\u{153}uvre] \u{df}")
        }
    }

    @Test(.needsFTS5, .proves("FTS-016", "FTS-017", "UTL-011"))
    func `A wrapper gives synonyms`() throws {
        try queue.write { db throws in
            try db.create(virtualTable: "t", using: FTS5()) { t in
                t.tokenizer = SynonymsTokenizer.tokenizerDescriptor()
                t.column("x")
            }
            try db.execute(
                sql: "INSERT INTO t VALUES ('the first rain'), ('my 1st rain'), ('rain')")
            for word in ["first rain", "1st rain"] {
                let pattern = FTS5Pattern(matchingPhrase: word)
                #expect(try Table("t").matching(pattern).fetchCount(db) == 2)
            }
            let tokenizer = try db.makeTokenizer(SynonymsTokenizer.tokenizerDescriptor())
            let document = try tokenizer.tokenize(document: "first")
            #expect(Set(document.map(\.token)) == ["first", "1st"])
            #expect(document.map(\.flags) == [[], .colocated])
            #expect(try tokenizer.tokenize(query: "first").map(\.token) == ["first"])
        }
    }

    @Test(.needsFTS5, .proves("FTS-016"))
    func `A tokenizer knows what for`() throws {
        final class Noting: FTS5CustomTokenizer {
            static let name = "noting"
            static let purposes = Locked<[FTS5Tokenization]>([])
            static let arguments = Locked<[String]>([])
            private let ascii: any FTS5Tokenizer

            init(db: Database, arguments: [String]) throws {
                ascii = try db.makeTokenizer(.ascii())
                Self.arguments.withLock { $0 = arguments }
            }

            func tokenize(
                context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
                pText: UnsafePointer<CChar>?, nText: CInt,
                tokenCallback: @escaping FTS5TokenCallback
            ) -> CInt {
                Self.purposes.withLock { $0.append(tokenization) }
                return ascii.tokenize(
                    context: context, tokenization: tokenization, pText: pText, nText: nText,
                    tokenCallback: tokenCallback)
            }
        }
        let given = ["a", "it's", "", "the \"x\" \u{e9}"]
        try queue.write { db throws in
            db.add(tokenizer: Noting.self)
            try db.create(virtualTable: "t", using: FTS5()) { t in
                t.tokenizer = Noting.tokenizerDescriptor(arguments: given)
                t.column("x")
            }
            #expect(Noting.arguments.withLock { $0 } == given)
            try db.execute(sql: "INSERT INTO t VALUES ('sea')")
            _ = try Table("t").matching(FTS5Pattern(matchingAllPrefixesIn: "se"))
                .select(sql: "highlight(t, 0, '[', ']')", as: String.self).fetchAll(db)
            _ = try Table("t").matching(FTS5Pattern(matchingPhrase: "sea")).fetchAll(db)
        }
        let expected: [FTS5Tokenization] = [.document, [.query, .prefix], .query, .aux]
        let purposes = Noting.purposes.withLock { Set($0.map(\.rawValue)) }
        #expect(purposes == Set(expected.map(\.rawValue)))
    }

    @Test(.proves("FTS-016"))
    func `A descriptor is made of components`() {
        let descriptor = OddTokenizer.tokenizerDescriptor(arguments: ["a", "b"])
        #expect(descriptor.components == ["odd", "a", "b"])
        #expect(OddTokenizer.tokenizerDescriptor() == FTS5TokenizerDescriptor(components: ["odd"]))
    }

    @Test(.needsFTS5, .proves("FTS-016"))
    func `A descriptor without components is a bug`() async {
        await #expect(processExitsWith: .failure) {
            _ = FTS5TokenizerDescriptor(components: [])
        }
    }

    @Test(.needsFTS5, .proves("FTS-016"))
    func `Every connection of a pool has the tokenizers`() async throws {
        let fixture = try FixtureDatabase()
        let pool = try DatabasePool(
            path: fixture.path,
            configuration: FixtureDatabase.configuration { configuration in
                configuration.prepareDatabase { db in Self.addTokenizers(db) }
            })
        try await pool.write { db throws in
            try db.create(virtualTable: "t", using: FTS5()) { t in
                t.tokenizer = LatinAsciiTokenizer.tokenizerDescriptor()
                t.column("x")
            }
            try db.execute(sql: "INSERT INTO t VALUES ('\u{c9}t\u{e9}')")
        }
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await pool.read { db throws in
                        try Table("t").matching(FTS5Pattern(matchingPhrase: "ETE")).fetchCount(db)
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 1, count: 8))
        // Who lacks the tokenizer is told so, by newer versions of SQLite once it is needed.
        let other = try fixture.open()
        let error = try other.inDatabase { db throws in
            DatabaseError.thrown {
                _ = try Row.fetchAll(db, sql: "SELECT * FROM t WHERE t MATCH 'ete'")
            }
        }
        #expect(error?.message == "no such tokenizer: latinascii")
    }

    @Test(.needsFTS5, .proves("FTS-019"))
    func `FTS5's interface in C can be had`() throws {
        try queue.inDatabase { db throws in
            let interface: UnsafePointer<fts5_api> = FTS5.api(db)
            #expect(interface.pointee.iVersion >= 2)
            let callback: FTS5TokenCallback = { _, _, _, _, _, _ in 0 }
            #expect(callback(nil, 0, nil, 0, 0, 0) == 0)
            let wrapperCallback: FTS5WrapperTokenCallback = { _, _ in }
            try wrapperCallback("", [])
        }
    }

    @Test(.needsFTS5) func `What FTS5 keeps goes with its connection`() throws {
        final class Counted: FTS5CustomTokenizer {
            static let name = "counted"
            static let count = Locked(0)

            init(db: Database, arguments: [String]) { Self.count.withLock { $0 += 1 } }

            deinit { Self.count.withLock { $0 -= 1 } }

            func tokenize(
                context: UnsafeMutableRawPointer?, tokenization: FTS5Tokenization,
                pText: UnsafePointer<CChar>?, nText: CInt,
                tokenCallback: @escaping FTS5TokenCallback
            ) -> CInt { 0 }
        }
        var queue: DatabaseQueue? = try DatabaseQueue()
        try queue?.inDatabase { db throws in
            db.add(tokenizer: Counted.self)
            _ = try db.makeTokenizer(Counted.tokenizerDescriptor())
            #expect(Counted.count.withLock { $0 } == 0)
            try create(Counted.tokenizerDescriptor(), db)
            #expect(Counted.count.withLock { $0 } == 1)
        }
        queue = nil
        #expect(Counted.count.withLock { $0 } == 0)
    }
}
