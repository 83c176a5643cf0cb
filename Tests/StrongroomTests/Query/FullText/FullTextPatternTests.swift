import Strongroom
import StrongroomTestSupport
import Testing

/// What may be looked for, and what is found.
@Suite struct FullTextPatternTests {
    struct Book: Codable, Equatable, FetchableRecord, PersistableRecord {
        var title: String
        var text: String
    }

    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
    }

    private func write(using module: String, _ body: (Database) throws -> Void) throws {
        try queue.write { db throws in
            try db.create(virtualTable: "book", using: module)
            try Book(title: "The sea", text: "A storm at sea, and foobar").insert(db)
            try Book(title: "A storm", text: "Foo and bar").insert(db)
            try Book(title: "Bar", text: "Été").insert(db)
            try body(db)
        }
    }

    private func titles(_ request: QueryInterfaceRequest<Book>, _ db: Database) throws -> [String] {
        try request.order(Column.rowID).fetchAll(db).map(\.title)
    }

    @Test(.proves("FTS-007"))
    func `Patterns of FTS3 are made of any text`() throws {
        #expect(FTS3Pattern(matchingAnyTokenIn: "Foo, BAR!")?.rawPattern == "foo OR bar")
        #expect(FTS3Pattern(matchingAllTokensIn: "Foo, BAR!")?.rawPattern == "foo bar")
        #expect(FTS3Pattern(matchingAnyTokenIn: "foo \u{e9}")?.rawPattern == "foo OR \"\u{e9}\"")
        #expect(FTS3Pattern(matchingAllPrefixesIn: "foo bar")?.rawPattern == "foo* bar*")
        #expect(FTS3Pattern(matchingPhrase: "foo \"bar")?.rawPattern == "\"foo bar\"")
        for text in ["", "*", " ", "\"", "\0", "-()"] {
            #expect(FTS3Pattern(matchingAnyTokenIn: text) == nil)
            #expect(FTS3Pattern(matchingAllTokensIn: text) == nil)
            #expect(FTS3Pattern(matchingAllPrefixesIn: text) == nil)
            #expect(FTS3Pattern(matchingPhrase: text) == nil)
        }
        #expect(try FTS3Pattern(rawPattern: "foo NEAR/3 bar").rawPattern == "foo NEAR/3 bar")
        for module in ["fts3(title, text)", "fts4(title, text)"] {
            try write(using: module) { db throws in
                func find(_ pattern: FTS3Pattern?) throws -> [String] {
                    try titles(Book.matching(pattern), db)
                }
                #expect(
                    try find(FTS3Pattern(matchingAnyTokenIn: "storm bar"))
                        == ["The sea", "A storm", "Bar"])
                #expect(try find(FTS3Pattern(matchingAllTokensIn: "bar STORM")) == ["A storm"])
                #expect(
                    try find(FTS3Pattern(matchingAllPrefixesIn: "sto foo"))
                        == ["The sea", "A storm"])
                #expect(try find(FTS3Pattern(matchingPhrase: "foo and")) == ["A storm"])
                #expect(try find(nil) == [])
                try db.drop(table: "book")
            }
        }
    }

    @Test(.needsFTS5, .proves("FTS-008"))
    func `Patterns of FTS5 are made of any text`() throws {
        #expect(
            FTS5Pattern(matchingAnyTokenIn: "Foo AND, NEAR!")?.rawPattern == "foo OR and OR near")
        #expect(FTS5Pattern(matchingAllTokensIn: "Foo OR NOT")?.rawPattern == "foo or not")
        #expect(FTS5Pattern(matchingAllPrefixesIn: "foo bar")?.rawPattern == "foo* bar*")
        #expect(FTS5Pattern(matchingPhrase: "foo \"bar")?.rawPattern == "\"foo bar\"")
        #expect(FTS5Pattern(matchingPrefixPhrase: "foo bar")?.rawPattern == "^\"foo bar\"")
        for text in ["", "*", " ", "\"", "\0", "-()"] {
            #expect(FTS5Pattern(matchingAnyTokenIn: text) == nil)
            #expect(FTS5Pattern(matchingAllTokensIn: text) == nil)
            #expect(FTS5Pattern(matchingAllPrefixesIn: text) == nil)
            #expect(FTS5Pattern(matchingPhrase: text) == nil)
            #expect(FTS5Pattern(matchingPrefixPhrase: text) == nil)
        }
        try write(using: "fts5(title, text)") { db throws in
            func find(_ pattern: FTS5Pattern?) throws -> [String] {
                try titles(Book.matching(pattern), db)
            }
            #expect(
                try find(FTS5Pattern(matchingAnyTokenIn: "storm bar"))
                    == ["The sea", "A storm", "Bar"])
            #expect(try find(FTS5Pattern(matchingAllTokensIn: "bar STORM")) == ["A storm"])
            #expect(
                try find(FTS5Pattern(matchingAllPrefixesIn: "sto foo")) == ["The sea", "A storm"])
            #expect(try find(FTS5Pattern(matchingPhrase: "foo and")) == ["A storm"])
            #expect(
                try find(FTS5Pattern(matchingPrefixPhrase: "a storm")) == ["The sea", "A storm"])
            #expect(try find(FTS5Pattern(matchingPrefixPhrase: "storm at")) == [])
            #expect(try find(nil) == [])
            let raw = try db.makeFTS5Pattern(rawPattern: "title : sea NOT bar", forTable: "book")
            #expect(try find(raw) == ["The sea"])
            #expect(
                raw
                    == (try FTS5Pattern(
                        rawPattern: "title : sea NOT bar", allowedColumns: ["title"])))
        }
    }

    @Test(.needsFTS5, .proves("FTS-008", "FTS-009"))
    func `A raw pattern that is not valid is refused`() throws {
        func message(_ pattern: String, _ columns: [String] = []) -> String? {
            DatabaseError.thrown {
                _ = try FTS5Pattern(rawPattern: pattern, allowedColumns: columns)
            }?.message
        }
        #expect(message("foo AND bar") == nil)
        #expect(message("AND") == #"fts5: syntax error near "AND""#)
        #expect(message("missing: foo") == "no such column: missing")
        #expect(message("missing: foo", ["other"]) == "no such column: missing")
        #expect(message("missing: foo", ["other", "missing"]) == nil)
        #expect(message("\"foo") == "unterminated string")
        #expect(message("foo", ["rank"]) == "reserved fts5 column name: rank")
        let malformed = DatabaseError.thrown { _ = try FTS3Pattern(rawPattern: "\"foo") }
        #expect(malformed?.message == "malformed MATCH expression: [\"foo]")
        #expect(malformed?.resultCode == .SQLITE_ERROR)
        // FTS3 finds "foo" there, and FTS4 has nothing to find. Seed 1764028800001575 came to it.
        #expect(throws: DatabaseError.self) { try FTS3Pattern(rawPattern: "-^foo") }
        // The standard syntax has no such operators.
        for pattern in ["AND", "NOT", "(foo", "foo)", "missing: foo"]
        where !LinkedEngine.hasEnhancedQuerySyntax {
            _ = try FTS3Pattern(rawPattern: pattern)
        }
        try write(using: "fts5(title, text, detail='none')") { db throws in
            func message(_ pattern: String, _ table: String = "book") -> String? {
                DatabaseError.thrown {
                    _ = try db.makeFTS5Pattern(rawPattern: pattern, forTable: table)
                }?.message
            }
            #expect(message("foo") == nil)
            #expect(message("title: foo")?.contains("detail=none") == true)
            #expect(message("missing: foo") == "no such column: missing")
            #expect(message("AND") == #"fts5: syntax error near "AND""#)
            #expect(message("foo", "missing") == "no such table: missing")
            #expect(message("\"foo bar\"")?.contains("phrase queries are not supported") == true)
            try db.create(table: "plain") { $0.column("a") }
            #expect(message("foo", "plain")?.hasPrefix("no such column") == true)
        }
    }

    @Test(.needsFTS5, .proves("FTS-010"))
    func `Patterns are values`() throws {
        let fts5 = try #require(FTS5Pattern(matchingAllTokensIn: "sea storm"))
        let fts3 = try #require(FTS3Pattern(matchingAllTokensIn: "sea storm"))
        #expect(fts5.databaseValue == "sea storm".databaseValue)
        #expect(fts3.databaseValue == "sea storm".databaseValue)
        #expect(FTS5Pattern.fromDatabaseValue("a OR b".databaseValue)?.rawPattern == "a OR b")
        #expect(FTS3Pattern.fromDatabaseValue("a OR b".databaseValue)?.rawPattern == "a OR b")
        #expect(FTS5Pattern.fromDatabaseValue("AND".databaseValue) == nil)
        #expect(FTS3Pattern.fromDatabaseValue("\"".databaseValue) == nil)
        for value in [1.databaseValue, .null] {
            #expect(FTS5Pattern.fromDatabaseValue(value) == nil)
            #expect(FTS3Pattern.fromDatabaseValue(value) == nil)
        }
        for (module, pattern) in [
            ("fts5(title, text)", fts5 as any DatabaseValueConvertible),
            ("fts4(title, text)", fts3),
        ] {
            try write(using: module) { db throws in
                #expect(
                    try String.fetchAll(
                        db, sql: "SELECT title FROM book WHERE book MATCH ?", arguments: [pattern])
                        == ["The sea"])
                try db.drop(table: "book")
            }
        }
    }

    @Test(.needsFTS5, .proves("QRY-009", "FTS-010"))
    func `A request keeps what matches`() throws {
        for (module, isFTS5) in [("fts5(title, text)", true), ("fts4(title, text)", false)] {
            try write(using: module) { db throws in
                func expect(
                    _ request: some FetchRequest, _ sql: String,
                    _ location: SourceLocation = #_sourceLocation
                ) throws {
                    let text = try db.sql(of: request)
                    #expect(text == sql, sourceLocation: location)
                }
                let filtered = #"SELECT * FROM "book" WHERE "book" MATCH 'storm'"#
                if isFTS5 {
                    let pattern = FTS5Pattern(matchingPhrase: "storm")
                    let phrase = try #require(FTS5Pattern(matchingAnyTokenIn: "storm"))
                    try expect(Book.matching(phrase), filtered)
                    try expect(Table("book").matching(phrase), filtered)
                    try expect(Table<Book>("book").all().matching(phrase), filtered)
                    #expect(try Book.matching(pattern).fetchCount(db) == 2)
                    let none: FTS5Pattern? = nil
                    #expect(try Book.matching(none).fetchCount(db) == 0)
                    #expect(try Table("book").matching(none).fetchCount(db) == 0)
                } else {
                    let phrase = try #require(FTS3Pattern(matchingAnyTokenIn: "storm"))
                    try expect(Book.matching(phrase), filtered)
                    try expect(Table("book").matching(phrase), filtered)
                    try expect(Table<Book>("book").all().matching(phrase), filtered)
                    #expect(try Book.all().matching(phrase).fetchCount(db) == 2)
                    let none: FTS3Pattern? = nil
                    #expect(try Book.matching(none).fetchCount(db) == 0)
                    #expect(try Table("book").matching(none).fetchCount(db) == 0)
                }
                try db.drop(table: "book")
            }
        }
    }

    @Test(.needsFTS5, .proves("QRY-035", "FTS-010"))
    func `A column matches`() throws {
        let fts5 = try #require(FTS5Pattern(matchingAnyTokenIn: "storm"))
        let fts3 = try #require(FTS3Pattern(matchingAnyTokenIn: "storm"))
        let none: FTS3Pattern? = nil
        let sql = #"SELECT * FROM "book" WHERE "title" MATCH 'storm'"#
        try write(using: "fts5(title, text)") { db throws in
            let request = Book.filter(Column("title").match(fts5))
            #expect(try db.sql(of: request) == sql)
            #expect(try titles(request, db) == ["A storm"])
            try db.drop(table: "book")
        }
        try write(using: "fts4(title, text)") { db throws in
            let request = Book.filter(Column("title").match(fts3))
            #expect(try db.sql(of: request) == sql)
            #expect(try titles(request, db) == ["A storm"])
            #expect(try titles(Book.filter(Column("title").match(none)), db) == [])
        }
    }

    @Test(.needsFTS5) func `A table that has another name in the request matches, too`() throws {
        for module in ["fts5(title, text)", "fts4(title, text)"] {
            try write(using: module) { db throws in
                let alias = TableAlias<Book>(name: "b")
                let books = Book.aliased(alias)
                let fts5 = FTS5Pattern(matchingAnyTokenIn: "storm")
                let fts3 = FTS3Pattern(matchingAnyTokenIn: "storm")
                let request = module.hasPrefix("fts5") ? books.matching(fts5) : books.matching(fts3)
                #expect(
                    try db.sql(of: request) == """
                        SELECT "b".* FROM "book" "b" WHERE "b"."book" MATCH 'storm'
                        """)
                #expect(try request.fetchCount(db) == 2)
                #expect(try request.deleteAll(db) == 2)
                #expect(try Book.fetchCount(db) == 1)
                try db.drop(table: "book")
            }
        }
    }

    @Test(.needsFTS5, .proves("FTS-011"))
    func `FTS5 knows which rows match best`() throws {
        try write(using: "fts5(title, text)") { db throws in
            for _ in 0..<20 { try Book(title: "other", text: "words").insert(db) }
            try Book(title: "sea sea", text: "sea").insert(db)
            let request = Book.matching(FTS5Pattern(matchingPhrase: "sea")).order(Column.rank)
            #expect(
                try db.sql(of: request) == """
                    SELECT * FROM "book" WHERE "book" MATCH '"sea"' ORDER BY "rank"
                    """)
            #expect(try request.fetchAll(db).map(\.title) == ["sea sea", "The sea"])
            #expect(try request.reversed().fetchAll(db).map(\.title) == ["The sea", "sea sea"])
            try db.drop(table: "book")
        }
        try write(using: "fts4(title, text)") { db throws in
            let request = Book.matching(FTS3Pattern(matchingPhrase: "sea")).order(Column.rank)
            let error = DatabaseError.thrown { _ = try request.fetchAll(db) }
            #expect(error?.message?.hasPrefix("no such column") == true)
        }
    }

    @Test(.needsFTS5) func `Thousands of words of a user are looked for`() throws {
        let text = (0..<5000).map { "w\($0)" }.joined(separator: " ") + " storm"
        let repeated = String(repeating: "storm ", count: 5000)
        try write(using: "fts5(title, text)") { db throws in
            #expect(try Book.matching(FTS5Pattern(matchingAnyTokenIn: text)).fetchCount(db) == 2)
            for text in [text, repeated] {
                for pattern in [
                    FTS5Pattern(matchingAnyTokenIn: text), FTS5Pattern(matchingAllTokensIn: text),
                    FTS5Pattern(matchingAllPrefixesIn: text), FTS5Pattern(matchingPhrase: text),
                    FTS5Pattern(matchingPrefixPhrase: text),
                ] { _ = try Book.matching(pattern).fetchCount(db) }
            }
            try db.drop(table: "book")
        }
        try write(using: "fts4(title, text)") { db throws in
            for text in [text, repeated] {
                for pattern in [
                    FTS3Pattern(matchingAnyTokenIn: text), FTS3Pattern(matchingAllTokensIn: text),
                    FTS3Pattern(matchingAllPrefixesIn: text), FTS3Pattern(matchingPhrase: text),
                ] { _ = try Book.matching(pattern).fetchCount(db) }
            }
        }
    }
}
