import Strongroom
import StrongroomTestSupport
import Testing

/// Tables for full-text search, and the SQL that makes them.
@Suite struct FullTextTableTests {
    let schema: SchemaFixture

    init() throws {
        schema = try SchemaFixture()
    }

    /// The arguments of the module, of a table that SQLite accepted.
    private func arguments<Module: VirtualTableModule>(
        _ module: Module, _ define: @escaping (Module.TableDefinition) -> Void
    ) throws -> String {
        let sql = try schema.sql { try $0.create(virtualTable: "t", using: module, define) }
        try schema.queue.write { try $0.drop(table: "t") }
        let prefix = #"CREATE VIRTUAL TABLE "t" USING \#(module.moduleName)("#
        return try #require(sql.filter { $0.hasPrefix(prefix) }.first)
            .dropFirst(prefix.count).dropLast().description
    }

    @Test(.needsFTS5, .proves("FTS-001", "FTS-021"))
    func `Each kind makes its tables`() throws {
        let fts3: FTS3TableDefinition = FTS3().makeTableDefinition(
            configuration: try configuration())
        fts3.column("unused")
        try schema.queue.write { db throws in
            try db.create(virtualTable: "a", using: FTS3()) { (t: FTS3TableDefinition) in
                t.column("title")
            }
            try db.create(virtualTable: "b", using: FTS4()) { (t: FTS4TableDefinition) in
                let column: FTS4ColumnDefinition = t.column("title")
                _ = column
            }
            try db.create(virtualTable: "c", using: FTS5()) { (t: FTS5TableDefinition) in
                let column: FTS5ColumnDefinition = t.column("title")
                _ = column
            }
            for table in ["a", "b", "c"] {
                let definition = try String.fetchOne(
                    db, sql: "SELECT sql FROM sqlite_master WHERE name = ?", arguments: [table])
                let number = ["a": 3, "b": 4, "c": 5][table] ?? 0
                #expect(
                    definition
                        == #"CREATE VIRTUAL TABLE "\#(table)" USING fts\#(number)("title")"#)
            }
        }
    }

    private func configuration() throws -> VirtualTableConfiguration {
        var configuration: VirtualTableConfiguration?
        try schema.queue.write { db throws in
            try db.create(virtualTable: "v", using: VirtualTableTests.Search()) {
                configuration = $0.configuration
            }
        }
        return try #require(configuration)
    }

