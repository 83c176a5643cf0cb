import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct TupleTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player(name, score, born);
                    INSERT INTO player VALUES
                        ('Arthur', 10, '2001-02-03 00:00:00.000'), ('Barbara', NULL, NULL)
                    """)
        }
    }

    enum Name: String, DatabaseValueConvertible { case arthur = "Arthur", barbara = "Barbara" }

    private let players: SQLRequest<(String, Int?)> = "SELECT name, score FROM player ORDER BY 1"

    @Test(.proves("STM-059"))
    func `The columns of rows are the values of tuples, left to right`() throws {
        try queue.read { db throws in
            let all = try players.fetchAll(db)
            #expect(all.map(\.0) == ["Arthur", "Barbara"])
            #expect(all.map(\.1) == [10, nil])
            let cursor: TupleCursor<String, Int?> = try players.fetchCursor(db)
            var names: [String] = []
            while let (name, _) = try cursor.next() { names.append(name) }
            #expect(names == ["Arthur", "Barbara"])
            #expect(try cursor.next() == nil)
            let scores = try Dictionary(uniqueKeysWithValues: players.fetchCursor(db))
            #expect(scores == ["Arthur": 10, "Barbara": nil])
            let first: (name: String, score: Int?)? = try players.fetchOne(db)
            #expect(first?.name == "Arthur" && first?.score == 10)
            let name = "Barbara"
            let typed: SQLRequest<(Name, Date?, Bool, String)> = """
                SELECT name, born, score IS NULL, \("x") FROM player WHERE name = \(name)
                """
            let (found, born, isNew, text) = try #require(try typed.fetchOne(db))
            #expect(found == .barbara && born == nil && isNew && text == "x")
            let nobody: SQLRequest<(String, Int)> = "SELECT name, score FROM player WHERE 0"
            #expect(try nobody.fetchOne(db) == nil)
            #expect(try nobody.fetchAll(db).isEmpty)
        }
    }

    @Test func `Every request can give tuples, and goes through its adapters`() throws {
        try queue.read { db throws in
            let erased: AnyFetchRequest<(String, Int?)> = AnyFetchRequest(players)
            #expect(try erased.fetchAll(db).count == 2)
            let any: any FetchRequest<(String, Int?)> = players
            #expect(try any.fetchAll(db).count == 2)
            let columns: SQLRequest<(Int?, Date?)> = """
                SELECT name, score, born FROM player ORDER BY name
                """
            let adapted = columns.adapted { _ in SuffixRowAdapter(fromIndex: 1) }
            let (score, born) = try #require(try adapted.fetchOne(db))
            #expect(score == 10 && born != nil)
            let wide = players.adapted { _ in SuffixRowAdapter(fromIndex: 1) }
            #expect(throws: DatabaseError.self) { try wide.fetchAll(db) }
            let again = AnyFetchRequest(SQLRequest<Row>(sql: "SELECT 1, 2"))
                .asRequest(of: (Int, Double).self)
            #expect(try again.fetchOne(db) ?? (0, 0) == (1, 2))
            #expect(try players.fetchCount(db) == 2)
        }
    }

    @Test(.proves("STM-059"), arguments: ["", " WHERE 0"])
    func `Another number of columns throws, whether there are rows or not`(end: String) throws {
        try queue.read { db throws in
            for columns in ["name", "name, score, born"] {
                let sql = "SELECT \(columns) FROM player\(end)"
                let request = SQLRequest<(String, Int?)>(sql: sql)
                let cursor = try request.fetchCursor(db)
                let fetches: [() throws -> Void] = [
                    { _ = try request.fetchAll(db) }, { _ = try request.fetchOne(db) },
                    { _ = try cursor.next() }, { _ = try cursor.next() },
                ]
                for fetch in fetches {
                    let error = #expect(throws: DatabaseError.self, performing: fetch)
                    #expect(error?.resultCode == .SQLITE_MISUSE)
                    let count = columns == "name" ? 1 : 3
                    #expect(
                        error?.message
                            == "wrong number of columns: \(count) for (String, Optional<Int>)")
                    #expect(error?.sql == sql)
                }
            }
        }
    }

    @Test(.proves("STM-059"))
    func `An unsuitable value is told with its column, and the cursor goes on`() throws {
        try queue.read { db throws in
            let request: SQLRequest<(String, Int)> =
                "SELECT name, score FROM player ORDER BY 1 DESC"
            let cursor = try request.fetchCursor(db)
            let error = #expect(throws: RowDecodingError.self) { try cursor.next() }
            #expect(
                error?.description == """
                    could not decode Int from database value NULL - column: "score", \
                    column index: 1, row: [name:"Barbara" score:NULL], \
                    sql: `SELECT name, score FROM player ORDER BY 1 DESC`
                    """)
            #expect(try cursor.next()?.1 == 10)
            #expect(throws: RowDecodingError.self) { try request.fetchAll(db) }
            #expect(throws: RowDecodingError.self) { try request.fetchOne(db) }
        }
    }

    @Test func `A statement that SQLite compiles again has the columns that it has then`() throws {
        try queue.inDatabase { db throws in
            let request: SQLRequest<(String, Int?, String?, Int)> = """
                SELECT * FROM player WHERE name = \("Arthur")
                """
            #expect(throws: DatabaseError.self) { try request.fetchAll(db) }
            try db.execute(sql: "ALTER TABLE player ADD COLUMN team DEFAULT 7")
            #expect(try request.fetchOne(db)?.3 == 7)
            let nobody: SQLRequest<(String, Int?, String?, Int)> = """
                SELECT * FROM player WHERE name = \("Nobody")
                """
            #expect(try nobody.fetchOne(db) == nil)
        }
    }
}
