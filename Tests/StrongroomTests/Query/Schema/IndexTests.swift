import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct IndexTests {
    let schema: SchemaFixture

    init() throws {
        schema = try SchemaFixture()
        try schema.queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player(
                        id INTEGER PRIMARY KEY, email TEXT UNIQUE, name TEXT, score INT, bonus INT)
                    """)
        }
    }

    @Test(.proves("SCH-007", "SCH-033", "SCH-034", "SCH-036"))
    func `Indexes on columns have names, given or made up`() throws {
        let sql = try schema.sql { db in
            try db.create(indexOn: "player", columns: ["name", "score"])
            try db.create(
                indexOn: "player", columns: ["name"], options: [.unique, .ifNotExists],
                condition: Column("name") != "it's")
            try db.create(index: "a", on: "player", columns: ["score"])
            try db.create(
                index: "a", on: "player", columns: ["score"], options: .ifNotExists)
            try db.create(
                index: "b", on: "player", columns: ["score"], unique: true, ifNotExists: true,
                condition: Column("score") > 10)
            try db.create(
                index: "c", on: "player", columns: ["score"], options: .unique,
                condition: Column("score") > 10)
        }
        let name = "CREATE INDEX"
        #expect(
            sql == [
                #"\#(name) "index_player_on_name_score" ON "player"("name", "score")"#,
                """
                CREATE UNIQUE INDEX IF NOT EXISTS "index_player_on_name" ON "player"("name") \
                WHERE "name" <> 'it''s'
                """,
                #"\#(name) "a" ON "player"("score")"#,
                #"\#(name) IF NOT EXISTS "a" ON "player"("score")"#,
                """
                CREATE UNIQUE INDEX IF NOT EXISTS "b" ON "player"("score") WHERE "score" > 10
                """,
                #"CREATE UNIQUE INDEX "c" ON "player"("score") WHERE "score" > 10"#,
            ])
        #expect(
            try schema.message { try $0.create(index: "a", on: "player", columns: ["id"]) }
                == "index a already exists")
        // A name that is no column is not taken for a text.
        #expect(
            try schema.message { try $0.create(indexOn: "player", columns: ["nope"]) }?
                .hasPrefix(#"no such column: "nope""#) == true)
    }

    @Test(.proves("SCH-035"))
    func `Indexes on expressions hold their values as literals`() throws {
        let sql = try schema.sql { db in
            try db.create(
                index: "a", on: "player",
                expressions: [
                    Column("email").collating(.nocase), Column("score") + Column("bonus"),
                ])
            try db.create(
                index: "b", on: "player", expressions: [Column("name") ?? "it's"],
                options: [.unique, .ifNotExists], condition: Column("score") == nil)
        }
        #expect(
            sql == [
                #"CREATE INDEX "a" ON "player"("email" COLLATE NOCASE, "score" + "bonus")"#,
                """
                CREATE UNIQUE INDEX IF NOT EXISTS "b" ON "player"(IFNULL("name", 'it''s')) \
                WHERE "score" IS NULL
                """,
            ])
        try schema.queue.read { db throws in
            let plan = try Row.fetchAll(
                db,
                sql: """
                    EXPLAIN QUERY PLAN SELECT * FROM player WHERE email = 'A' COLLATE NOCASE
                    """)
            #expect(plan.map(\.description).joined().contains("USING INDEX a"))
        }
    }

    @Test(.proves("SCH-037"))
    func `An index is dropped by name or by columns`() throws {
        func names() throws -> Set<String> {
            try schema.queue.read { try Set($0.indexes(on: "player").map(\.name)) }
        }
        let constraint = try #require(try names().first)
        try schema.queue.write { db in
            try db.create(index: "a", on: "player", columns: ["name"])
            try db.create(index: "b", on: "player", columns: ["score", "bonus"])
            try db.create(index: "c", on: "player", columns: ["bonus"])
            try db.create(index: "d", on: "player", columns: ["bonus"])
            try db.drop(index: "a")
            try db.drop(indexOn: "player", columns: ["SCORE", "bonus"])
            // There is none, or there are two.
            try db.drop(indexOn: "player", columns: ["name"])
            try db.drop(indexOn: "player", columns: ["bonus"])
        }
        #expect(try names() == [constraint, "c", "d"])
        #expect(
            try schema.message { try $0.drop(indexOn: "player", columns: ["email"]) }
                == "index associated with UNIQUE or PRIMARY KEY constraint cannot be dropped")
        #expect(try schema.message { try $0.drop(index: "zzz") } == "no such index: zzz")
        #expect(
            try schema.message { try $0.drop(indexOn: "zzz", columns: ["a"]) }
                == "no such table: zzz")
    }
}
