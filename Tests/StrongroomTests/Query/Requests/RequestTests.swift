import Strongroom
import StrongroomTestSupport
import Testing

/// Requests made of Swift: what they become, and what they give.
@Suite struct RequestTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    struct Player: TableRecord, Identifiable {
        var id: Int64

        enum Columns {
            static let id = Column("id")
            static let name = Column("name")
            static let score = Column("score")
            static let team = Column("team")
        }
    }

    struct Visit: TableRecord {
        enum Columns: String, ColumnExpression { case country, citizen }
    }

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player(
                        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, score INT, team TEXT);
                    INSERT INTO player VALUES
                        (1, 'Arthur', 100, 'red'), (2, 'Barbara', 1000, 'blue'),
                        (3, 'Craig', NULL, 'red'), (4, 'Danielle', 500, NULL);
                    CREATE TABLE visit(country TEXT, citizen INT, PRIMARY KEY (country, citizen));
                    INSERT INTO visit VALUES ('FR', 1), ('FR', 2), ('DE', 1);
                    CREATE TABLE note(text TEXT);
                    INSERT INTO note VALUES ('a'), ('b');
                    """)
        }
    }

    func expect(
        _ request: some FetchRequest, _ sql: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        try queue.read { db throws in
            #expect(try db.sql(of: request) == sql, sourceLocation: location)
        }
    }

    @Test(.proves("QRY-001", "QRY-003", "QRY-024", "QRY-065"))
    func `A table has a request for all rows and one for none`() throws {
        try expect(Player.all(), #"SELECT * FROM "player""#)
        try expect(Player.all().all(), #"SELECT * FROM "player""#)
        try expect(Player.none(), #"SELECT * FROM "player" WHERE 0"#)
        #expect(Player.all().databaseTableName == "player")
        try queue.read { db throws in
            #expect(try Row.fetchAll(db, Player.all()).count == 4)
            #expect(try Row.fetchAll(db, Player.none().order { $0.name }).isEmpty)
            #expect(try Player.none().filter { $0.id == 1 }.fetchCount(db) == 0)
            #expect(try Player.none().databaseRegion(db).isEmpty)
            #expect(try Player.all().databaseRegion(db).description == "player(id,name,score,team)")
        }
    }

    @Test(.proves("QRY-004", "QRY-014", "QRY-016", "QRY-021"))
    func `Columns are selected in every way`() throws {
        let sql = #"SELECT "name" FROM "player""#
        try expect(Player.select(Column("name")), sql)
        try expect(Player.select(\.name), sql)
        try expect(Player.select { $0.name }, sql)
        try expect(Player.select { [$0.name] }, sql)
        try expect(Player.select(literal: #""name""#), sql)
        try expect(Player.select(sql: #""name""#), sql)
        try expect(Player.select(Column("score")).select(\.name), sql)
        try expect(
            Player.select { [$0.team, max($0.score)] }.group(\.team),
            #"SELECT "team", MAX("score") FROM "player" GROUP BY "team""#)
        try expect(
            Player.select(literal: "\(Column("score")) + \(1)"),
            #"SELECT "score" + 1 FROM "player""#)
        try queue.read { db throws in
            #expect(try Player.select(\.name, as: String.self).fetchAll(db).count == 4)
            let names = try Player.select(Column("name"), as: String.self).fetchSet(db)
            #expect(names == ["Arthur", "Barbara", "Craig", "Danielle"])
            let best: Int? = try Player.select({ max($0.score) }, as: Int.self).fetchOne(db)
            #expect(best == 1000)
            let scores = try Player.select(sql: "score", as: Int?.self).fetchAll(db)
            #expect(scores == [100, 1000, nil, 500])
            #expect(try Player.all().asRequest(of: Row.self).fetchOne(db)?["name"] == "Arthur")
        }
    }

    @Test(.proves("QRY-005"))
    func `The primary key is selected, all of it`() throws {
        try expect(Player.selectID(), #"SELECT "id" FROM "player""#)
        try expect(
            Table("visit").selectPrimaryKey(as: Row.self),
            #"SELECT "country", "citizen" FROM "visit""#)
        try expect(
            Table("note").selectPrimaryKey(as: Int64.self), #"SELECT "rowid" FROM "note""#)
        try queue.read { db throws in
            #expect(try Player.selectID().fetchSet(db) == [1, 2, 3, 4])
            #expect(try Player.selectPrimaryKey(as: Int.self).fetchAll(db) == [1, 2, 3, 4])
        }
    }

    @Test(.proves("QRY-007", "QRY-023"))
    func `Columns are added, left out, made distinct`() throws {
        try expect(
            Player.annotated { $0.score * 2 }, #"SELECT *, "score" * 2 FROM "player""#)
        try expect(
            Player.annotated(with: Column.rowID, Column("name").forKey("n")),
            #"SELECT *, "rowid", "name" AS "n" FROM "player""#)
        try expect(
            Player.select(.allColumns(excluding: ["SCORE", "unknown"]), .rowID),
            #"SELECT "id", "name", "team", "rowid" FROM "player""#)
        try expect(
            Player.select(.allColumns(excluding: [Column("id")])),
            #"SELECT "name", "score", "team" FROM "player""#)
        try expect(
            Player.select(\.team).distinct(), #"SELECT DISTINCT "team" FROM "player""#)
    }

    @Test(.proves("QRY-008", "QRY-019"))
    func `Filters add up, each between parentheses`() throws {
        struct Failure: Error {}
        try expect(
            Player.filter { $0.score > 10 }.filter(Column("team") == "red"),
            """
            SELECT * FROM "player" WHERE ("score" > 10) AND ("team" = 'red')
            """)
        try expect(
            Player.filter(
                sql: "a = ? OR b".replacing("a", with: "id").replacing("b", with: "0"),
                arguments: [1]
            ).filter(literal: "name LIKE \("A%")"),
            """
            SELECT * FROM "player" WHERE (id = 1 OR 0) AND (name LIKE 'A%')
            """)
        try expect(Player.filter(id: 1), #"SELECT * FROM "player" WHERE "id" = 1"#)
        try expect(Player.filter(ids: [1, 2]), #"SELECT * FROM "player" WHERE "id" IN (1, 2)"#)
        try expect(Player.filter(ids: []), #"SELECT * FROM "player" WHERE 0"#)
        try expect(Player.filter(key: 1), #"SELECT * FROM "player" WHERE "id" = 1"#)
        try expect(Player.filter(key: Int?.none), #"SELECT * FROM "player" WHERE 0"#)
        try expect(
            Player.filter(key: ["NAME": "Arthur", "id": 1]),
            #"SELECT * FROM "player" WHERE ("NAME" = 'Arthur') AND ("id" = 1)"#)
        try expect(
            Table("visit").filter(keys: [
                ["country": "FR", "citizen": 1], ["country": "DE", "citizen": nil],
            ]),
            """
            SELECT * FROM "visit" WHERE (("citizen" = 1) AND ("country" = 'FR')) \
            OR (("citizen" IS NULL) AND ("country" = 'DE'))
            """)
        try expect(
            Player.filter { $0.score == nil }, #"SELECT * FROM "player" WHERE "score" IS NULL"#)
        try expect(
            Player.filter { $0.score != nil }, #"SELECT * FROM "player" WHERE "score" IS NOT NULL"#)
        try expect(
            Player.filter { ($0.score == nil) == ($0.team == nil) },
            """
            SELECT * FROM "player" WHERE ("score" IS NULL) = ("team" IS NULL)
            """)
        try expect(
            Visit.filter { $0.country == $0.citizen },
            #"SELECT * FROM "visit" WHERE "country" = "citizen""#)
        try expect(Player.filter { _ in true }, #"SELECT * FROM "player" WHERE 1"#)
        try expect(
            Player.filter { $0.name == $0.team }, #"SELECT * FROM "player" WHERE "name" = "team""#)
        #expect(throws: Failure.self) { _ = try Player.filter { _ in throw Failure() } }
        try queue.read { db throws in
            let composite = DatabaseError.thrown {
                _ = try Table("visit").filter(key: 1).fetchAll(db)
            }
            #expect(composite?.message?.contains("country, citizen") == true)
            let error = DatabaseError.thrown {
                _ = try Row.fetchOne(db, Player.filter(key: ["score": 1]))
            }
            #expect(error?.message == "table player has no unique key on column(s) score")
        }
    }

    @Test(.proves("QRY-010", "QRY-011"))
    func `Rows are grouped, and groups are filtered`() throws {
        try expect(
            Player.select { [$0.team, count($0.id)] }.group { $0.team }.having { count($0.id) > 1 },
            """
            SELECT "team", COUNT("id") FROM "player" GROUP BY "team" HAVING COUNT("id") > 1
            """)
        try expect(
            Player.all().group(Column("team"), Column("score")).having(
                sql: "COUNT(*) > ?", arguments: [1]
            )
            .having(literal: "MAX(score) < \(9)"),
            """
            SELECT * FROM "player" GROUP BY "team", "score" \
            HAVING (COUNT(*) > 1) AND (MAX(score) < 9)
            """)
        try expect(
            Player.all().group(sql: "team, score"),
            #"SELECT * FROM "player" GROUP BY team, score"#)
        try expect(
            Table("visit").all().groupByPrimaryKey(),
            #"SELECT * FROM "visit" GROUP BY "rowid""#)
        try queue.read { db throws in
            let request = Player.select(count(.allColumns)).having(count(.allColumns) > 1)
            #expect(try Row.fetchAll(db, request).count == request.fetchCount(db))
        }
    }

    @Test(.proves("QRY-012", "QRY-013", "QRY-064"))
    func `Rows are ordered and limited`() throws {
        let prefix = #"SELECT * FROM "player" "#
        try expect(Player.order(\.score.desc), prefix + #"ORDER BY "score" DESC"#)
        try expect(
            Player.order { [$0.team, $0.score.desc] }, prefix + #"ORDER BY "team", "score" DESC"#)
        try expect(Player.order(sql: "score + ?", arguments: [1]), prefix + "ORDER BY score + 1")
        try expect(
            Player.order(\.score).order(Column("name"), Column("id")),
            prefix + #"ORDER BY "name", "id""#)
        try expect(Player.orderByPrimaryKey(), prefix + #"ORDER BY "id""#)
        try expect(
            Table("visit").orderByPrimaryKey().reversed(),
            #"SELECT * FROM "visit" ORDER BY "country" DESC, "citizen" DESC"#)
        try expect(
            Table("note").orderByPrimaryKey(), #"SELECT * FROM "note" ORDER BY "rowid""#)
        try expect(
            Player.order(\.score.desc).reversed(), prefix + #"ORDER BY "score" ASC"#)
        try expect(Player.all().reversed(), #"SELECT * FROM "player""#)
        try expect(Player.order(\.score).unordered(), #"SELECT * FROM "player""#)
        try expect(
            Player.order(\.score).withStableOrder().reversed(),
            prefix + #"ORDER BY "score" DESC, "id" DESC"#)
        try expect(Player.limit(5), prefix + "LIMIT 5")
        try expect(Player.limit(5).limit(2, offset: 1), prefix + "LIMIT 2 OFFSET 1")
        try queue.read { db throws in
            let names = Player.order(\.name).limit(2, offset: 1).select(\.name, as: String.self)
            #expect(try names.fetchAll(db) == ["Barbara", "Craig"])
        }
    }

    @Test(.proves("CMP-87"))
    func `A stable order is reversed with its keys`() throws {
        let prefix = #"SELECT * FROM "player" "#
        let forward = Player.order(\.score)
        let reversed = prefix + #"ORDER BY "score" DESC, "id" DESC"#
        try expect(forward.reversed().withStableOrder(), reversed)
        try expect(forward.withStableOrder().reversed(), reversed)
        try expect(
            Player.all().reversed().withStableOrder(), prefix + #"ORDER BY "id" DESC"#)
        try expect(
            forward.reversed().withStableOrder().reversed(), prefix + #"ORDER BY "score", "id""#)
    }

    @Test(.proves("QRY-062"))
    func `Closures are asked when SQL is generated`() throws {
        let request = Player.all()
            .filterWhenConnected { try Column("id") <= Int.fetchOne($0, sql: "SELECT 2")! }
            .selectWhenConnected { _ in [Column("team")] }
            .annotatedWhenConnected { _ in [max(Column("score"))] }
            .groupWhenConnected { _ in [Column("team")] }
            .havingWhenConnected { _ in count(.allColumns) == 1 }
            .orderWhenConnected { _ in [Column("team").desc] }
        try expect(
            request,
            """
            SELECT "team", MAX("score") FROM "player" WHERE "id" <= 2 GROUP BY "team" \
            HAVING COUNT(*) = 1 ORDER BY "team" DESC
            """)
    }
}