    @Test(.proves("FTS-002", "FTS-004", "FTS-021"))
    func `FTS3 and FTS4 have their options`() throws {
        #expect(try arguments(FTS3()) { $0.column("a") } == #""a""#)
        #expect(
            try arguments(FTS3()) { t in
                t.column("a")
                t.tokenizer = .porter
            } == #""a", tokenize=porter"#)
        #expect(
            try arguments(FTS4()) { t in
                t.tokenizer = .simple
                t.column("a")
                t.column("b").notIndexed()
                t.column("c").asLanguageId()
                t.matchinfo = "fts3"
                t.prefixes = [4, 2]
            } == #"""
                "a", "b", tokenize=simple, matchinfo='fts3', prefix='2,4', notindexed='b', languageid='c'
                """#)
        let unicode: [(FTS3TokenizerDescriptor, String)] = [
            (.unicode61(), "unicode61"),
            (.unicode61(diacritics: .keep), #"unicode61 "remove_diacritics=0""#),
            (.unicode61(diacritics: FTS3.Diacritics.removeLegacy), "unicode61"),
            (.unicode61(diacritics: .remove), #"unicode61 "remove_diacritics=2""#),
            (
                .unicode61(separators: ["X", "'"], tokenCharacters: ["\"", "-"]),
                #"unicode61 "separators='X" "tokenchars=""-""#
            ),
        ]
        for (tokenizer, sql) in unicode {
            let arguments = try arguments(FTS4()) { t in
                t.column("a")
                t.tokenizer = tokenizer
            }
            #expect(arguments == #""a", tokenize=\#(sql)"#)
        }
    }

    @Test(.proves("FTS-002"))
    func `FTS4 compresses texts by functions of the app, and keeps none if told so`() throws {
        try schema.queue.write { db throws in
            db.add(function: DatabaseFunction("squeeze", argumentCount: 1) { _ in "small" })
            db.add(function: DatabaseFunction("unsqueeze", argumentCount: 1) { _ in "large" })
            try db.create(virtualTable: "a", using: FTS4()) { t in
                t.column("x")
                t.compress = "squeeze"
                t.uncompress = "unsqueeze"
            }
            try db.execute(sql: "INSERT INTO a VALUES ('text')")
            #expect(try String.fetchAll(db, sql: "SELECT x FROM a") == ["large"])
            #expect(try String.fetchAll(db, sql: "SELECT c0x FROM a_content") == ["small"])
            try db.create(virtualTable: "b", using: FTS4()) { t in
                t.column("x")
                t.content = ""
            }
            try db.execute(sql: "INSERT INTO b(docid, x) VALUES (7, 'text')")
            #expect(try Int.fetchAll(db, sql: "SELECT docid FROM b WHERE b MATCH 'text'") == [7])
            #expect(try !db.tableExists("b_content"))
        }
    }

    @Test(.proves("FTS-002"))
    func `A language is a column that is hidden`() throws {
        try schema.queue.write { db throws in
            try db.create(virtualTable: "a", using: FTS4()) { t in
                t.column("x")
                t.column("lang").asLanguageId()
                t.column("y").notIndexed()
            }
            try db.execute(
                sql: """
                    INSERT INTO a(x, y, lang) VALUES ('one', 'hidden', 1), ('one', 'hidden', 2);
                    """)
            let pattern = FTS3Pattern(matchingPhrase: "one")
            let found = Table("a").matching(pattern).filter(Column("lang") == 2)
            #expect(try found.fetchCount(db) == 1)
            #expect(try found.fetchOne(db)?.columnNames.map { $0 } == ["x", "y"])
            #expect(
                try Table("a").matching(FTS3Pattern(matchingPhrase: "hidden")).fetchCount(db) == 0)
        }
    }

    @Test(.needsFTS5, .proves("FTS-003", "FTS-004", "FTS-021"))
    func `FTS5 has its options`() throws {
        #expect(
            try arguments(FTS5()) { t in
                t.column("a")
                t.column("b").notIndexed()
                t.prefixes = [4, 2]
                t.columnSize = 0
                t.detail = "column"
            } == #""a", "b" UNINDEXED, prefix='2 4', columnsize='0', detail='column'"#)
        #expect(
            try arguments(FTS5()) { t in
                t.column("a")
                t.content = "it's"
                t.contentRowID = "the \"id\""
            } == #""a", content='it''s', content_rowid='the "id"'"#)
        let tokenizers: [(FTS5TokenizerDescriptor, [String])] = [
            (.ascii(), ["ascii"]),
            (
                .ascii(separators: ["b", "a"], tokenCharacters: ["-", "'"]),
                ["ascii", "separators", "ab", "tokenchars", "'-"]
            ),
            (.unicode61(), ["unicode61"]),
            (
                .unicode61(diacritics: FTS5.Diacritics.keep),
                ["unicode61", "remove_diacritics", "0"]
            ),
            (.unicode61(diacritics: .removeLegacy), ["unicode61"]),
            (.unicode61(diacritics: .remove), ["unicode61", "remove_diacritics", "2"]),
            (
                .unicode61(categories: "L* N*", separators: ["x"], tokenCharacters: ["."]),
                ["unicode61", "categories", "L* N*", "separators", "x", "tokenchars", "."]
            ),
            (.porter(), ["porter"]),
            (.porter(wrapping: .ascii(separators: ["x"])), ["porter", "ascii", "separators", "x"]),
        ]
        for (tokenizer, components) in tokenizers {
            #expect(tokenizer.components == components)
            let arguments = try arguments(FTS5()) { t in
                t.column("a")
                t.tokenizer = tokenizer
            }
            let words = components.map { "'\($0.replacing("'", with: "''"))'" }
            let text = words.joined(separator: " ").replacing("'", with: "''")
            #expect(arguments == #""a", tokenize='\#(text)'"#)
        }
    }

    @Test(.needsFTS5, .proves("FTS-004"))
    func `Accents are kept or removed as the tokenizer says`() throws {
        // A letter with two accents, which the older way of removing leaves.
        let text = "\u{e9} \u{1ed9}"
        let kept: [(FTS5.Diacritics?, FTS3.Diacritics?, [String])] = [
            (.keep, .keep, ["\u{e9}", "\u{1ed9}"]),
            (.removeLegacy, .removeLegacy, ["e", "\u{1ed9}"]),
            (.remove, .remove, ["e", "o"]), (nil, nil, ["e", "\u{1ed9}"]),
        ]
        try schema.queue.read { db throws in
            for (fts5, fts3, tokens) in kept {
                let tokenizer = try db.makeTokenizer(
                    fts5.map { .unicode61(diacritics: $0) } ?? .unicode61())
                #expect(try tokenizer.tokenize(document: text).map(\.token) == tokens)
                #expect(
                    FTS3.tokenize(
                        text, withTokenizer: fts3.map { .unicode61(diacritics: $0) } ?? .unicode61()
                    )
                        == tokens)
            }
        }
    }

    @Test(.needsFTS5, .proves("FTS-015"))
    func `Rows have a number that is hidden`() throws {
        struct Page: Codable, FetchableRecord, MutablePersistableRecord {
            static var databaseSelection: [any SQLSelectable] { [AllColumns(), Column.rowID] }
            static let databaseTableName = "page"
            var rowid: Int64?
            var text: String

            mutating func didInsert(_ inserted: InsertionSuccess) { rowid = inserted.rowID }
        }
        for module in ["fts3(text)", "fts4(text)", "fts5(text)"] {
            try schema.queue.write { db throws in
                try db.create(virtualTable: "page", using: module)
                let key = try db.primaryKey("page")
                #expect(key.isRowID && key.columns == ["rowid"])
                var page = Page(rowid: nil, text: "a text")
                try page.insert(db)
                #expect(page.rowid == 1)
                page.text = "another"
                try page.update(db)
                #expect(try Page.fetchOne(db, key: 1)?.text == "another")
                #expect(
                    try Row.fetchOne(db, sql: "SELECT * FROM page")?.columnNames.map { $0 }
                        == ["text"])
                try db.drop(table: "page")
            }
        }
    }

    @Test(.needsFTS5) func `What SQLite refuses leaves no table behind`() throws {
        try schema.queue.write { db throws in
            let messages = [
                DatabaseError.thrown {
                    try db.create(virtualTable: "t", using: FTS5()) { $0.column("rank") }
                },
                DatabaseError.thrown {
                    try db.create(virtualTable: "t", using: FTS5()) { t in
                        t.column("a")
                        t.tokenizer = FTS5TokenizerDescriptor(components: ["it's missing"])
                    }
                },
                DatabaseError.thrown {
                    try db.create(virtualTable: "t", using: FTS5()) { t in
                        t.column("a")
                        t.prefixes = [0]
                    }
                },
                DatabaseError.thrown {
                    try db.create(virtualTable: "t", using: FTS4()) { t in
                        t.column("a\0b")
                    }
                },
                DatabaseError.thrown {
                    try db.create(virtualTable: "t", using: FTS4()) { t in
                        t.column("a")
                        t.matchinfo = "none'); DROP TABLE t"
                    }
                },
            ]
            for message in messages { #expect(message != nil) }
            #expect(try !db.tableExists("t"))
        }
    }

    @Test(.needsFTS5, .proves("FTS-018"))
    func `Full-text search is there, and says so where FTS5 is missing`() throws {
        let options = try schema.queue.read { db throws in
            try String.fetchSet(db, sql: "PRAGMA compile_options")
        }
        #expect(options.isSuperset(of: ["ENABLE_FTS3", "ENABLE_FTS4", "ENABLE_FTS5"]))
        try schema.queue.inDatabase { db throws in
            // As in a SQLCipher without FTS5, nothing answers to the name of its function.
            db.remove(function: DatabaseFunction("fts5", argumentCount: 1) { _ in nil })
            let error = DatabaseError.thrown {
                try db.create(virtualTable: "t", using: FTS5()) { $0.column("a") }
            }
            #expect(error?.message?.hasPrefix("this SQLCipher has no FTS5") == true)
            #expect(
                DatabaseError.thrown { _ = try db.makeTokenizer(.ascii()) }?.message
                    == error?.message)
            // To add a tokenizer is no error: what would use it is.
            db.add(tokenizer: LatinAsciiTokenizer.self)
            try db.create(virtualTable: "t", using: FTS4()) { $0.column("a") }
        }
    }
}
