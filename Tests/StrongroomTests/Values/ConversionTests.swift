import CSQLCipher
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct ConversionTests {
    let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
    }

    @Test(
        .proves(
            "VAL-010", "VAL-011", "VAL-012", "VAL-013", "VAL-014", "VAL-023", "VAL-024", "VAL-025",
            "VAL-028", "VAL-029", "VAL-037", "VAL-038", "VAL-039", "VAL-040", "VAL-041", "VAL-042"),
        arguments: ConversionTable.all)
    func `Each type reads every kind of cell, or refuses it`(table: ConversionTable) throws {
        try queue.read { try table.check($0) }
    }

    @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
    func `The encoding of the database does not show`(encoding: String) throws {
        try queue.inDatabase { db throws in
            try db.execute(
                sql: """
                    PRAGMA encoding = '\(encoding)';
                    CREATE TABLE t(text, blob);
                    INSERT INTO t VALUES ('é🐴', CAST(x'616263' AS BLOB));
                    """)
            #expect(try String.fetchOne(db, sql: "PRAGMA encoding") == encoding)
            let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM t")
            let row = try #require(try cursor.next())
            #expect(row["text"] as Data == Data("é🐴".utf8))
            #expect(row["text"] as String == "é🐴")
            #expect(row["blob"] as String == "abc")
            #expect(row["blob"] as DatabaseValue == Data("abc".utf8).databaseValue)
        }
    }

    @Test(.proves("VAL-014", "VAL-012"))
    func `Read straight from a statement, SQLite's own conversions apply, and only there`() throws {
        try queue.read { db throws in
            let sql = "SELECT '20 small cigars', 'x', 1, 0.5, 'abc'"
            let cursor = try Row.fetchCursor(db, sql: sql)
            let row = try #require(try cursor.next())
            #expect(row[0] as Int == 20)
            #expect(row[1] as Int == 0)
            #expect(row[2] as String == "1")
            #expect(row[3] as Bool == false)
            #expect(row[4] as Bool == false)
            let kept = try #require(try Row.fetchOne(db, sql: sql))
            #expect(throws: RowDecodingError.self) { try kept.decode(Int.self, atIndex: 0) }
            #expect(throws: RowDecodingError.self) { try kept.decode(Int.self, atIndex: 1) }
            #expect(throws: RowDecodingError.self) { try kept.decode(String.self, atIndex: 2) }
        }
    }

    @Test(.proves("VAL-010"))
    func `An integer that SQLite cannot store traps`() async {
        await #expect(processExitsWith: .failure) { _ = UInt64.max.databaseValue }
        await #expect(processExitsWith: .failure) { _ = (UInt(Int64.max) + 1).databaseValue }
        #expect(UInt64(Int64.max).databaseValue == Int64.max.databaseValue)
    }

    @Test(.proves("VAL-056"))
    func `What is not a number is NULL, and infinity is a number`() throws {
        try queue.read { db throws in
            let sql = "SELECT typeof(?)"
            #expect(try String.fetchOne(db, sql: sql, arguments: [Double.nan]) == "null")
            #expect(try String.fetchOne(db, sql: sql, arguments: [Float.nan]) == "null")
            #expect(try String.fetchOne(db, sql: sql, arguments: [Decimal.nan]) == "null")
            for infinity in [Double.infinity, -.infinity] {
                #expect(try String.fetchOne(db, sql: sql, arguments: [infinity]) == "real")
                #expect(
                    try Double.fetchOne(db, sql: "SELECT ?", arguments: [infinity]) == infinity)
            }
        }
    }

    @Test(.proves("VAL-004"))
    func `Values bind themselves to parameters and say how it went`() throws {
        try queue.inDatabase { db throws in
            let statement = try db.makeStatement(sql: "SELECT ?, ?")
            let pointer = statement.sqliteStatement
            #expect("text".bind(to: pointer, at: 1) == SQLITE_OK)
            #expect(Int?.none.bind(to: pointer, at: 2) == SQLITE_OK)
            #expect(1.bind(to: pointer, at: 3) == SQLITE_RANGE)
            #expect(sqlite3_step(pointer) == SQLITE_ROW)
            #expect(String(sqliteStatement: pointer, index: 0) == "text")
            #expect(sqlite3_column_type(pointer, 1) == SQLITE_NULL)
            sqlite3_reset(pointer)
        }
    }

    @Test
    func `A value beyond SQLite's limit of length is refused`() throws {
        try queue.inDatabase { db throws in
            for count in [1 << 31, (1 << 32) + 1] {
                // Nobody touches these bytes: SQLite looks at their number.
                let error = #expect(throws: DatabaseError.self) {
                    try db.execute(sql: "SELECT ?", arguments: [Data(count: count)])
                }
                #expect(error?.resultCode == .SQLITE_TOOBIG)
            }
            let error = #expect(throws: DatabaseError.self) {
                try Data.fetchOne(db, sql: "SELECT zeroblob(2000000000)")
            }
            #expect(error?.resultCode == .SQLITE_TOOBIG)
        }
    }
}
