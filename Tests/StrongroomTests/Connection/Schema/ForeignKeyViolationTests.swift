import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct ForeignKeyViolationTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open { $0.foreignKeysEnabled = false }
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE author(id INTEGER PRIMARY KEY);
                    CREATE TABLE book(
                        id INTEGER PRIMARY KEY, authorId INTEGER REFERENCES author, name TEXT);
                    CREATE TABLE pair(
                        a INT PRIMARY KEY, b INT REFERENCES author(id)) WITHOUT ROWID;
                    """)
        }
    }

    private func breakBook() throws {
        try queue.write { try $0.execute(sql: "INSERT INTO book VALUES (1, 2, 'Moby-Dick')") }
    }

    @Test(.proves("INT-013"))
    func `The first violation is thrown, with its row`() throws {
        try queue.read { db throws in
            try db.checkForeignKeys()
            try db.checkForeignKeys(in: "BOOK")
        }
        try breakBook()
        try queue.read { db throws in
            for check in [{ try db.checkForeignKeys() }, { try db.checkForeignKeys(in: "book") }] {
                let error = DatabaseError.thrown(by: check)
                #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
                #expect(
                    error?.message == """
                        FOREIGN KEY constraint violation - from book(authorId) to author(id), in \
                        [id:1 authorId:2 name:"Moby-Dick"]
                        """)
            }
            try db.checkForeignKeys(in: "pair", in: "main")
            let error = DatabaseError.thrown { try db.checkForeignKeys(in: "nope") }
            #expect(error?.message == "no such table: nope")
        }
        try queue.write { db throws in
            try db.execute(sql: "DELETE FROM book; INSERT INTO pair VALUES (1, 3)")
            let error = DatabaseError.thrown { try db.checkForeignKeys() }
            #expect(
                error?.message
                    == "FOREIGN KEY constraint violation - from pair(b) to author(id)")
        }
    }

    @Test(.proves("INT-014", "INT-015"))
    func `All violations can be looked at`() throws {
        try breakBook()
        try queue.write { db throws in
            try db.execute(sql: "INSERT INTO pair VALUES (1, 3)")
            let all = try Array(db.foreignKeyViolations())
            #expect(Set(all.map(\.originTable)) == ["book", "pair"])
            let cursor = try db.foreignKeyViolations(in: "book")
            let book = try #require(try cursor.next())
            #expect(book.originRowID == 1 && book.destinationTable == "author")
            #expect(try db.foreignKeys(on: "book").map(\.id) == [book.foreignKeyId])
            #expect(
                book.description
                    == "FOREIGN KEY constraint violation - from book to author, in rowid 1")
            #expect(try book.failureDescription(db) == book.databaseError(db).message)
            let pair = try #require(try db.foreignKeyViolations(in: "pair", in: "main").next())
            #expect(pair.originRowID == nil)
            #expect(
                pair.description == "FOREIGN KEY constraint violation - from pair to author")
            let error = DatabaseError.thrown { _ = try db.foreignKeyViolations(in: "nope") }
            #expect(error?.message == "no such table: nope")
        }
    }
}
