import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct RowAdapterTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
    }

    private static let sql = "SELECT 1 AS id, 'Arthur' AS name, 2 AS ID, 'Reds' AS team"

    private func fetch(_ adapter: (any RowAdapter)?, sql: String = sql) throws -> Row {
        try queue.read { db throws in
            try #require(try Row.fetchOne(db, sql: sql, adapter: adapter))
        }
    }

    @Test(.proves("ROW-040"))
    func `A mapping renames some columns in the order of the row and hides the others`() throws {
        let row = try fetch(ColumnMapping(["title": "TEAM", "number": "Id", "also": "id"]))
        #expect(row == ["also": 1, "number": 1, "title": "Reds"])
        #expect(row["name"] as String? == nil)
        #expect(row["TITLE"] as String == "Reds")
        #expect(row.hasColumn("title") && !row.hasColumn("team"))
        let error = #expect(throws: DatabaseError.self) {
            try fetch(ColumnMapping(["x": "zz"]), sql: "SELECT 1 AS a")
        }
        #expect(error?.resultCode == .SQLITE_MISUSE)
        #expect(
            error?.message == "Mapping references missing column zz. Valid column names are: a.")
    }

    @Test(.proves("ROW-041", "ROW-042", "ROW-043", "ROW-044"))
    func `Columns are hidden by position, or renamed by a function`() throws {
        #expect(try fetch(SuffixRowAdapter(fromIndex: 2)) == ["ID": 2, "team": "Reds"])
        #expect(try fetch(SuffixRowAdapter(fromIndex: 4)).isEmpty)
        #expect(try fetch(RangeRowAdapter(0..<2)) == ["id": 1, "name": "Arthur"])
        #expect(try fetch(RangeRowAdapter(1...2)) == ["name": "Arthur", "ID": 2])
        let empty = try fetch(EmptyRowAdapter())
        #expect(empty.isEmpty && empty.count == 0 && !empty.containsNonNullValue)
        let renamed = try fetch(RenameColumnAdapter { $0 + "rrr" })
        #expect(Array(renamed.columnNames) == ["idrrr", "namerrr", "IDrrr", "teamrrr"])
        #expect(renamed["IDRRR"] as Int == 1)
    }

    private static let outOfRange: [any RowAdapter] = [
        SuffixRowAdapter(fromIndex: 5), SuffixRowAdapter(fromIndex: -1),
        SuffixRowAdapter(fromIndex: .max), RangeRowAdapter(3..<5), RangeRowAdapter(0...4),
        RangeRowAdapter(-1..<2), RangeRowAdapter(0 ... .max), RangeRowAdapter(.max ... .max),
        ScopeAdapter(["a": SuffixRowAdapter(fromIndex: 5)]),
        ScopeAdapter(base: RangeRowAdapter(0..<5), scopes: [:]),
    ]

    @Test(.proves("ROW-041", "ROW-042"), arguments: outOfRange.indices)
    func `Positions beyond the columns throw, with and without rows`(index: Int) throws {
        let adapter = Self.outOfRange[index]
        try queue.read { db throws in
            let none = Self.sql + " WHERE 0"
            let fetches: [() throws -> Void] = [
                { _ = try Row.fetchOne(db, sql: Self.sql, adapter: adapter) },
                { _ = try Row.fetchOne(db, sql: none, adapter: adapter) },
                { _ = try Row.fetchAll(db, sql: none, adapter: adapter) },
                { _ = try Row.fetchSet(db, sql: Self.sql, adapter: adapter) },
                { _ = try Row.fetchCursor(db, sql: Self.sql, adapter: adapter).next() },
            ]
            for fetch in fetches {
                let error = #expect(throws: DatabaseError.self, performing: fetch)
                #expect(error?.resultCode == .SQLITE_MISUSE)
            }
        }
    }

    @Test(.proves("ROW-045", "ROW-046"))
    func `Scopes stand beside the row, also inside each other`() throws {
        let left = RangeRowAdapter(0..<2)
        let right = ScopeAdapter(
            base: SuffixRowAdapter(fromIndex: 2), scopes: ["inner": ColumnMapping(["t": "team"])])
        let row = try fetch(ScopeAdapter(["left": left, "right": right]))
        #expect(Array(row.columnNames) == ["id", "name", "ID", "team"])
        #expect(row.scopes["left"] == ["id": 1, "name": "Arthur"])
        #expect(row.scopes["right"]?.unscoped == ["ID": 2, "team": "Reds"])
        #expect(row.scopes["right"]?.scopes["inner"] == ["t": "Reds"])
        #expect(row.scopes["missing"] == nil)
        let more = try fetch(right.addingScopes(["left": left, "inner": EmptyRowAdapter()]))
        #expect(more["ID"] as Int == 2)
        #expect(more.scopes["inner"] == Row())
        #expect(more.scopes.names == ["inner", "left"])
        #expect(try fetch(left.addingScopes([:])) == ["id": 1, "name": "Arthur"])
    }

    @Test(.proves("ROW-047"))
    func `A row is split into as many parts as there are adapters`() throws {
        let adapters = splittingRowAdapters(columnCounts: [1, 2])
        #expect(
            try adapters.map { try fetch($0) } == [
                ["id": 1], ["name": "Arthur", "ID": 2], ["team": "Reds"],
            ])
        #expect(try fetch(splittingRowAdapters(columnCounts: [4])[1]).isEmpty)
        #expect(try splittingRowAdapters(columnCounts: []).map { try fetch($0).count } == [4])
    }

    @Test(.proves("ROW-038"))
    func `Every fetch takes an adapter, and requests are adapted`() throws {
        try queue.read { db throws in
            let sql = "SELECT 0 AS a, column1 AS b FROM (VALUES (1), (2))"
            let suffix = SuffixRowAdapter(fromIndex: 1)
            let statement = try db.makeStatement(sql: sql)
            #expect(try Row.fetchAll(statement, adapter: suffix) == [["b": 1], ["b": 2]])
            #expect(try Row.fetchSet(statement, adapter: suffix) == [["b": 1], ["b": 2]])
            #expect(try Row.fetchOne(statement, adapter: suffix) == ["b": 1])
            #expect(try Row.fetchCursor(statement, adapter: suffix).next() == ["b": 1])
            #expect(try Int.fetchAll(statement, adapter: suffix) == [1, 2])
            #expect(try Int.fetchSet(db, sql: sql, adapter: suffix) == [1, 2])
            #expect(try Int.fetchOne(db, sql: sql, adapter: suffix) == 1)
            #expect(try Int.fetchCursor(db, sql: sql, adapter: suffix).next() == 1)
            #expect(try Int?.fetchAll(db, sql: sql, adapter: suffix) == [1, 2])
            #expect(throws: RowDecodingError.self) {
                try Int.fetchOne(db, sql: sql, adapter: EmptyRowAdapter())
            }
            let request = SQLRequest<Int>(sql: sql).adapted { _ in suffix }
            #expect(try request.fetchAll(db) == [1, 2] && request.fetchSet(db) == [1, 2])
            #expect(try request.fetchOne(db) == 1 && request.fetchCursor(db).next() == 1)
            let twice = request.adapted { _ in ColumnMapping(["c": "b"]) }
            #expect(try Row.fetchAll(db, twice) == [["c": 1], ["c": 2]])
        }
    }

    @Test(.proves("ROW-034"))
    func `A cursor describes its statement, whatever the adapter`() throws {
        try queue.inDatabase { db throws in
            try db.execute(sql: "CREATE TABLE t(c); INSERT INTO t VALUES (2)")
            let cursor = try Row.fetchCursor(
                db, sql: "SELECT ? AS a, c AS b FROM t;", arguments: [1],
                adapter: SuffixRowAdapter(fromIndex: 1))
            #expect(try cursor.next() == ["b": 2])
            func check(_ cursor: some DatabaseCursor<Row>) {
                #expect(cursor.columnNames == ["a", "b"])
                #expect(cursor.columnCount == 2)
                #expect(cursor.arguments == [1])
                #expect(cursor.sql == "SELECT ? AS a, c AS b FROM t")
                #expect(cursor.databaseRegion.description == "t(c)")
            }
            check(cursor)
        }
    }

    @Test func `An adapter follows a changed schema, and rows that are kept do not change`() throws
    {
        try queue.inDatabase { db throws in
            try db.execute(sql: "CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 2), (3, 4)")
            let statement = try db.makeStatement(sql: "SELECT * FROM t")
            let last = ColumnMapping(["last": "c"])
            #expect(throws: DatabaseError.self) { try Row.fetchAll(statement, adapter: last) }
            try db.execute(sql: "ALTER TABLE t ADD COLUMN c DEFAULT 5")
            let rows = try Row.fetchAll(statement, adapter: ScopeAdapter(["s": last]))
            #expect(rows.map(\.unscoped) == [["a": 1, "b": 2, "c": 5], ["a": 3, "b": 4, "c": 5]])
            #expect(rows.map { $0.scopes["s"] } == [["last": 5], ["last": 5]])
        }
    }

    @Test(.proves("ROW-003"))
    func `A scope that is kept holds its row`() throws {
        try queue.read { db throws in
            let cursor = try Row.fetchCursor(
                db, sql: "SELECT 0, column1 AS v FROM (VALUES ('a'), ('b'))",
                adapter: ScopeAdapter(["s": SuffixRowAdapter(fromIndex: 1)]))
            let scopes = try Array(cursor.map { $0.scopes["s"] })
            #expect(scopes == [["v": "a"], ["v": "b"]])
        }
    }
}
