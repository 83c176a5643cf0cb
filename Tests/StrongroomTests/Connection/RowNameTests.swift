import Strongroom
import StrongroomTestSupport
import Testing

/// Names are found in rows that stand on a statement by trying the next column first: whatever the
/// order, the answer must be the leftmost column of that name.
@Suite struct RowNameTests {
    private func forEachRow(_ sql: String, _ check: (Row) -> Void) throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        try queue.read { db throws in
            let cursor = try Row.fetchCursor(db, sql: sql)
            while let row = try cursor.next() { check(row) }
        }
    }

    @Test
    func `Columns of a standing row are found by name in any order, in any case and twice`() throws
    {
        let sql = "SELECT 1 AS a, 2 AS b, 3 AS c UNION ALL SELECT 1, 2, 3"
        try forEachRow(sql) { row in
            #expect(["a", "b", "c"].map { row[$0] as Int } == [1, 2, 3])
            #expect(["c", "b", "a", "a"].map { row[$0] as Int } == [3, 2, 1, 1])
            #expect(["B", "x", "b", "C", "A"].map { row[$0] as Int? } == [2, nil, 2, 3, 1])
        }
    }

    @Test(arguments: [
        "SELECT 1 AS a, 2 AS b, 3 AS a", "SELECT 1 AS a, 2 AS b, 3 AS A",
        "SELECT 1 AS A, 2 AS b, 3 AS a",
    ])
    func `Of columns whose names are the same the leftmost is found, whatever was read before`(
        sql: String
    ) throws {
        try forEachRow(sql + " UNION ALL SELECT 1, 2, 3") { row in
            #expect(["b", "a", "b", "A", "b", "a"].map { row[$0] as Int } == [2, 1, 2, 1, 2, 1])
        }
    }

    @Test
    func `Many columns are found in any order`() throws {
        let columns = Array(1...100)
        let list = columns.map { "\($0) AS column\($0)" }.joined(separator: ", ")
        try forEachRow("SELECT \(list)") { row in
            #expect(columns.map { row["column\($0)"] as Int } == columns)
            #expect(columns.reversed().map { row["COLUMN\($0)"] as Int } == columns.reversed())
        }
    }

    @Test
    func `An adapted row finds its own names beside those of its statement`() throws {
        let fixture = try FixtureDatabase()
        let queue = try fixture.open()
        try queue.read { db throws in
            let adapter = ScopeAdapter(["right": SuffixRowAdapter(fromIndex: 2)])
            let cursor = try Row.fetchCursor(
                db, sql: "SELECT 1 AS a, 2 AS b, 3 AS a, 4 AS b", adapter: adapter)
            let row = try #require(try cursor.next())
            let right = try #require(row.scopes["right"])
            for _ in 1...2 {
                #expect(["b", "a"].map { row[$0] as Int } == [2, 1])
                #expect(["b", "a"].map { right[$0] as Int } == [4, 3])
                #expect(row.unadapted["b"] as Int == 2)
            }
        }
    }
}
