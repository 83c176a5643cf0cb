import Foundation
import Strongroom

// Full-text search with FTS3 and FTS4.

func searchSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("FTS3: a table, its tokenizer and patterns") {
        try db.create(virtualTable: "f3", using: FTS3()) { t in
            t.column("title")
            t.column("body")
            t.tokenizer = .unicode61(diacritics: .remove, separators: ["-"], tokenCharacters: ["#"])
        }
        try db.execute(sql: "INSERT INTO f3 VALUES ('Café', 'a #tag in-between'), ('Tea', 'b')")
        let f3 = Table("f3")
        try expect(try f3.matching(FTS3Pattern(matchingAllTokensIn: "cafe")).fetchCount(db) == 1)
        try expect(try f3.matching(FTS3Pattern(matchingPhrase: "in between")).fetchCount(db) == 1)
        try expect(try f3.matching(FTS3Pattern(matchingAnyTokenIn: "tea café")).fetchCount(db) == 2)
        try expect(
            try f3.matching(FTS3Pattern(matchingAllPrefixesIn: "caf ta")).fetchCount(db) <= 1)
        let nothing: FTS3Pattern? = FTS3Pattern(matchingAllTokensIn: "")
        try expect(try nothing == nil && f3.matching(nothing).fetchCount(db) == 0)
        let column = f3.filter(Column("title").match(try FTS3Pattern(rawPattern: "tea")))
        try expect(try column.fetchCount(db) == 1)
        try expectError(DatabaseError.self) { _ = try FTS3Pattern(rawPattern: "\"") }
        try db.drop(table: "f3")
    }
    try snippet("FTS3.tokenize") {
        try expect(FTS3.tokenize("SQLite database") == ["sqlite", "database"])
        try expect(
            FTS3.tokenize("SQLite database", withTokenizer: .porter) == ["sqlite", "databas"])
        try expect(FTS3.tokenize("Été", withTokenizer: .unicode61()) == ["ete"])
        try expect(FTS3.tokenize("Été", withTokenizer: .unicode61(diacritics: .keep)) == ["été"])
    }
    try snippet("FTS4: columns, prefixes, options") {
        try db.create(virtualTable: "f4", options: .ifNotExists, using: FTS4()) { t in
            t.column("body")
            t.column("lang").asLanguageId()
            t.column("uuid").notIndexed()
            t.prefixes = [2, 4]
            t.matchinfo = "fts3"
        }
        try db.execute(
            sql: "INSERT INTO f4(body, uuid, lang) VALUES ('hello', 'u1', 1), ('hello', 'u2', 0)")
        let hello = FTS3Pattern(matchingAllPrefixesIn: "hel")
        try expect(try Table("f4").matching(hello).filter(Column("lang") == 1).fetchCount(db) == 1)
        let uuid = FTS3Pattern(matchingAnyTokenIn: "u1")
        try expect(try Table("f4").matching(uuid).fetchCount(db) == 0)
        try db.drop(table: "f4")
    }
    try searchSnippets2(db, snippet)
}

func searchSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("FTS4: a table of external content") {
        try db.create(virtualTable: "book_ft", using: FTS4()) { t in
            t.synchronize(withTable: "book")
            t.column("title")
        }
        let pattern = FTS3Pattern(matchingAllTokensIn: "emma")
        let request: SQLRequest<Book> = """
            SELECT book.* FROM book JOIN book_ft ON book_ft.rowid = book.id
            AND book_ft MATCH \(pattern)
            """
        try expect(try request.fetchAll(db).map(\.title) == ["Emma"])
        try db.execute(sql: "UPDATE book SET title = 'Emma Woodhouse' WHERE id = 3")
        let changed = FTS3Pattern(matchingAllTokensIn: "woodhouse")
        try expect(try Table("book_ft").matching(changed).fetchCount(db) == 1)
        try db.execute(sql: "UPDATE book SET title = 'Emma' WHERE id = 3")
        try expect(try Table("book_ft").matching(changed).fetchCount(db) == 0)
        try db.drop(table: "book_ft")
        try db.dropFTS4SynchronizationTriggers(forTable: "book_ft")
        try expect(
            try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger'")
                == 0)
    }
    try snippet("FTS4: contentless, and functions around the stored text") {
        try db.create(virtualTable: "f4", using: FTS4()) { t in
            t.column("body")
            t.content = ""
        }
        try db.execute(sql: "INSERT INTO f4(docid, body) VALUES (7, 'only the index')")
        let pattern = FTS3Pattern(matchingAllTokensIn: "index")
        try expect(
            try Int64.fetchOne(db, Table("f4").select(Column.rowID).matching(pattern)) == 7)
        try db.drop(table: "f4")
        let wrap = DatabaseFunction("wrap", argumentCount: 1, pure: true) { values in
            String.fromDatabaseValue(values[0]).map { String($0.reversed()) }
        }
        db.add(function: wrap)
        try db.create(virtualTable: "f4", using: FTS4()) { t in
            t.column("body")
            t.compress = "wrap"
            t.uncompress = "wrap"
        }
        try db.execute(sql: "INSERT INTO f4 VALUES ('abc def')")
        try expect(try String.fetchOne(db, sql: "SELECT c0body FROM f4_content") == "fed cba")
        try expect(try String.fetchOne(db, sql: "SELECT body FROM f4") == "abc def")
        try db.drop(table: "f4")
        db.remove(function: wrap)
    }
    try snippet("a virtual table by the name of its module") {
        try db.create(virtualTable: "f3", using: "fts3(a, b)")
        try db.create(virtualTable: "f3", options: .ifNotExists, using: "fts3(a)")
        try db.create(virtualTable: "f3", ifNotExists: true, using: "fts3(a)")
        try expect(try db.columns(in: "f3").map(\.name) == ["a", "b"])
        try expect(FTS3Pattern.fromDatabaseValue("a b".databaseValue)?.rawPattern == "a b")
        try db.drop(table: "f3")
    }
}
