import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct FetchRequestTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db throws in
            try db.execute(
                sql: """
                    CREATE TABLE player(id INTEGER PRIMARY KEY, name, score);
                    INSERT INTO player VALUES (1, 'Arthur', 10), (2, 'O''Brien', 20), (3, 'Zoe', 20)
                    """)
        }
    }

    private func names(_ minimum: Int) -> SQLRequest<String> {
        "SELECT name FROM player WHERE score >= \(minimum) ORDER BY id"
    }

    @Test(.proves("STM-040", "STM-041", "STM-053"))
    func `Requests are made of literals and of trusted SQL`() throws {
        try queue.read { db throws in
            let name = "O'Brien"
            let interpolated: SQLRequest<Int> = "SELECT id FROM player WHERE name = \(name)"
            #expect(try interpolated.fetchOne(db) == 2)
            let plain: SQLRequest<Int> = "SELECT MAX(score) FROM player"
            #expect(try plain.fetchOne(db) == 20)
            let sql = "SELECT id FROM player WHERE score = ?"
            #expect(try SQLRequest<Int>(sql: sql, arguments: [20]).fetchAll(db) == [2, 3])
            #expect(try SQLRequest<Int>(literal: "SELECT \(5)").fetchAll(db) == [5])
            let rows = SQLRequest(sql: sql, arguments: [10])
            #expect(try rows.fetchAll(db) == [["id": 1]])
            #expect(try SQLRequest(literal: "SELECT \(5) AS a").fetchOne(db) == ["a": 5])
            #expect(try SQLRequest<Row>(sql: "SELECT 1 AS a").fetchOne(db) == ["a": 1])
            #expect(try SQL(stringLiteral: sql).build(db).sql == sql)
            #expect(try SQLRequest<Int>(stringLiteral: "SELECT 1").fetchOne(db) == 1)
        }
    }

    @Test(.proves("STM-051"))
    func `A request is fetched as its own type, or as another`() throws {
        try queue.read { db throws in
            let request = names(20)
            #expect(try request.fetchAll(db) == ["O'Brien", "Zoe"])
            #expect(try request.fetchOne(db) == "O'Brien")
            #expect(try request.fetchSet(db) == ["O'Brien", "Zoe"])
            let cursor = try request.fetchCursor(db)
            #expect(try cursor.next() == "O'Brien")
            #expect(try Row.fetchAll(db, request) == [["name": "O'Brien"], ["name": "Zoe"]])
            #expect(try String?.fetchOne(db, request) == "O'Brien")
            #expect(try DatabaseValue.fetchSet(db, request).count == 2)
            #expect(try Row.fetchCursor(db, request).next() == ["name": "O'Brien"])
            #expect(try names(100).fetchOne(db) == nil)
            let optional: SQLRequest<Int?> = "SELECT NULL UNION ALL SELECT 1"
            #expect(try optional.fetchAll(db) == [nil, 1])
        }
    }

    @Test(.proves("STM-047"))
    func `A prepared request shows its SQL and its arguments`() throws {
        try queue.read { db throws in
            let request: any FetchRequest<String> = names(5)
            for isSingle in [true, false] {
                let statement = try request.makePreparedRequest(db, forSingleResult: isSingle)
                    .statement
                #expect(statement.sql == "SELECT name FROM player WHERE score >= ? ORDER BY id")
                #expect(statement.arguments == [5])
                #expect(try String.fetchAll(statement).count == 3)
            }
        }
    }

    @Test(.proves("STM-044"))
    func `A request counts its rows, however its SQL ends`() throws {
        let endings = [
            "", ";", " ; ;\n", " -- all;", "; -- all", " /* all; */ ;", " -- a ' quote", "/* open",
        ]
        try queue.read { db throws in
            for ending in endings {
                let request = SQLRequest<Row>(
                    sql: "SELECT id, id FROM player WHERE score = ? AND name <> '--;'" + ending,
                    arguments: [20])
                #expect(try request.fetchCount(db) == 2, "\(ending)")
                #expect(try AnyFetchRequest(request).fetchCount(db) == 2, "\(ending)")
                // The same SQL inside other SQL.
                let outer: SQLRequest<Int> = "SELECT COUNT(*) FROM (\(request)) WHERE \(1)"
                #expect(try outer.fetchOne(db) == 2, "\(ending)")
            }
            let quoted: SQLRequest<Row> = #"SELECT "id" AS [a;--], `id` AS "b;" FROM player;"#
            #expect(try quoted.fetchCount(db) == 3)
        }
    }

    @Test(.proves("STM-057"))
    func `Several statements are no request`() throws {
        try queue.read { db throws in
            for request: SQLRequest<Int> in ["SELECT 1; SELECT 2", "SELECT \(1); SELECT 2;"] {
                let uses: [(SQLRequest<Int>) throws -> Void] = [
                    { _ = try $0.fetchOne(db) }, { _ = try $0.fetchAll(db) },
                    { _ = try $0.fetchCount(db) }, { _ = try $0.makePreparedRequest(db) },
                    { _ = try $0.databaseRegion(db) },
                ]
                for use in uses {
                    let error = #expect(throws: DatabaseError.self) { try use(request) }
                    #expect(error?.resultCode == .SQLITE_MISUSE)
                }
            }
        }
    }

    @Test(.proves("STM-037", "STM-043"))
    func `A request stands inside other SQL, and tells what it reads`() throws {
        let best: SQLRequest<Int> = "SELECT MAX(score) FROM player WHERE score < \(1000)"
        try queue.read { db throws in
            let subquery: SQLRequest<Int> = """
                SELECT id FROM player WHERE score = (\(best)) AND score > \(1) ORDER BY id
                """
            #expect(try subquery.fetchAll(db) == [2, 3])
            let statement = try subquery.makePreparedRequest(db).statement
            #expect(statement.arguments == [1000, 1])
            #expect(statement.sql.contains("(SELECT MAX(score) FROM player WHERE score < ?)"))
            let erased: any SQLSubqueryable = AnyFetchRequest(best)
            let membership: SQLRequest<Int> =
                "SELECT COUNT(*) FROM player WHERE score IN (\(erased))"
            #expect(try membership.fetchOne(db) == 2)
            let scalar: SQLRequest<Int> = "SELECT \(best.sqlExpression) + \(1)"
            #expect(try scalar.fetchOne(db) == 21)
            let selected: SQLRequest<Int> = """
                SELECT \(best.sqlSelection) FROM player ORDER BY \(best.sqlOrdering) LIMIT 1
                """
            #expect(try selected.fetchOne(db) == 20)
            let list: SQLRequest<Int> = "SELECT 20 IN \([best.sqlExpression])"
            #expect(try list.fetchOne(db) == 1)
            #expect(try best.databaseRegion(db).description == "player(score)")
            #expect(try scalar.databaseRegion(db).description == "player(score)")
            let regions: [any DatabaseRegionConvertible] = [best, AnyFetchRequest(names(1))]
            #expect(try regions[1].databaseRegion(db).description == "player(id,name,score)")
        }
    }

    @Test(.proves("STM-049"))
    func `An erased request is as the one inside, and may become another type`() throws {
        try queue.read { db throws in
            let erased = AnyFetchRequest(names(20))
            #expect(try erased.fetchAll(db) == ["O'Brien", "Zoe"])
            #expect(try erased.asRequest(of: Row.self).fetchOne(db) == ["name": "O'Brien"])
            #expect(try erased.fetchCount(db) == 2)
            #expect(try erased.makePreparedRequest(db).statement.arguments == [20])
            let again: AnyFetchRequest<String> = AnyFetchRequest(erased)
            #expect(try again.fetchSet(db) == ["O'Brien", "Zoe"])
        }
    }

    /// A request as an app may write it.
    private struct TopPlayers: FetchRequest {
        typealias RowDecoder = String
        var count: Int

        private var request: SQLRequest<String> {
            "SELECT name FROM player ORDER BY score DESC, id LIMIT \(count)"
        }

        var sqlSubquery: SQLSubquery { request.sqlSubquery }

        func makePreparedRequest(
            _ db: Database, forSingleResult singleResult: Bool
        ) throws -> PreparedRequest {
            guard singleResult else { return try request.makePreparedRequest(db) }
            return try TopPlayers(count: 1).request.makePreparedRequest(db)
        }
    }

    @Test(.proves("STM-045", "STM-046"))
    func `An app's own request has every way to fetch, and hears of single results`() throws {
        try queue.read { db throws in
            let request = TopPlayers(count: 2)
            #expect(try request.fetchAll(db) == ["O'Brien", "Zoe"])
            #expect(try request.fetchSet(db).count == 2)
            #expect(try request.fetchCount(db) == 2)
            #expect(try request.fetchOne(db) == "O'Brien")
            #expect(try request.databaseRegion(db).description == "player(id,name,score)")
            #expect(try AnyFetchRequest(request).fetchAll(db) == ["O'Brien", "Zoe"])
            let counts: SQLRequest<Int> = "SELECT COUNT(*) FROM (\(request))"
            #expect(try counts.fetchOne(db) == 2)
            let single = try AnyFetchRequest(request).makePreparedRequest(db, forSingleResult: true)
            #expect(single.statement.arguments == [1])
            #expect(try AnyFetchRequest(request).makePreparedRequest(db).statement.arguments == [2])
            let sent: any Sendable = request
            #expect(sent is TopPlayers)
        }
    }

    @Test(.proves("STM-048"))
    func `Adapters present the columns of a request in another way, one after the other`() throws {
        let sql = "SELECT 1 AS a, 2 AS b, 3 AS c"
        var request = SQLRequest<Row>(sql: sql, adapter: SuffixRowAdapter(fromIndex: 1))
        let adapted = request.adapted { _ in ColumnMapping(["x": "c"]) }
        request.adapter = RangeRowAdapter(0..<1)
        let literal = SQLRequest(literal: "\(sql: sql)", adapter: SuffixRowAdapter(fromIndex: 2))
        try queue.read { db throws in
            #expect(try request.fetchAll(db) == [["a": 1]])
            #expect(try literal.fetchOne(db) == ["c": 3])
            #expect(try adapted.fetchAll(db) == [["x": 3]])
            #expect(try Int.fetchOne(db, adapted) == 3)
            #expect(try adapted.fetchSet(db) == [["x": 3]])
            #expect(try AnyFetchRequest(adapted).fetchOne(db) == ["x": 3])
            #expect(try adapted.fetchCount(db) == 1)
            #expect(try adapted.databaseRegion(db).isEmpty)
            let prepared = try adapted.makePreparedRequest(db)
            #expect(try Row.fetchOne(prepared.statement, adapter: prepared.adapter) == ["x": 3])
            let plain = names(20).adapted { db throws in
                #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM player") == 3)
                return RenameColumnAdapter { $0 + "!" }
            }
            #expect(try Row.fetchOne(db, plain) == ["name!": "O'Brien"])
            #expect(try plain.fetchAll(db) == ["O'Brien", "Zoe"])
            let wrong = request.adapted { _ in ColumnMapping(["x": "missing"]) }
            let error = #expect(throws: DatabaseError.self) { try wrong.fetchAll(db) }
            #expect(error?.resultCode == .SQLITE_MISUSE)
            let inside: SQLRequest<Int> = "SELECT COUNT(*) FROM (\(adapted))"
            #expect(try inside.fetchOne(db) == 1)
        }
    }

    @Test func `The same request runs twice at once`() throws {
        try queue.read { db throws in
            let request = names(0)
            var pairs = 0
            let outer = try request.fetchCursor(db)
            while try outer.next() != nil {
                let inner = try request.fetchCursor(db)
                while try inner.next() != nil { pairs += 1 }
            }
            #expect(pairs == 9)
        }
    }

    @Test(.proves("STM-042"))
    func `A cached request gives the connection's own statement`() throws {
        try queue.read { db throws in
            let request = SQLRequest<Int>(sql: "SELECT ?", arguments: [1], cached: true)
            let statement = try request.makePreparedRequest(db).statement
            #expect(try request.makePreparedRequest(db).statement === statement)
            #expect(try db.cachedStatement(sql: "SELECT ?") === statement)
            #expect(try request.fetchOne(db) == 1)
            let plain = SQLRequest<Int>(sql: "SELECT ?", arguments: [1])
            let first = try plain.makePreparedRequest(db).statement
            #expect(try plain.makePreparedRequest(db).statement !== first)
        }
    }
}
