import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct TableAlterationTests {
    let schema: SchemaFixture

    init() throws {
        schema = try SchemaFixture()
        try schema.queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE team(id INTEGER PRIMARY KEY);
                    CREATE TABLE player(id INTEGER PRIMARY KEY, url TEXT, score INT);
                    INSERT INTO player VALUES (1, 'a', 2);
                    """)
        }
    }

    @Test(.proves("SCH-004", "SCH-029", "SCH-030"))
    func `Columns are added, renamed and dropped in the order written`() throws {
        let name = "it's"
        let sql = try schema.sql { db in
            try db.alter(table: "player") { t in
                t.add(column: "hasBonus", .boolean).notNull().defaults(to: false)
                t.add(column: "anything")
                t.rename(column: "url", to: "homeURL")
                t.add(column: "url", .text).indexed()
                t.add(column: "teamId", .integer).references("team", onDelete: .setNull).indexed()
                t.addColumn(sql: "a TEXT")
                t.addColumn(literal: "b TEXT DEFAULT \(name)")
                t.drop(column: "score")
            }
        }
        #expect(
            sql == [
                #"ALTER TABLE "player" ADD COLUMN "hasBonus" BOOLEAN NOT NULL DEFAULT 0"#,
                #"ALTER TABLE "player" ADD COLUMN "anything""#,
                #"ALTER TABLE "player" RENAME COLUMN "url" TO "homeURL""#,
                #"ALTER TABLE "player" ADD COLUMN "url" TEXT"#,
                #"CREATE INDEX "player_on_url" ON "player"("url")"#,
                """
                ALTER TABLE "player" ADD COLUMN "teamId" INTEGER REFERENCES "team"("id") \
                ON DELETE SET NULL
                """,
                #"CREATE INDEX "player_on_teamId" ON "player"("teamId")"#,
                #"ALTER TABLE "player" ADD COLUMN a TEXT"#,
                #"ALTER TABLE "player" ADD COLUMN b TEXT DEFAULT 'it''s'"#,
                #"ALTER TABLE "player" DROP COLUMN "score""#,
            ])
        try schema.queue.read { db throws in
            #expect(
                try db.columns(in: "player").map(\.name)
                    == ["id", "homeURL", "hasBonus", "anything", "url", "teamId", "a", "b"])
            let row = try Row.fetchOne(db, sql: "SELECT homeURL, hasBonus, b FROM player")
            #expect(row == ["homeURL": "a", "hasBonus": 0, "b": "it's"])
        }
    }

    @Test(.proves("SCH-004", "SCH-040"))
    func `All changes are made, or none`() throws {
        let message = try schema.message { db in
            try db.alter(table: "player") { t in
                t.add(column: "a")
                t.drop(column: "missing")
            }
        }
        #expect(message == #"no such column: ""missing"""#)
        try schema.queue.read { db throws in
            #expect(try db.columns(in: "player").map(\.name) == ["id", "url", "score"])
        }
        #expect(
            try schema.message { try $0.alter(table: "nope") { $0.add(column: "a") } }
                == "no such table: nope")
        #expect(
            try schema.message { db in
                try db.alter(table: "player") { $0.add(column: "a").references("zzz") }
            } == "no such table: zzz")
    }

    @Test(.proves("SCH-031"))
    func `A table that others refer to is recreated in a migration`() throws {
        try schema.queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE visit(playerId INTEGER NOT NULL REFERENCES player ON DELETE CASCADE);
                    INSERT INTO visit VALUES (1);
                    CREATE INDEX player_on_score ON player(score);
                    CREATE VIEW best AS SELECT * FROM player WHERE score > 1;
                    CREATE TRIGGER tr AFTER DELETE ON player BEGIN DELETE FROM team; END;
                    """)
        }
        var migrator = DatabaseMigrator()
        migrator.registerMigration("Make score a text") { db in
            let others = try String.fetchAll(
                db,
                sql: """
                    SELECT sql FROM sqlite_master
                    WHERE tbl_name IN ('player', 'best') AND type <> 'table'
                    """)
            try db.create(table: "new_player") { t in
                t.primaryKey("id", .integer)
                t.column("score", .text).notNull()
            }
            try db.execute(sql: "INSERT INTO new_player SELECT id, score FROM player")
            try db.drop(view: "best")
            try db.drop(table: "player")
            try db.rename(table: "new_player", to: "player")
            for sql in others { try db.execute(sql: sql) }
        }
        try migrator.migrate(schema.queue)
        try schema.queue.write { db throws in
            #expect(try String.fetchAll(db, sql: "SELECT score FROM best") == ["2"])
            #expect(try db.indexes(on: "player").map(\.name) == ["player_on_score"])
            #expect(try db.triggerExists("tr"))
            #expect(try db.foreignKeys(on: "visit").map(\.destinationTable) == ["player"])
            try db.execute(sql: "DELETE FROM player")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM visit") == 0)
        }
    }
}
