import Strongroom
import StrongroomTestSupport
import Testing

/// Tables that are joined twice under one key.
@Suite struct RepeatedKeyTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    struct Player: TableRecord {}

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: "CREATE TABLE player(id INTEGER PRIMARY KEY); INSERT INTO player VALUES (1)")
        }
    }

    private var cte: CommonTableExpression<Row> {
        CommonTableExpression(
            named: "best", literal: "SELECT 1 AS id, 7 AS score UNION ALL SELECT 2, 8")
    }

    @Test(.proves("CMP-77"))
    func `The condition of the last association holds`() throws {
        let all = Player.association(to: cte) { _, best in best[Column("score")] > 0 }
        let one = Player.association(to: cte) { player, best in
            best[Column("id")] == player[Column("id")]
        }
        try queue.read { db throws in
            func count(_ request: QueryInterfaceRequest<Player>) throws -> Int {
                try Row.fetchAll(db, request.with(cte)).count
            }
            #expect(try count(Player.including(required: all)) == 2)
            #expect(try count(Player.including(required: all).including(required: one)) == 1)
            #expect(try count(Player.joining(optional: all).joining(required: one)) == 1)
            #expect(try count(Player.including(required: one).joining(required: all)) == 2)
            #expect(
                try count(
                    Player.including(required: all).including(required: one)
                        .including(required: all)) == 2)
        }
    }
}
