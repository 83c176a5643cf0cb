import Strongroom
import StrongroomTestSupport
import Testing

/// Requests whose rows are counted, fetched one by one, and named by aliases.
extension RequestTests {
    @Test(.proves("QRY-017"))
    func `Rows are counted as they would be fetched`() throws {
        let requests: [(QueryInterfaceRequest<Row>, String)] = [
            (Table("player").all(), #"SELECT COUNT(*) FROM "player""#),
            (
                Table("player").filter(Column("score") > 1).order(Column("name")),
                #"SELECT COUNT(*) FROM "player" WHERE "score" > 1"#
            ),
            (
                Table("player").select(Column("name")).distinct(),
                #"SELECT COUNT(DISTINCT "name") FROM "player""#
            ),
            (
                Table("player").select(Column("team")).distinct(),
                #"SELECT COUNT(*) FROM (SELECT DISTINCT "team" FROM "player")"#
            ),
            (
                Table("player").select(Column("team"), Column("score")).distinct(),
                #"SELECT COUNT(*) FROM (SELECT DISTINCT "team", "score" FROM "player")"#
            ),
            (
                Table("player").limit(3),
                #"SELECT COUNT(*) FROM (SELECT * FROM "player" LIMIT 3)"#
            ),
            (
                Table("player").all().group(Column("team")),
                #"SELECT COUNT(*) FROM (SELECT * FROM "player" GROUP BY "team")"#
            ),
            (
                Table("player").select(max(Column("score"))),
                #"SELECT COUNT(*) FROM (SELECT MAX("score") FROM "player")"#
            ),
            (
                Table("player").select(abs(Column("score"))),
                #"SELECT COUNT(*) FROM "player""#
            ),
            (
                Table("player").select(literal: "1, 2"),
                #"SELECT COUNT(*) FROM (SELECT 1, 2 FROM "player")"#
            ),
            (Table("player").none(), #"SELECT COUNT(*) FROM "player" WHERE 0"#),
        ]
        try queue.read { db throws in
            for (request, sql) in requests {
                let fetched = try request.fetchAll(db).count
                let captured = try db.capturedSQL { () throws in
                    #expect(try request.fetchCount(db) == fetched)
                }
                #expect(captured == [sql])
                #expect(try request.isEmpty(db) == (fetched == 0))
            }
            let captured = try db.capturedSQL { _ = try Player.filter { $0.id > 9 }.isEmpty(db) }
            #expect(captured == [#"SELECT EXISTS (SELECT * FROM "player" WHERE "id" > 9)"#])
        }
    }

    @Test(.proves("QRY-018"))
    func `One row is asked for where one is wanted`() throws {
        func sql(_ request: QueryInterfaceRequest<some Any>) throws -> String {
            try queue.read { db in
                try db.capturedSQL { _ = try Row.fetchOne(db, request) }.last ?? ""
            }
        }
        let prefix = #"SELECT * FROM "player""#
        #expect(try sql(Player.all()) == prefix + " LIMIT 1")
        #expect(try sql(Player.order(\.score)) == prefix + #" ORDER BY "score" LIMIT 1"#)
        #expect(try sql(Player.limit(7)) == prefix + " LIMIT 7")
        #expect(try sql(Player.filter(id: 1)) == prefix + #" WHERE "id" = 1"#)
        #expect(try sql(Player.filter { $0.name == "x" }) == prefix + #" WHERE "name" = 'x'"#)
        #expect(
            try sql(Player.filter { $0.team == "x" }) == prefix + #" WHERE "team" = 'x' LIMIT 1"#)
        #expect(
            try sql(Player.filter { $0.id == 1 && $0.score > 2 })
                == prefix + #" WHERE ("id" = 1) AND ("score" > 2)"#)
        #expect(
            try sql(Table("visit").filter(Column("country") == "FR"))
                == #"SELECT * FROM "visit" WHERE "country" = 'FR' LIMIT 1"#)
    }

    @Test(.proves("QRY-051", "QRY-063", "QRY-015"))
    func `Aliases name the columns of their table, also from inside`() throws {
        let player = TableAlias<Player>()
        let other = TableAlias(name: "other")
        try expect(
            Player.aliased(player).filter(player.score > 1),
            #"SELECT "player".* FROM "player" WHERE "player"."score" > 1"#)
        try expect(
            Player.aliased(other).filter(other["score"] > 1 && other[Column("id") != 2]),
            """
            SELECT "other".* FROM "player" "other" WHERE ("other"."score" > 1) \
            AND ("other"."id" <> 2)
            """)
        try expect(
            Player.aliased(player).filter(
                !Player.filter { $0.score > player.score }.exists()
            ).order(player[Column("name").desc]),
            """
            SELECT "player".* FROM "player" WHERE NOT EXISTS (SELECT "player1".* \
            FROM "player" "player1" WHERE "player1"."score" > "player"."score") \
            ORDER BY "player"."name" DESC
            """)
        try expect(
            Player.aliased(player).select(player[Column("id").forKey("x")]).filter(player.exists),
            """
            SELECT "player"."id" AS "x" FROM "player" WHERE "player"."id" IS NOT NULL
            """)
        try queue.read { db throws in
            let error = DatabaseError.thrown {
                _ = try Row.fetchAll(db, Player.filter(player.score > 1))
            }
            #expect(error?.message?.contains("aliased") == true)
        }
    }
}
