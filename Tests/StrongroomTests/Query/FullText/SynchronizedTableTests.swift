import Strongroom
import StrongroomTestSupport
import Testing

/// Full-text tables that follow another table.
@Suite struct SynchronizedTableTests {
    let schema: SchemaFixture

    init() throws {
        schema = try SchemaFixture()
        try schema.queue.write { db throws in
            try db.create(table: "book") { t in
                t.autoIncrementedPrimaryKey("id")
                t.column("title", .text)
                t.column("the \"text\"", .text)
            }
            try db.execute(
                sql: """
                    INSERT INTO book(title, "the ""text""\") VALUES ('sea', 'old one'), (NULL, 'two')
                    """)
        }
    }

    private func found(_ text: String, in table: String, _ db: Database) throws -> [Int] {
        let request: SQLRequest<Int> = """
            SELECT id FROM book JOIN \(identifier: table) AS f ON f.rowid = book.id
            WHERE \(identifier: table) MATCH \(text) ORDER BY id
            """
        return try request.fetchAll(db)
    }

    private func checkThatItFollows(_ table: String, _ db: Database) throws {
        func expect(_ text: String, _ ids: [Int]) throws {
            let found = try found(text, in: table, db)
            #expect(found == ids, "\(text) in \(table)")
        }
        try expect("sea", [1])
        try expect("two", [2])
        try db.execute(sql: "INSERT INTO book(title) VALUES ('sea'), ('storm')")
        try expect("sea", [1, 3])
        try db.execute(sql: "UPDATE book SET title = 'storm', id = 9 WHERE id = 1")
        try expect("sea", [3])
        try expect("storm", [4, 9])
        try expect("old", [9])
        try db.execute(sql: "DELETE FROM book WHERE id IN (3, 4)")
        try expect("sea", [])
        try expect("storm", [9])
        let name = table.quotedDatabaseIdentifier
        try db.execute(sql: "INSERT INTO \(name)(\(name)) VALUES ('integrity-check')")
    }

    @Test(.needsFTS5, .proves("FTS-012", "FTS-013"))
    func `An FTS5 table follows another one, until its triggers are dropped`() throws {
        try schema.queue.write { db throws in
            try db.create(virtualTable: "book's \"ft\"", using: FTS5()) { t in
                t.synchronize(withTable: "book")
                #expect(t.content == "book")
                t.column("title")
                t.column("the \"text\"")
            }
            #expect(
                try String.fetchSet(
                    db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
                    == ["__book's \"ft\"_ai", "__book's \"ft\"_ad", "__book's \"ft\"_au"])
            try checkThatItFollows("book's \"ft\"", db)
            try db.drop(table: "book's \"ft\"")
            #expect(DatabaseError.thrown { try db.execute(sql: "DELETE FROM book") } != nil)
            try db.dropFTS5SynchronizationTriggers(forTable: "book's \"ft\"")
            try db.execute(sql: "DELETE FROM book")
            try db.dropFTS5SynchronizationTriggers(forTable: "book's \"ft\"")
        }
    }

    @Test(.proves("FTS-012", "FTS-013"))
    func `An FTS4 table follows another one, until its triggers are dropped`() throws {
        try schema.queue.write { db throws in
            try db.create(virtualTable: "book_ft", using: FTS4()) { t in
                t.synchronize(withTable: "book")
                #expect(t.content == "book")
                t.column("title")
                t.column("the \"text\"")
            }
            #expect(
                try String.fetchSet(
                    db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'")
                    == ["__book_ft_ai", "__book_ft_au", "__book_ft_bd", "__book_ft_bu"])
            try checkThatItFollows("book_ft", db)
            try db.drop(table: "book_ft")
            #expect(DatabaseError.thrown { try db.execute(sql: "DELETE FROM book") } != nil)
            try db.dropFTS4SynchronizationTriggers(forTable: "book_ft")
            try db.execute(sql: "DELETE FROM book")
        }
    }

    @Test(.proves("FTS-013"))
    func `The triggers of very old databases bear the name of the content table`() throws {
        try schema.queue.write { db throws in
            for suffix in ["ai", "ad", "au", "bd", "bu"] {
                try db.execute(
                    sql: """
                        CREATE TRIGGER __book_\(suffix) AFTER INSERT ON book BEGIN
                        INSERT INTO gone(gone) VALUES ('x'); END
                        """)
            }
            try db.dropFTS5SynchronizationTriggers(forTable: "book_ft")
            try db.dropFTS4SynchronizationTriggers(forTable: "book_ft")
            let triggers = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger'"
            #expect(try Int.fetchOne(db, sql: triggers) == 5)
            try db.dropFTS5SynchronizationTriggers(forTable: "book")
            try db.dropFTS4SynchronizationTriggers(forTable: "book")
            #expect(try Int.fetchOne(db, sql: triggers) == 0)
        }
    }

