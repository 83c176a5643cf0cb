import Strongroom
import StrongroomTestSupport
import Testing

@Suite struct ForeignKeyDefinitionTests {
    let schema: SchemaFixture

    init() throws {
        schema = try SchemaFixture()
        try schema.queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE team(id INTEGER PRIMARY KEY);
                    CREATE TABLE country(code TEXT PRIMARY KEY NOT NULL);
                    CREATE TABLE people(ID INTEGER PRIMARY KEY);
                    CREATE TABLE books(uuid BLOB PRIMARY KEY);
                    CREATE TABLE plain(a);
                    CREATE TABLE pair(a TEXT, b INTEGER, PRIMARY KEY (b, a));
                    CREATE VIEW glimpse AS SELECT * FROM team;
                    """)
        }
    }

    private func child(_ define: (TableDefinition) throws -> Void) throws -> [String] {
        let sql = try schema.sql { try $0.create(table: "child", body: define) }
        try schema.queue.write { try $0.drop(table: "child") }
        return sql
    }

    @Test(.proves("SCH-018", "SCH-038"))
    func `The column of an association is named, typed and indexed`() throws {
        #expect(
            try child { t in
                t.belongsTo("team", onDelete: .cascade, onUpdate: .setNull, deferred: true)
                t.belongsTo("country", indexed: false).notNull()
            } == [
                """
                CREATE TABLE "child" ("teamId" INTEGER REFERENCES "team"("id") \
                ON DELETE CASCADE ON UPDATE SET NULL DEFERRABLE INITIALLY DEFERRED, \
                "countryCode" TEXT NOT NULL REFERENCES "country"("code"))
                """,
                #"CREATE INDEX "child_on_teamId" ON "child"("teamId")"#,
            ])
    }

    @Test(.proves("SCH-018"))
    func `A table is found in singular and in plural`() throws {
        #expect(
            try child { t in
                t.belongsTo("person", indexed: false)
                t.belongsTo("book", indexed: false)
                t.belongsTo("countries", indexed: false)
                t.belongsTo("captain", inTable: "people", indexed: false)
            } == [
                """
                CREATE TABLE "child" ("personID" INTEGER REFERENCES "people"("ID"), \
                "bookUuid" BLOB REFERENCES "books"("uuid"), \
                "countriesCode" TEXT REFERENCES "country"("code"), \
                "captainID" INTEGER REFERENCES "people"("ID"))
                """
            ])
    }

    @Test(.proves("SCH-019", "SCH-038"))
    func `A composite key gives as many columns`() throws {
        #expect(
            try child { $0.belongsTo("pair", onDelete: .cascade).notNull(onConflict: .ignore) } == [
                """
                CREATE TABLE "child" ("pairB" INTEGER NOT NULL ON CONFLICT IGNORE, \
                "pairA" TEXT NOT NULL ON CONFLICT IGNORE, \
                FOREIGN KEY ("pairB", "pairA") REFERENCES "pair"("b", "a") ON DELETE CASCADE)
                """,
                #"CREATE INDEX "index_child_on_pairB_pairA" ON "child"("pairB", "pairA")"#,
            ])
        #expect(
            try child { $0.belongsTo("pair").unique() }.last == """
                CREATE UNIQUE INDEX "index_child_on_pairB_pairA" ON "child"("pairB", "pairA")
                """)
    }

    @Test(.proves("SCH-019"))
    func `Associations can be to the table itself`() throws {
        #expect(
            try child { t in
                t.autoIncrementedPrimaryKey("id")
                t.belongsTo("parent", inTable: "child", indexed: false)
                t.belongsTo("child", indexed: false)
                t.belongsTo("children", indexed: false)
            } == [
                """
                CREATE TABLE "child" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, \
                "parentId" INTEGER REFERENCES "child"("id"), \
                "childId" INTEGER REFERENCES "child"("id"), \
                "childrenId" INTEGER REFERENCES "child"("id"))
                """
            ])
        #expect(
            try child { t in
                t.belongsTo("parent", inTable: "child", indexed: false)
                t.column("a", .text)
                t.column("b", .integer)
                t.primaryKey(["a", "b"])
            } == [
                """
                CREATE TABLE "child" ("parentA" TEXT, "parentB" INTEGER, "a" TEXT, "b" INTEGER, \
                FOREIGN KEY ("parentA", "parentB") REFERENCES "child"("a", "b"), \
                PRIMARY KEY ("a", "b"))
                """
            ])
    }

    @Test(.proves("SCH-019", "SCH-038", "CMP-89"))
    func `An association can be unique, and has one index then`() throws {
        #expect(
            try child { $0.belongsTo("team").notNull().unique() } == [
                """
                CREATE TABLE "child" ("teamId" INTEGER NOT NULL UNIQUE REFERENCES "team"("id"))
                """
            ])
        #expect(
            try child { t in t.primaryKey { t.belongsTo("team") } } == [
                """
                CREATE TABLE "child" ("teamId" INTEGER NOT NULL REFERENCES "team"("id"), \
                PRIMARY KEY ("teamId"))
                """
            ])
    }

    @Test(.proves("CMP-89"))
    func `A primary key that begins with an association is its index`() throws {
        #expect(
            try child { t in
                t.primaryKey {
                    t.belongsTo("team")
                    t.belongsTo("country")
                    t.column("a", .integer)
                }
            } == [
                """
                CREATE TABLE "child" ("teamId" INTEGER NOT NULL REFERENCES "team"("id"), \
                "countryCode" TEXT NOT NULL REFERENCES "country"("code"), \
                "a" INTEGER NOT NULL, PRIMARY KEY ("teamId", "countryCode", "a"))
                """,
                #"CREATE INDEX "child_on_countryCode" ON "child"("countryCode")"#,
            ])
        let unique = try child { t in
            t.primaryKey {
                t.belongsTo("team").unique()
                t.column("a", .integer)
            }
        }
        #expect(unique.count == 1 && unique[0].contains("NOT NULL UNIQUE REFERENCES"))
        let composite = try child { t in
            t.primaryKey {
                t.belongsTo("pair")
                t.column("a", .integer)
            }
        }
        #expect(composite.count == 1)
    }

    @Test(.proves("CMP-89"))
    func `The error of altering a missing table has the statement`() throws {
        try schema.queue.write { db in
            let error = #expect(throws: DatabaseError.self) {
                try db.alter(table: "zzz") { t in
                    t.add(column: "a", .integer)
                    t.drop(column: "b")
                }
            }
            #expect(error?.message == "no such table: zzz")
            #expect(error?.sql == #"ALTER TABLE "zzz" ADD COLUMN "a" INTEGER"#)
            let rename = #expect(throws: DatabaseError.self) {
                try db.alter(table: "zzz") { $0.rename(column: "a", to: "b") }
            }
            #expect(rename?.sql == #"ALTER TABLE "zzz" RENAME COLUMN "a" TO "b""#)
        }
    }

    @Test(.proves("CMP-90"))
    func `A column refers to each table that it is told to`() throws {
        #expect(
            try child { t in
                t.column("a", .integer).references("team", onDelete: .cascade).references("people")
            } == [
                """
                CREATE TABLE "child" ("a" INTEGER REFERENCES "team"("id") ON DELETE CASCADE \
                REFERENCES "people"("ID"))
                """
            ])
        try schema.queue.write { db in
            try db.create(table: "child") { t in
                t.column("a", .integer).references("team").references("people")
            }
            try db.execute(sql: "INSERT INTO team VALUES (1), (2); INSERT INTO people VALUES (2)")
            try db.execute(sql: "INSERT INTO child VALUES (2)")
            let error = #expect(throws: DatabaseError.self) {
                try db.execute(sql: "INSERT INTO child VALUES (1)")
            }
            #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
            let tables = try db.foreignKeys(on: "child").map(\.destinationTable)
            #expect(tables.sorted() == ["people", "team"])
        }
    }

    @Test(.proves("SCH-020"))
    func `What is not there, or has no key, can't be referred to`() throws {
        func message(_ define: (TableDefinition) -> Void) throws -> String? {
            try schema.message { try $0.create(table: "child", body: define) }
        }
        #expect(try message { $0.belongsTo("zzz") } == "no such table: zzz")
        #expect(try message { $0.belongsTo("a", inTable: "zzz") } == "no such table: zzz")
        #expect(try message { $0.column("a").references("zzz") } == "no such table: zzz")
        #expect(try message { $0.foreignKey(["a"], references: "zzz") } == "no such table: zzz")
        let noKey = "has no explicit primary key that could be referred to"
        #expect(try message { $0.belongsTo("plain") } == "table plain \(noKey)")
        #expect(try message { $0.column("a").references("plain") } == "table plain \(noKey)")
        #expect(try message { $0.belongsTo("child") } == "table child \(noKey)")
        #expect(
            try message { t in
                t.primaryKey { t.belongsTo("child") }
            } == "table child \(noKey)")
        #expect(try message { $0.belongsTo("glimpse") } == "no such table: glimpse")
        #expect(
            try message { $0.column("a").references("pair") }
                == #"foreign key on a should reference only one column of table "pair""#)
    }

    @Test(.proves("SCH-018"))
    func `A temporary table of the same name is not referred to`() throws {
        try schema.queue.write { db in
            try db.execute(sql: "CREATE TEMP TABLE team(name TEXT PRIMARY KEY)")
        }
        #expect(
            try child { $0.belongsTo("team", indexed: false) } == [
                #"CREATE TABLE "child" ("teamId" INTEGER REFERENCES "team"("id"))"#
            ])
        let sql = try schema.sql { db in
            try db.create(table: "other", options: .temporary) { t in
                t.belongsTo("team", indexed: false)
            }
        }
        #expect(
            sql == [
                #"CREATE TEMPORARY TABLE "other" ("teamName" TEXT REFERENCES "team"("name"))"#
            ])
    }

    @Test func `Tables of a database of others are found by their associations`() throws {
        let directory = try TemporaryDirectory()
        let path = try ForeignDatabase.createMediaShop(at: directory.path(of: "shop.sqlite"))
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        // A copy in memory can be written.
        let copy = try DatabaseQueue()
        try queue.backup(to: copy)
        withExtendedLifetime(directory) {}
        try copy.write { db in
            for table in try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
                    """)
            {
                let key = try db.primaryKey(table).columns
                let plural = Inflections.default.pluralize(table)
                try db.create(table: "child") { $0.belongsTo(plural) }
                let foreignKey = try #require(try db.foreignKeys(on: "child").first)
                #expect(foreignKey.destinationTable == table)
                #expect(foreignKey.destinationColumns == key)
                #expect(foreignKey.originColumns == key.map { plural + $0 })
                try db.drop(table: "child")
            }
            try db.checkForeignKeys()
        }
    }
}
