import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct TableFetchingTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE number(value INTEGER);
                    INSERT INTO number VALUES (3), (1), (3);
                    CREATE TABLE name(value TEXT, other TEXT);
                    INSERT INTO name VALUES ('a', 'x'), (NULL, 'y'), ('a', 'z');
                    CREATE TABLE link(url TEXT);
                    INSERT INTO link VALUES ('https://a.example'), (NULL);
                    CREATE TABLE side(value TEXT);
                    INSERT INTO side VALUES ('left'), ('right');
                    CREATE TABLE blank(value)
                    """)
        }
    }

    enum Side: String, DatabaseValueConvertible { case left, right }

    struct Letter: DatabaseValueConvertible, Equatable {
        var text: String

        var databaseValue: DatabaseValue { text.databaseValue }

        static func fromDatabaseValue(_ dbValue: DatabaseValue) -> Self? {
            String.fromDatabaseValue(dbValue).map(Self.init)
        }
    }

    @Test(.proves("CMP-74"))
    func `A table of values gives the first column of its rows`() throws {
        try queue.read { db throws in
            let numbers = Table<Int64>("number")
            #expect(try numbers.fetchAll(db) == [3, 1, 3])
            #expect(try numbers.fetchSet(db) == [1, 3])
            #expect(try numbers.fetchOne(db) == 3)
            let cursor: FastDatabaseValueCursor<Int64> = try numbers.fetchCursor(db)
            #expect(try Array(cursor) == [3, 1, 3])
            #expect(try Table<Int>("blank").fetchAll(db).isEmpty)
            #expect(try Table<Int>("blank").fetchOne(db) == nil)
        }
    }

    @Test(.proves("CMP-74"))
    func `A table of optional values gives NULL as nil`() throws {
        try queue.read { db throws in
            let names = Table<String?>("name")
            #expect(try names.fetchAll(db) == ["a", nil, "a"])
            #expect(try names.fetchSet(db) == ["a", nil])
            #expect(try names.fetchOne(db) == "a")
            #expect(try Array(names.fetchCursor(db)) == ["a", nil, "a"])
            let links = Table<URL?>("link")
            #expect(try links.fetchAll(db) == [URL(string: "https://a.example"), nil])
            #expect(try links.fetchSet(db).count == 2)
            #expect(try links.fetchOne(db) == URL(string: "https://a.example"))
            #expect(try Array(links.fetchCursor(db)).count == 2)
            #expect(try Table<Letter?>("name").fetchAll(db).map { $0?.text } == ["a", nil, "a"])
        }
    }

    @Test(.proves("CMP-74"))
    func `A table of values that only convert is fetched as well`() throws {
        try queue.read { db throws in
            #expect(try Table<Side>("side").fetchAll(db) == [.left, .right])
            #expect(try Table<Side>("side").fetchSet(db) == [.left, .right])
            #expect(try Table<Side>("side").fetchOne(db) == .left)
            let cursor: DatabaseValueCursor<Letter> = try Table<Letter>("side").fetchCursor(db)
            #expect(try Array(cursor) == [Letter(text: "left"), Letter(text: "right")])
            #expect(throws: RowDecodingError.self) { try Table<String>("name").fetchAll(db) }
        }
    }

    @Test(.proves("CMP-74"))
    func `Generic code fetches a table of any values`() throws {
        func all<Value: DatabaseValueConvertible>(
            _ table: Table<Value>, _ db: Database
        ) throws -> [Value] {
            try table.fetchAll(db)
        }
        try queue.read { db throws in
            #expect(try all(Table<Int>("number"), db) == [3, 1, 3])
            #expect(try all(Table<Side>("side"), db) == [.left, .right])
        }
    }
}
