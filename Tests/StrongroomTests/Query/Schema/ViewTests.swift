import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct ViewTests {
    struct Player: TableRecord {}

    let schema: SchemaFixture

    init() throws {
        schema = try SchemaFixture()
        try schema.queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE player(id INTEGER PRIMARY KEY, name TEXT);
                    INSERT INTO player VALUES (1, 'it''s'), (2, 'Barbara');
                    """)
        }
    }

    @Test(.proves("SCH-032"))
    func `Views are made of requests and of SQL`() throws {
        let name = "it's"
        let sql = try schema.sql { db in
            try db.create(view: "a", as: Player.filter(Column("name") == name))
            try db.create(
                view: "b", options: [.temporary, .ifNotExists], columns: ["x", "y"],
                as: SQLRequest<Row>("SELECT * FROM player WHERE name = \(name); -- all"))
            try db.create(view: "c", asLiteral: "SELECT \(name) AS n, '?' AS q; ")
            try db.create(
                view: "c", options: .ifNotExists, columns: ["x"],
                asLiteral: SQL(sql: "SELECT :n || :n", arguments: ["n": "?"]))
        }
        #expect(
            sql == [
                #"CREATE VIEW "a" AS SELECT * FROM "player" WHERE "name" = 'it''s'"#,
                """
                CREATE TEMPORARY VIEW IF NOT EXISTS "b" ("x", "y") AS \
                SELECT * FROM player WHERE name = 'it''s'
                """,
                #"CREATE VIEW "c" AS SELECT 'it''s' AS n, '?' AS q"#,
                #"CREATE VIEW IF NOT EXISTS "c" ("x") AS SELECT '?' || '?'"#,
            ])
        try schema.queue.write { db throws in
            #expect(try Int.fetchAll(db, sql: "SELECT id FROM a") == [1])
            #expect(try Int.fetchAll(db, sql: "SELECT x FROM b") == [1])
            #expect(try String.fetchAll(db, sql: "SELECT n || q FROM c") == ["it's?"])
            try db.drop(view: "a")
            #expect(try !db.viewExists("a"))
        }
        #expect(try schema.message { try $0.drop(view: "a") } == "no such view: a")
    }

    @Test(
        .proves("SCH-032"), arguments: ["SELECT ?", "SELECT ?, ?2", "SELECT ?32767", "SELECT ?0"])
    func `Values must be given for all placeholders`(sql: String) throws {
        let error = schema.queue.writeWithoutTransaction { db in
            DatabaseError.thrown {
                try db.create(view: "v", asLiteral: SQL(sql: sql, arguments: ["a", "b", "c"]))
            }
        }
        #expect(error != nil)
        #expect(try schema.queue.read { try !$0.viewExists("v") })
    }
}
