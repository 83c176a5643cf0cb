import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct RowTests {
    let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try queue.inDatabase { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT, photo BLOB, score REAL);
                    INSERT INTO player VALUES (1, 'Arthur', x'00FF', 1.5), (2, 'Barbara', NULL, NULL);
                    """)
        }
    }

    private let all = "SELECT * FROM player ORDER BY id"

    @Test(.proves("ROW-003", "ROW-005"))
    func `A row that is kept stays what it was when the cursor moves`() throws {
        let rows = try queue.read { db throws in
            var kept: [Row] = []
            let cursor = try Row.fetchCursor(db, sql: all)
            while let row = try cursor.next() { kept.append(row) }
            return kept + [try #require(try Row.fetchOne(db, sql: all))]
        }
        #expect(rows.map { $0["name"] as String } == ["Arthur", "Barbara", "Arthur"])
        #expect(rows[0] == rows[2])
        #expect(rows[0]["photo"] as Data? == Data([0, 255]))
    }

    @Test(.proves("ROW-003"))
    func `A row kept from a statement outlives the statement's other uses`() throws {
        try queue.inDatabase { db throws in
            let statement = try db.makeStatement(sql: "SELECT ?")
            let cursor = try Row.fetchCursor(statement, arguments: ["first"])
            let first = try #require(try cursor.next())
            let second = try Row.fetchOne(statement, arguments: ["second"])
            #expect(first[0] as String == "first")
            #expect(second?[0] as String? == "second")
        }
    }

    @Test(.proves("ROW-008", "ROW-010", "ROW-012", "ROW-018"))
    func `Columns are read by index and by name, in any case`() throws {
        let row = try queue.read { try #require(try Row.fetchOne($0, sql: all)) }
        #expect(row[0] as Int == 1)
        #expect(row["NAME"] as String == "Arthur")
        #expect(row["nope"] as Int? == nil)
        #expect(row["nope"] as DatabaseValue? == nil)
        #expect(row["score"] as? Double == 1.5)
        #expect((row[0] as (any DatabaseValueConvertible)?) as? Int64 == 1)
        let twins = try queue.read { try Row.fetchOne($0, sql: "SELECT 1 AS foo, 2 AS FOO") }
        #expect(twins?["FOO"] as Int? == 1)
    }

    @Test
    func `A row is a collection of columns`() throws {
        let row = try queue.read { try #require(try Row.fetchOne($0, sql: all)) }
        #expect(row.count == 4)
        #expect(Array(row.columnNames) == ["id", "name", "photo", "score"])
        #expect(row.databaseValues.first == 1.databaseValue)
        #expect(row.description == #"[id:1 name:"Arthur" photo:Data(2 bytes) score:1.5]"#)
        #expect(row.hasColumn("PHOTO") && !row.hasColumn("nope"))
        #expect(row.containsNonNullValue && !row.hasNull(atIndex: 0))
        #expect(row == ["id": 1.0, "name": "Arthur", "photo": Data([0, 255]), "score": 1.5])
        #expect(row != ["ID": 1, "name": "Arthur", "photo": Data([0, 255]), "score": 1.5])
        #expect(Row().isEmpty)
        #expect(Set([row, row.copy()]).count == 1)
    }

    @Test(.proves("ROW-024"))
    func `A throwing accessor says which column of which row failed`() throws {
        try queue.read { db throws in
            let row = try #require(try Row.fetchOne(db, sql: "SELECT NULL AS n"))
            let error = #expect(throws: RowDecodingError.self) {
                try row.decode(String.self, forColumn: "n")
            }
            #expect(
                error?.description == """
                    could not decode String from database value NULL - column: "n", \
                    column index: 0, row: [n:NULL], sql: `SELECT NULL AS n`
                    """)
            #expect(throws: RowDecodingError.self) { try row.decode(Int.self, forColumn: "x") }
            #expect(throws: RowDecodingError.self) { try row.decode(Int.self, atIndex: 9) }
            #expect(try row.decode(Int?.self, forColumn: "x") == nil)
        }
    }

    @Test
    func `Values are coalesced, bytes are lent`() throws {
        try queue.read { db throws in
            let cursor = try Row.fetchCursor(db, sql: "SELECT NULL AS a, 2 AS b, x'0102' AS c")
            let row = try #require(try cursor.next())
            #expect(row.coalesce(["a", "z", "b"]) as Int? == 2)
            #expect(try row.withUnsafeData(named: "c") { $0 } == Data([1, 2]))
            #expect(try row.withUnsafeData(named: "a") { $0 == nil })
            #expect(try row.withUnsafeData(named: "z") { $0 == nil })
            #expect(throws: RowDecodingError.self) { try row.withUnsafeData(atIndex: 1) { _ in } }
        }
    }

    @Test(.proves("ROW-037"))
    func `After a decoding error a cursor goes on, after a database error it does not`() throws {
        try queue.read { db throws in
            let names = try String.fetchCursor(
                db, sql: "SELECT column1 FROM (VALUES ('a'), (NULL), ('c'))")
            #expect(try names.next() == "a")
            #expect(throws: RowDecodingError.self) { try names.next() }
            #expect(try names.next() == "c")
            #expect(try names.next() == nil)
            let failing = try Int.fetchCursor(
                db, sql: "SELECT abs(column1) FROM (VALUES (1), (-9223372036854775808), (3))")
            #expect(try failing.next() == 1)
            for _ in 0..<2 {
                #expect(throws: DatabaseError.self) { try failing.next() }
            }
        }
    }

    @Test(.proves("ROW-053"))
    func `Text with embedded NULs survives`() throws {
        let text = "a\0b\0"
        try queue.inDatabase { db throws in
            #expect(try String.fetchOne(db, sql: "SELECT ?", arguments: [text]) == text)
            let row = try #require(try Row.fetchOne(db, sql: "SELECT ? AS t", arguments: [text]))
            #expect(row["t"] as String == text)
        }
    }

    @Test(.proves("ROW-009", "ROW-013", "ROW-011"))
    func `A subscript traps where decode throws`() async {
        await #expect(processExitsWith: .failure) {
            let _: Int = (["n": nil] as Row)["n"]
        }
        await #expect(processExitsWith: .failure) {
            let _: Int? = (["n": "text"] as Row)["n"]
        }
        await #expect(processExitsWith: .failure) {
            let _: Int? = (["n": 1] as Row)[1]
        }
    }
}