    @Test(.needsFTS5, .proves("FTS-012"))
    func `What can't be followed is refused, and leaves nothing behind`() throws {
        try schema.queue.write { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE without(a TEXT PRIMARY KEY) WITHOUT ROWID;
                    CREATE TABLE hidden(a, rowid, _rowid_, oid);
                    CREATE TABLE half(a, rowid);
                    CREATE VIEW seen AS SELECT title AS a FROM book;
                    INSERT INTO half(a, rowid) VALUES ('sea', 'x');
                    """)
            func message(fts5 table: String) -> String? {
                DatabaseError.thrown {
                    try db.create(virtualTable: "ft", using: FTS5()) { t in
                        t.synchronize(withTable: table)
                        t.column("a")
                    }
                }?.message
            }
            func message(fts4 table: String) -> String? {
                DatabaseError.thrown {
                    try db.create(virtualTable: "ft", using: FTS4()) { t in
                        t.synchronize(withTable: table)
                        t.column("a")
                    }
                }?.message
            }
            #expect(
                message(fts5: "without")
                    == "table without is WITHOUT ROWID: no full-text table can follow it")
            #expect(message(fts4: "without") == message(fts5: "without"))
            for table in ["missing", "seen", "hidden", "half", "book"] {
                #expect(message(fts5: table) != nil, "FTS5 and \(table)")
                #expect(message(fts4: table) != nil, "FTS4 and \(table)")
            }
            #expect(message(fts5: "book") == "table book has no column named a")
            #expect(
                try Int.fetchOne(
                    db,
                    sql: """
                        SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger' OR name LIKE 'ft%'
                        """) == 0)
        }
    }

    @Test(.needsFTS5)
    func `Rows that can't be indexed make no table, and leave the transaction as it was`()
        throws
    {
        try schema.queue.inTransaction { db throws in
            db.add(tokenizer: FailingTokenizer.self)
            try db.execute(sql: "INSERT INTO book(title) VALUES ('good'), ('bad')")
            let error = DatabaseError.thrown {
                try db.create(virtualTable: "ft", using: FTS5()) { t in
                    t.synchronize(withTable: "book")
                    t.tokenizer = FailingTokenizer.tokenizerDescriptor()
                    t.column("title")
                }
            }
            #expect(error?.resultCode == .SQLITE_ERROR)
            #expect(
                try Int.fetchOne(
                    db,
                    sql: """
                        SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger' OR name LIKE 'ft%'
                        """) == 0)
            return .commit
        }
        let count = try schema.queue.read { try Table("book").fetchCount($0) }
        #expect(count == 4)
    }

    @Test(.needsFTS5, .proves("FTS-014"))
    func `The table that has the texts does not match by itself`() throws {
        try schema.queue.write { db throws in
            try db.create(virtualTable: "ft", using: FTS5()) { t in
                t.synchronize(withTable: "book")
                t.column("title")
            }
            let pattern = try #require(FTS5Pattern(matchingPhrase: "sea"))
            let error = DatabaseError.thrown {
                _ = try Table("book").filter(Column("title").match(pattern)).fetchAll(db)
            }
            #expect(error?.message == "unable to use function MATCH in the requested context")
            let match = Table("ft").matching(pattern).select(Column.rowID)
            #expect(
                try Table("book").filter(match.contains(Column("id"))).fetchCount(db) == 1)
        }
    }

    @Test(.needsFTS5, .proves("FTS-020"))
    func `A temporary table can be searched`() throws {
        try schema.queue.write { db throws in
            try db.create(virtualTable: "a", options: .temporary, using: FTS5()) { $0.column("x") }
            try db.create(virtualTable: "b", options: .temporary, using: FTS4()) { $0.column("x") }
            try db.execute(sql: "INSERT INTO a VALUES ('sea'); INSERT INTO b VALUES ('sea')")
            #expect(try Table("a").matching(FTS5Pattern(matchingPhrase: "sea")).fetchCount(db) == 1)
            #expect(try Table("b").matching(FTS3Pattern(matchingPhrase: "sea")).fetchCount(db) == 1)
        }
    }

    @Test(.needsFTS5, .proves("FTS-020"))
    func `A temporary FTS5 table can't follow another one`() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try DatabaseQueue().write { db throws in
                try db.create(table: "book") { $0.column("x") }
                try db.create(virtualTable: "ft", options: .temporary, using: FTS5()) { t in
                    t.synchronize(withTable: "book")
                }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Temporary external content FTS5 tables are not supported."))
    }

    @Test(.proves("FTS-020"))
    func `A temporary FTS4 table can't follow another one`() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            try DatabaseQueue().write { db throws in
                try db.create(table: "book") { $0.column("x") }
                try db.create(virtualTable: "ft", options: .temporary, using: FTS4()) { t in
                    t.synchronize(withTable: "book")
                }
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Temporary external content FTS4 tables are not supported."))
    }
}
