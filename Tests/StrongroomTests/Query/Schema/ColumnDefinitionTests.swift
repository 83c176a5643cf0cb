import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct ColumnDefinitionTests {
    let schema: SchemaFixture

    init() throws {
        schema = try SchemaFixture()
    }

    @Test(.proves("SCH-021", "SCH-027"))
    func `Keys, NULL and uniqueness come with a policy for conflicts`() throws {
        let policies: [Database.ConflictResolution] = [.rollback, .abort, .fail, .ignore, .replace]
        #expect(policies.map(\.rawValue) == ["ROLLBACK", "ABORT", "FAIL", "IGNORE", "REPLACE"])
        for policy in policies {
            #expect(
                try schema.column { $0.column("a").notNull(onConflict: policy) }
                    == #""a" NOT NULL ON CONFLICT \#(policy.rawValue)"#)
        }
        #expect(try schema.column { $0.column("a").notNull() } == #""a" NOT NULL"#)
        #expect(try schema.column { $0.column("a").unique() } == #""a" UNIQUE"#)
        #expect(
            try schema.column { $0.column("a").unique(onConflict: .ignore) }
                == #""a" UNIQUE ON CONFLICT IGNORE"#)
        #expect(try schema.column { $0.column("a").primaryKey() } == #""a" PRIMARY KEY"#)
        #expect(
            try schema.column {
                $0.column("a", .integer).primaryKey(onConflict: .fail, autoincrement: true)
            } == #""a" INTEGER PRIMARY KEY ON CONFLICT FAIL AUTOINCREMENT"#)
    }

    @Test(.proves("SCH-021", "SCH-038"))
    func `An index is made for a column that is not unique`() throws {
        let sql = try schema.sql { db in
            try db.create(table: "t", options: .ifNotExists) { t in
                t.column("a").indexed()
                t.column("b").unique().indexed()
                t.column("c").indexed()
                t.primaryKey(["c"])
                t.column("d").indexed()
                t.uniqueKey(["d"])
            }
            try db.create(table: "u", options: .temporary) { $0.column("a").indexed() }
        }
        #expect(
            sql == [
                """
                CREATE TABLE IF NOT EXISTS "t" ("a", "b" UNIQUE, "c", "d", \
                PRIMARY KEY ("c"), UNIQUE ("d"))
                """,
                #"CREATE INDEX IF NOT EXISTS "t_on_a" ON "t"("a")"#,
                #"CREATE TEMPORARY TABLE "u" ("a")"#,
                #"CREATE INDEX "u_on_a" ON "u"("a")"#,
            ])
        try schema.queue.write { db throws in
            #expect(try db.indexes(on: "u", in: "temp").map(\.name) == ["u_on_a"])
        }
    }

    @Test(.proves("SCH-022"))
    func `Conditions add up`() throws {
        #expect(
            try schema.column {
                $0.column("a", .integer).check { $0 > 0 }.check(sql: "a < 10")
                    .check { length($0) < 3 || $0 == "it's" }
            } == """
                "a" INTEGER CHECK ("a" > 0) CHECK (a < 10) \
                CHECK ((LENGTH("a") < 3) OR ("a" = 'it''s'))
                """)
        try schema.queue.write { db in
            try db.create(table: "t") { $0.column("a").check { [1, 2, 3].contains($0) } }
            let error = DatabaseError.thrown { try db.execute(sql: "INSERT INTO t VALUES (4)") }
            #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_CHECK)
            try db.execute(sql: "INSERT INTO t VALUES (3)")
        }
    }

    @Test(.proves("SCH-023"))
    func `A default value is what was given`() throws {
        func sql(_ value: some DatabaseValueConvertible) throws -> String {
            try schema.column { $0.column("a").defaults(to: value) }
        }
        #expect(try sql("O'Reilly") == #""a" DEFAULT 'O''Reilly'"#)
        #expect(try sql(false) == #""a" DEFAULT 0"#)
        #expect(try sql(-1) == #""a" DEFAULT -1"#)
        #expect(try sql(Data([1])) == #""a" DEFAULT X'01'"#)
        #expect(try sql(DatabaseValue.null) == #""a" DEFAULT NULL"#)
        #expect(try sql(nil as String?) == #""a" DEFAULT NULL"#)
        #expect(
            try schema.column { $0.column("a").defaults(sql: "CURRENT_TIMESTAMP") }
                == #""a" DEFAULT CURRENT_TIMESTAMP"#)

        let values: [any DatabaseValueConvertible] = [
            "", "a\0b", "'; DROP TABLE t; --", "?", 0.1, -1.5e-300, Double.infinity,
            Double.leastNonzeroMagnitude,
            Double.greatestFiniteMagnitude, Int64.min, Int64.max, Data(), true,
        ]
        for value in values {
            try schema.queue.write { db in
                try db.create(table: "t") { t in
                    t.column("a").defaults(to: value)
                }
                try db.execute(sql: "INSERT INTO t DEFAULT VALUES")
                let read = try DatabaseValue.fetchOne(db, sql: "SELECT a FROM t")
                #expect(read == value.databaseValue)
                try db.drop(table: "t")
            }
        }
    }

    // Before SQLite 3.46 `quote` writes infinity as a name.
    @Test(.proves("POR-08"))
    func `Infinity is written as a number that every SQLite reads`() throws {
        for (value, literal) in [(Double.infinity, "9e999"), (-Double.infinity, "-9e999")] {
            #expect(
                try schema.column { $0.column("a").defaults(to: value) }
                    == "\"a\" DEFAULT \(literal)")
            #expect(
                try schema.column { $0.column("a").check { $0 < value } }
                    == "\"a\" CHECK (\"a\" < \(literal))")
        }
    }

    @Test(.proves("SCH-024"))
    func `Texts are compared by a collation`() throws {
        let collation = DatabaseCollation("by length") { left, right in
            left.count < right.count
                ? .orderedAscending : left.count == right.count ? .orderedSame : .orderedDescending
        }
        #expect(
            try schema.column { $0.column("a", .text).collate(.nocase) }
                == #""a" TEXT COLLATE NOCASE"#)
        try schema.queue.write { $0.add(collation: collation) }
        #expect(
            try schema.column { $0.column("a").collate(collation) }
                == #""a" COLLATE "by length""#)
        #expect(
            try schema.column { $0.column("a").collate(.init(rawValue: "by length")) }
                == #""a" COLLATE "by length""#)
    }

    @Test(.proves("SCH-025", "SCH-028"))
    func `A column refers to another table`() throws {
        try schema.queue.write { try $0.execute(sql: "CREATE TABLE team(uuid TEXT PRIMARY KEY)") }
        #expect(
            try schema.column { $0.column("a").references("team") }
                == #""a" REFERENCES "team"("uuid")"#)
        #expect(
            try schema.column { $0.column("a").references("later", column: "b", deferred: true) }
                == #""a" REFERENCES "later"("b") DEFERRABLE INITIALLY DEFERRED"#)
        let actions: [Database.ForeignKeyAction] = [.cascade, .restrict, .setNull, .setDefault]
        #expect(actions.map(\.rawValue) == ["CASCADE", "RESTRICT", "SET NULL", "SET DEFAULT"])
        for action in actions {
            #expect(
                try schema.column { t in
                    t.column("a").references("team", onDelete: action, onUpdate: action)
                } == """
                    "a" REFERENCES "team"("uuid") ON DELETE \(action.rawValue) \
                    ON UPDATE \(action.rawValue)
                    """)
        }
        #expect(
            try schema.column { t in
                t.primaryKey("id", .integer)
                t.column("parent").references("t")
            } == #""id" INTEGER PRIMARY KEY, "parent" REFERENCES "t"("id")"#)
    }

    @Test(.proves("SCH-026"))
    func `A column is computed from others`() throws {
        #expect(
            try schema.column { t in
                t.column("a", .integer)
                t.column("b", .integer).generatedAs(sql: "a + 1")
                t.column("c", .integer).generatedAs(sql: "a + 2", .stored)
                t.column("d", .integer).generatedAs(Column("a") * 2, .virtual)
                t.column("e", .text).generatedAs(Column("a") ?? "it's", .stored)
            } == """
                "a" INTEGER, "b" INTEGER GENERATED ALWAYS AS (a + 1) VIRTUAL, \
                "c" INTEGER GENERATED ALWAYS AS (a + 2) STORED, \
                "d" INTEGER GENERATED ALWAYS AS ("a" * 2) VIRTUAL, \
                "e" TEXT GENERATED ALWAYS AS (IFNULL("a", 'it''s')) STORED
                """)
    }
}
