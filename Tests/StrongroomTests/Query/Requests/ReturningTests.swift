import Strongroom
import StrongroomTestSupport
import Testing

/// Rows that are changed and given back in one statement.
@Suite struct ReturningTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    struct Player: TableRecord, FetchableRecord, Identifiable, Hashable {
        let id: Int64
        let score: Int

        enum Columns {
            static let id = Column("id")
            static let score = Column("score")
        }

        init(row: Row) throws {
            id = try row.decode(forColumn: "id")
            score = try row.decode(forColumn: "score")
        }
    }

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player(id INTEGER PRIMARY KEY, score INT);
                    INSERT INTO player VALUES (1, 10), (2, 20), (3, 30), (4, 40);
                    """)
        }
    }

    @Test(.needsLimitedChanges, .proves("QRY-056"))
    func `What was deleted is given back`() throws {
        try queue.write { db throws in
            let low = Player.filter { $0.score < 25 }
            let deleted = try Player.order(\.score.desc).limit(1).deleteAndFetchAll(db)
            #expect(deleted.map(\.id) == [4])
            #expect(try Player.filter(id: 3).deleteAndFetchIds(db) == [3])
            let captured = try db.capturedSQL { () throws in
                #expect(try low.deleteAndFetchSet(db).map(\.score).sorted() == [10, 20])
            }
            #expect(captured == [#"DELETE FROM "player" WHERE "score" < 25 RETURNING *"#])
            #expect(try low.deleteAndFetchCursor(db).next() == nil)
            try db.execute(sql: "INSERT INTO player VALUES (5, 50), (6, 60)")
            let statement = try Player.filter(id: 5).deleteAndFetchStatement(db) { [$0.score * 2] }
            #expect(try Int.fetchAll(statement) == [100])
            let other = try Player.all().deleteAndFetchStatement(db, selection: [Column("id")])
            #expect(try Int.fetchAll(other) == [6])
        }
    }

    @Test(.needsLimitedChanges, .proves("QRY-056"))
    func `What was updated is given back`() throws {
        try queue.write { db throws in
            let low = Player.filter { $0.score < 25 }
            #expect(try low.updateAndFetchAll(db) { [$0.score += 1] }.map(\.score) == [11, 21])
            #expect(try low.updateAndFetchAll(db, []).isEmpty)
            let best = Player.order(\.score.desc).limit(1)
            let captured = try db.capturedSQL { () throws in
                #expect(
                    try best.updateAndFetchSet(db, onConflict: .fail, [Column("score").set(to: 0)])
                        .map(\.id) == [4])
            }
            #expect(
                captured == [
                    """
                    UPDATE OR FAIL "player" SET "score" = 0 RETURNING * ORDER BY "score" DESC LIMIT 1
                    """
                ])
            #expect(try low.updateAndFetchSet(db) { [$0.score += 1] }.count == 3)
            let cursor = try low.updateAndFetchCursor(db) { [$0.score.set(to: 7)] }
            #expect(try cursor.next()?.score == 7)
            let statement = try Player.all().updateAndFetchStatement(
                db, assignments: { [$0.score += 1] }, select: { [$0.score] })
            #expect(try Set(Int.fetchAll(statement)) == [8, 31])
            let other = try Player.filter(id: 1).updateAndFetchStatement(
                db, [Column("score").set(to: 3)], selection: [Column("score"), Column("id")])
            #expect(try Row.fetchOne(other) == ["score": 3, "id": 1])
            #expect(try Int.fetchOne(db, sql: "SELECT SUM(score) FROM player") == 3 + 8 + 31 + 8)
        }
    }
}
