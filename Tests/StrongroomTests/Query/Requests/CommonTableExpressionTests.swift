import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct CommonTableExpressionTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    struct Player: TableRecord {}

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player(id INTEGER PRIMARY KEY, score INT);
                    INSERT INTO player VALUES (1, 10), (2, 20), (3, 30);
                    """)
        }
    }

    private let best = CommonTableExpression(
        named: "best", request: Player.order(Column("score").desc).limit(2))
    private let counter = CommonTableExpression(
        recursive: true, named: "counter", columns: ["x"],
        sql: "VALUES(1) UNION ALL SELECT x + 1 FROM counter WHERE x < ?", arguments: [3])

    @Test(.proves("QRY-045", "QRY-046", "QRY-050"))
    func `A query with a name stands like a table`() throws {
        try queue.read { db throws in
            let request = best.all().with(best).filter(Column("score") > 20)
            #expect(
                try db.sql(of: request) == """
                    WITH "best" AS (SELECT * FROM "player" ORDER BY "score" DESC LIMIT 2) \
                    SELECT * FROM "best" WHERE "score" > 20
                    """)
            #expect(best.tableName == "best")
            #expect(try request.fetchOne(db)?["id"] == 3 && request.fetchCount(db) == 1)
            let numbers = counter.all().with(counter)
            #expect(
                try db.sql(of: numbers) == """
                    WITH RECURSIVE "counter"("x") AS (VALUES(1) UNION ALL SELECT x + 1 \
                    FROM counter WHERE x < 3) SELECT * FROM "counter"
                    """)
            #expect(try Int.fetchAll(db, numbers) == [1, 2, 3])
            #expect(try numbers.filter(Column("x") == 2).fetchOne(db)?["x"] == 2)
            #expect(try numbers.select(Column("x")).distinct().fetchCount(db) == 3)
            let typed = CommonTableExpression<Int>(
                named: "odd \"name\"", literal: "SELECT \(7) AS a UNION SELECT \(8)")
            #expect(try typed.all().with(typed).fetchAll(db) == [7, 8])
        }
    }

    @Test(.proves("QRY-047", "QRY-020"))
    func `A later definition of the same name replaces an earlier one`() throws {
        let other = CommonTableExpression<Row>(named: "BEST", sql: "SELECT 5 AS score")
        try queue.read { db throws in
            let request = Player.with(best).filter(best.contains(Column("score")) || true)
            #expect(
                try db.sql(of: Player.with(best).with(counter).with(other).select(Column("id")))
                    == """
                    WITH RECURSIVE "counter"("x") AS (VALUES(1) UNION ALL SELECT x + 1 FROM \
                    counter WHERE x < 3), "BEST" AS (SELECT 5 AS score) SELECT "id" FROM "player"
                    """)
            _ = request
            let among = Table("player").with(counter).filter(counter.contains(Column("id")))
            #expect(try among.fetchCount(db) == 3)
            #expect(
                try db.sql(of: among).hasSuffix(#"SELECT * FROM "player" WHERE "id" IN "counter""#))
        }
    }

    @Test(.proves("QRY-049", "QRY-033"))
    func `Rows are changed by what a query with a name says`() throws {
        try queue.write { db throws in
            let low = CommonTableExpression<Row>(
                named: "low",
                request: Table("player").filter(Column("score") < 15).select(Column("id")))
            let rows = Table("player").with(low).filter(low.all().contains(Column("id")))
            #expect(try rows.updateAll(db, Column("score") += 1) == 1)
            let captured = try db.capturedSQL { () throws in
                #expect(try rows.deleteAll(db) == 1)
            }
            #expect(
                captured == [
                    """
                    WITH "low" AS (SELECT "id" FROM "player" WHERE "score" < 15) DELETE FROM \
                    "player" WHERE "id" IN (SELECT * FROM "low")
                    """
                ])
        }
    }

    @Test(.proves("STM-038"))
    func `Its name and its definition are interpolated in SQL`() throws {
        try queue.read { db throws in
            let request: SQLRequest<Int> = """
                WITH RECURSIVE \(definitionFor: counter) SELECT SUM(x) FROM \(counter)
                """
            #expect(try request.fetchOne(db) == 6)
            let literal: SQL = "\(definitionFor: best)"
            #expect(
                try literal.build(db).sql
                    == #""best" AS (SELECT * FROM "player" ORDER BY "score" DESC LIMIT 2)"#)
        }
    }
}
