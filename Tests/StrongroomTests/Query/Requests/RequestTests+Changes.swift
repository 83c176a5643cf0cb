import Strongroom
import StrongroomTestSupport
import Testing

/// Requests that change rows, and keys.
extension RequestTests {
    @Test(.proves("QRY-053", "QRY-054"))
    func `Rows are updated at once`() throws {
        try queue.write { db throws in
            let captured = try db.capturedSQL { () throws in
                let red = Player.filter { $0.team == "red" }
                #expect(try red.updateAll(db) { [$0.score.set(to: 0), $0.name.noOverwrite] } == 2)
                #expect(try red.updateAll(db) { $0.score += 10 } == 2)
                #expect(
                    try Player.updateAll(db, Column("score") *= 2, Column("team").set(to: nil)) == 4
                )
                #expect(try Player.updateAll(db, []) == 0)
                #expect(try Table("player").updateAll(db, [Column("score") <<= 1]) == 4)
                #expect(
                    try Player.filter(id: 1).updateAll(
                        db, onConflict: .ignore, [Column("name").set(to: "Barbara")]) == 0)
                let best = Player.select(max(Column("score")))
                #expect(try Player.filter(id: 2).updateAll(db) { [$0.score.set(to: best)] } == 1)
            }
            #expect(
                captured == [
                    #"UPDATE "player" SET "score" = 0 WHERE "team" = 'red'"#,
                    #"UPDATE "player" SET "score" = "score" + 10 WHERE "team" = 'red'"#,
                    #"UPDATE "player" SET "score" = "score" * 2, "team" = NULL"#,
                    #"UPDATE "player" SET "score" = "score" << 1"#,
                    #"UPDATE OR IGNORE "player" SET "name" = 'Barbara' WHERE "id" = 1"#,
                    """
                    UPDATE "player" SET "score" = (SELECT MAX("score") FROM "player") WHERE "id" = 2
                    """,
                ])
        }
    }

    @Test(.needsLimitedChanges, .proves("QRY-055", "QRY-058"))
    func `Rows are deleted at once, or the first of them`() throws {
        let alias = TableAlias<Player>(name: "p")
        func deleted(_ request: QueryInterfaceRequest<some Any>) throws -> (Int, String) {
            var count = 0
            var sql: [String] = []
            try queue.inDatabase { db in
                try db.inTransaction {
                    sql = try db.capturedSQL { count = try request.deleteAll(db) }
                    return .rollback
                }
            }
            return (count, sql.last ?? "")
        }
        #expect(try deleted(Player.all()) == (4, #"DELETE FROM "player""#))
        #expect(
            try deleted(Player.filter { $0.score > 1 }.order(\.name).distinct())
                == (3, #"DELETE FROM "player" WHERE "score" > 1"#))
        #expect(
            try deleted(Player.order(\.score.desc).limit(1, offset: 1))
                == (1, #"DELETE FROM "player" ORDER BY "score" DESC LIMIT 1 OFFSET 1"#))
        #expect(
            try deleted(Player.aliased(alias).filter(alias.score > 1))
                == (3, #"DELETE FROM "player" AS "p" WHERE "p"."score" > 1"#))
        #expect(
            try deleted(Player.all().group(\.team).having { count($0.id) == 1 }) == (
                2,
                """
                DELETE FROM "player" WHERE "id" IN (SELECT "id" FROM "player" GROUP BY "team" \
                HAVING COUNT("id") = 1)
                """
            ))
        #expect(
            try deleted(Table("visit").all().group(Column("citizen"))) == (
                2,
                """
                DELETE FROM "visit" WHERE ("country","citizen") IN (SELECT "country", "citizen" \
                FROM "visit" GROUP BY "citizen")
                """
            ))
    }

    @Test(.proves("REC-058", "REC-059", "REC-060", "QRY-002", "QRY-057"))
    func `Rows are counted, found, deleted by their keys`() throws {
        try queue.write { db throws in
            #expect(try Player.fetchCount(db) == 4)
            let captured = try db.capturedSQL { () throws in
                #expect(try Player.exists(db, id: 1))
            }
            #expect(captured == [#"SELECT EXISTS (SELECT * FROM "player" WHERE "id" = 1)"#])
            #expect(try !Player.exists(db, key: 9))
            #expect(try Player.exists(db, key: ["name": "Arthur"]))
            #expect(try Player.deleteOne(db, id: 1))
            #expect(try !Player.deleteOne(db, key: 1))
            #expect(try Player.deleteOne(db, key: ["name": "Barbara"]))
            #expect(try Player.deleteAll(db, ids: [1, 3]) == 1)
            #expect(try Player.deleteAll(db, keys: [["name": "Arthur"], ["name": "x"]]) == 0)
            #expect(try Player.deleteAll(db) == 1)
            let visits = Table("visit")
            #expect(try visits.fetchCount(db) == 3)
            #expect(try visits.exists(db, key: ["country": "DE", "citizen": 1]))
            #expect(try visits.fetchOne(db)?["country"] == "FR")
            #expect(try visits.fetchAll(db).count == 3 && visits.fetchSet(db).count == 3)
            #expect(try visits.deleteOne(db, key: ["country": "DE", "citizen": 1]))
            #expect(try visits.deleteAll(db) == 2)
            #expect(try visits.databaseRegion(db).description == "visit(citizen,country)")
        }
    }
}
