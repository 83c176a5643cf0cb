import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct TableDefinitionTests {
    let schema: SchemaFixture

    init() throws {
        schema = try SchemaFixture()
    }

    @Test(.proves("SCH-001", "SCH-009", "SCH-010", "SCH-012"))
    func `A table has columns with types, or without`() throws {
        let types: [(Database.ColumnType, String)] = [
            (.text, "TEXT"), (.integer, "INTEGER"), (.double, "DOUBLE"), (.real, "REAL"),
            (.numeric, "NUMERIC"), (.boolean, "BOOLEAN"), (.blob, "BLOB"), (.date, "DATE"),
            (.datetime, "DATETIME"), (.any, "ANY"), (.jsonText, "TEXT"), (.jsonb, "BLOB"),
            (.init(rawValue: "VARCHAR(10)"), "VARCHAR(10)"),
        ]
        for (type, name) in types {
            #expect(try schema.column { $0.column("a", type) } == #""a" \#(name)"#)
        }
        #expect(try schema.column { $0.column("a") } == #""a""#)
        let sql = try schema.sql { db in
            try db.create(table: "player") { t in
                t.autoIncrementedPrimaryKey("id")
                t.column("name", .text)
                t.column("anything")
            }
        }
        let expected =
            #"CREATE TABLE "player" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT, "anything")"#
        #expect(sql == [expected])
        try schema.queue.read { db throws in
            #expect(try db.columns(in: "player").map(\.type) == ["INTEGER", "TEXT", ""])
        }
        #expect(
            try schema.column { $0.autoIncrementedPrimaryKey("id", onConflict: .replace) }
                == #""id" INTEGER PRIMARY KEY ON CONFLICT REPLACE AUTOINCREMENT"#)
    }

    @Test(.proves("SCH-001", "SCH-040"))
    func `When the definition throws, nothing is created`() throws {
        struct Stop: Error {}
        try schema.queue.writeWithoutTransaction { db in
            var hasStopped = false
            do {
                try db.create(table: "t") { t in
                    t.column("a")
                    throw Stop()
                }
            } catch is Stop {
                hasStopped = true
            }
            #expect(hasStopped)
            try db.execute(sql: "CREATE TABLE other(a); CREATE INDEX t_on_a ON other(a)")
            let error = DatabaseError.thrown {
                try db.create(table: "t") { $0.column("a").indexed() }
            }
            #expect(error?.message == "index t_on_a already exists")
            #expect(try !db.tableExists("t"))
            #expect(!db.isInsideTransaction)
        }
    }

    @Test(.proves("SCH-002", "SCH-007"))
    func `A table is created with options, also in their earlier spelling`() throws {
        let define = { (t: TableDefinition) in _ = t.column("a", .text).primaryKey() }
        let sql = try schema.sql { db in
            try db.create(
                table: "t", options: [.temporary, .ifNotExists, .withoutRowID, .strict],
                body: define)
            try db.create(table: "t", options: [.ifNotExists], body: define)
            try db.create(table: "t", options: .ifNotExists, body: define)
            try db.create(table: "u", options: .strict, body: define)
            try db.create(table: "v", temporary: true, ifNotExists: true, body: define)
            try db.create(table: "w", withoutRowID: true, body: define)
        }
        let columns = #"("a" TEXT PRIMARY KEY)"#
        #expect(
            sql == [
                #"CREATE TEMPORARY TABLE IF NOT EXISTS "t" \#(columns) STRICT, WITHOUT ROWID"#,
                #"CREATE TABLE IF NOT EXISTS "t" \#(columns)"#,
                #"CREATE TABLE IF NOT EXISTS "t" \#(columns)"#,
                #"CREATE TABLE "u" \#(columns) STRICT"#,
                #"CREATE TEMPORARY TABLE IF NOT EXISTS "v" \#(columns)"#,
                #"CREATE TABLE "w" \#(columns) WITHOUT ROWID"#,
            ])
        #expect(try schema.message { try $0.create(table: "u", body: define) } != nil)
    }

    @Test(.proves("SCH-003"))
    func `Tables are renamed and dropped`() throws {
        let sql = try schema.sql { db in
            try db.create(table: "a") { $0.column("x") }
            try db.rename(table: "a", to: "b")
            #expect(try db.tableExists("b") && !db.tableExists("a"))
            try db.drop(table: "b")
            #expect(try !db.tableExists("b"))
        }
        #expect(sql.dropFirst() == [#"ALTER TABLE "a" RENAME TO "b""#, #"DROP TABLE "b""#])
        #expect(try schema.message { try $0.drop(table: "b") } == "no such table: b")
    }

    @Test(.proves("SCH-011"))
    func `Columns are written in SQL, with values`() throws {
        #expect(try schema.column { $0.column(sql: "a TEXT NOT NULL") } == "a TEXT NOT NULL")
        let name = "O'Reilly"
        #expect(
            try schema.column { $0.column(literal: "a TEXT DEFAULT \(name)") }
                == "a TEXT DEFAULT 'O''Reilly'")
        #expect(
            try schema.column { t in
                t.column(
                    literal: SQL(
                        sql: "a DEFAULT '?' CHECK (a IN (?, :x, ?1, \"a\" /* ? */))",
                        arguments: StatementArguments([1]) + ["x": "?"]))
            } == "a DEFAULT '?' CHECK (a IN (1, '?', 1, \"a\" /* ? */))")
    }

    @Test(.proves("SCH-013"))
    func `A primary key of one column is never NULL`() throws {
        #expect(
            try schema.column { $0.primaryKey("a", .text) } == #""a" TEXT PRIMARY KEY NOT NULL"#)
        #expect(try schema.column { $0.primaryKey("a", .integer) } == #""a" INTEGER PRIMARY KEY"#)
        #expect(
            try schema.column {
                $0.primaryKey("a", .integer, onConflict: .replace).check { $0 == 1 }
            }
                == #""a" INTEGER PRIMARY KEY ON CONFLICT REPLACE CHECK ("a" = 1)"#)
    }

    @Test(.proves("SCH-014", "SCH-015"))
    func `A primary key of several columns is never NULL`() throws {
        #expect(
            try schema.column { t in
                t.primaryKey(onConflict: .ignore) {
                    t.column("a", .integer)
                    t.column("b", .text)
                }
                t.column("c")
            } == """
                "a" INTEGER NOT NULL, "b" TEXT NOT NULL, "c", \
                PRIMARY KEY ("a", "b") ON CONFLICT IGNORE
                """)
        #expect(
            try schema.column { t in
                t.column("a")
                t.column("b")
                t.primaryKey(["a", "b"], onConflict: .fail)
            } == #""a", "b", PRIMARY KEY ("a", "b") ON CONFLICT FAIL"#)
        let message = try schema.message { db in
            try db.create(table: "t") { t in
                t.primaryKey("a", .text)
                t.primaryKey(["a"])
            }
        }
        #expect(message == #"table "t" has more than one primary key"#)
    }

    @Test(.proves("SCH-014"))
    func `A primary key can be made of foreign keys`() throws {
        let sql = try schema.sql { db in
            try db.create(table: "country") { $0.primaryKey("code", .text) }
            try db.create(table: "citizen") { $0.primaryKey("id", .integer) }
            try db.create(table: "passport") { t in
                t.primaryKey {
                    t.belongsTo("country", indexed: false)
                    t.belongsTo("citizen")
                }
            }
        }
        #expect(
            sql.dropFirst(2) == [
                """
                CREATE TABLE "passport" (\
                "countryCode" TEXT NOT NULL REFERENCES "country"("code"), \
                "citizenId" INTEGER NOT NULL REFERENCES "citizen"("id"), \
                PRIMARY KEY ("countryCode", "citizenId"))
                """,
                #"CREATE INDEX "passport_on_citizenId" ON "passport"("citizenId")"#,
            ])
    }

    @Test(.proves("SCH-016"))
    func `Keys of several columns are unique, or refer to other tables`() throws {
        #expect(
            try schema.column { t in
                t.column("a")
                t.column("b")
                t.uniqueKey(["a", "b"], onConflict: .rollback)
                t.uniqueKey(["b"])
            } == #""a", "b", UNIQUE ("a", "b") ON CONFLICT ROLLBACK, UNIQUE ("b")"#)
        try schema.queue.write { try $0.execute(sql: "CREATE TABLE p(c, d, PRIMARY KEY (d, c))") }
        #expect(
            try schema.column { t in
                t.column("a")
                t.column("b")
                t.foreignKey(["a", "b"], references: "p")
                t.foreignKey(
                    ["a", "b"], references: "p", columns: ["c", "d"], onDelete: .cascade,
                    onUpdate: .restrict, deferred: true)
            } == """
                "a", "b", FOREIGN KEY ("a", "b") REFERENCES "p"("d", "c"), \
                FOREIGN KEY ("a", "b") REFERENCES "p"("c", "d") ON DELETE CASCADE \
                ON UPDATE RESTRICT DEFERRABLE INITIALLY DEFERRED
                """)
    }

    @Test(.proves("SCH-017"))
    func `Constraints stand behind the columns, with values`() throws {
        #expect(
            try schema.column { t in
                t.column("a")
                t.column("b")
                t.check(Column("a") + Column("b") < 10)
                t.check(sql: "a <> b")
                t.constraint(sql: "CHECK (a > 0)")
                t.constraint(literal: "CHECK (b <> \("it's"))")
            } == """
                "a", "b", CHECK (("a" + "b") < 10), CHECK (a <> b), CHECK (a > 0), \
                CHECK (b <> 'it''s')
                """)
    }

    @Test(.proves("SCH-039"))
    func `Triggers are written in SQL`() throws {
        try schema.queue.write { db in
            try db.create(table: "t") { $0.column("a") }
            try db.execute(
                sql: "CREATE TRIGGER tr AFTER INSERT ON t BEGIN UPDATE t SET a = 2; END")
            try db.execute(sql: "INSERT INTO t VALUES (1)")
            #expect(try db.triggerExists("tr"))
            #expect(try Int.fetchOne(db, sql: "SELECT a FROM t") == 2)
        }
    }
}
