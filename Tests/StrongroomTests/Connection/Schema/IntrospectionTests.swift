import Strongroom
import StrongroomTestSupport
import Testing

/// What a connection says of its tables.
@Suite struct IntrospectionTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'O''B');
                    CREATE TABLE book(
                        title TEXT UNIQUE, authorId INT REFERENCES author, price, year INT,
                        label AS (title || year) STORED, short AS (substr(title, 1, 1)));
                    CREATE TABLE pair(b TEXT, a INT, PRIMARY KEY (a, b)) WITHOUT ROWID;
                    CREATE TABLE child(
                        x INT, y TEXT, z INT, FOREIGN KEY (x, y) REFERENCES pair,
                        FOREIGN KEY (z) REFERENCES author(id));
                    CREATE TABLE backwards(id INTEGER PRIMARY KEY DESC);
                    CREATE TABLE word(id TEXT PRIMARY KEY);
                    CREATE UNIQUE INDEX cheap ON book(year) WHERE price < 10;
                    CREATE INDEX mixed ON book(lower(title));
                    CREATE INDEX two ON book(authorId, year);
                    CREATE VIEW titles AS SELECT title, year FROM book;
                    CREATE TRIGGER watch AFTER INSERT ON book BEGIN SELECT 1; END;
                    CREATE VIRTUAL TABLE text USING \(LinkedEngine.fullTextModule)(content);
                    """)
        }
    }

    @Test(.proves("INT-001"))
    func `The version of the schema grows`() throws {
        try queue.write { db throws in
            let version = try db.schemaVersion()
            try db.execute(sql: "CREATE TABLE more(a)")
            #expect(try db.schemaVersion() > version)
            #expect(try Int32.fetchOne(db, sql: "PRAGMA schema_version") == db.schemaVersion())
        }
    }

    @Test(.proves("INT-002", "INT-010", "INT-017"))
    func `Tables, views and triggers are found in every schema`() throws {
        let other = try FixtureDatabase()
        try other.open().write {
            try $0.execute(sql: "CREATE TABLE far(a); CREATE TABLE author(z)")
        }
        try queue.inDatabase { db throws in
            #expect(try db.tableExists("author") && db.tableExists("AUTHOR", in: "Main"))
            #expect(try db.tableExists("text") && !db.tableExists("sqlite_master"))
            #expect(try !db.tableExists("titles") && db.viewExists("Titles"))
            #expect(try !db.viewExists("author") && !db.viewExists("nope"))
            #expect(try db.triggerExists("WATCH") && !db.triggerExists("author"))
            #expect(try !db.tableExists("author", in: "temp"))
            for find in [db.tableExists, db.viewExists, db.triggerExists] {
                let error = DatabaseError.thrown { _ = try find("author", "nope") }
                #expect(error?.message == "no such schema: nope")
            }
            try db.execute(
                sql: "ATTACH ? AS \"far away\" KEY ?",
                arguments: [other.path, FixtureDatabase.rawKey])
            #expect(try db.tableExists("far") && db.tableExists("far", in: "far away"))
            #expect(try !db.tableExists("far", in: "main"))
            #expect(try db.columns(in: "author").map(\.name) == ["id", "name"])
            #expect(try db.columns(in: "author", in: "far away").map(\.name) == ["z"])
            // Temporary tables come before all others.
            try db.execute(sql: "CREATE TEMP TABLE author(t)")
            #expect(try db.columns(in: "author").map(\.name) == ["t"])
            try db.execute(sql: "DROP TABLE temp.author; DETACH \"far away\"")
            #expect(try !db.tableExists("far"))
            #expect(try db.columns(in: "author").map(\.name) == ["id", "name"])
        }
        #expect(DatabaseSchemaID.main.schemaTableName == "sqlite_master")
        #expect(DatabaseSchemaID.temp.schemaTableName == "sqlite_temp_master")
        #expect(DatabaseSchemaID.attached("x").schemaTableName == "x.sqlite_master")
        #expect(DatabaseSchemaID.attached("x y").schemaTableName == #""x y".sqlite_master"#)
        #expect(DatabaseSchemaID.attached("main") == .main)
        let id = DatabaseObjectID(name: "t", schemaID: .temp)
        #expect(Set([id, DatabaseObjectID(name: "t", schemaID: .temp)]).count == 1)
        #expect(id.schemaID.name == "temp")
    }

    @Test(.proves("INT-003", "INT-004"))
    func `Columns are told, generated ones too`() throws {
        try queue.read { db throws in
            let columns = try db.columns(in: "BOOK")
            #expect(
                columns.map(\.name) == ["title", "authorId", "price", "year", "label", "short"])
            #expect(columns.map(\.type) == ["TEXT", "INT", "", "INT", "", ""])
            let name = try #require(try db.columns(in: "author").last)
            #expect(name.isNotNull && name.defaultValueSQL == "'O''B'" && name.primaryKeyIndex == 0)
            #expect(try db.columns(in: "pair").map(\.primaryKeyIndex) == [2, 1])
            #expect(try db.columns(in: "titles").map(\.name) == ["title", "year"])
            #expect(try db.columns(in: "text").map(\.name) == ["content"])
            let error = DatabaseError.thrown { _ = try db.columns(in: "nope") }
            #expect(error?.message == "no such table: nope")
        }
    }

    @Test(.proves("INT-005"))
    func `The primary key is told for every kind of table`() throws {
        try queue.read { db throws in
            let keys: [(String, [String], String?, Bool)] = [
                ("author", ["id"], "id", true), ("book", ["rowid"], nil, true),
                ("pair", ["a", "b"], nil, false), ("word", ["id"], nil, false),
                ("backwards", ["id"], nil, false), ("text", ["rowid"], nil, true),
            ]
            for (table, columns, rowIDColumn, isRowID) in keys {
                let key = try db.primaryKey(table)
                #expect(key.columns == columns, "\(table)")
                #expect(key.rowIDColumn == rowIDColumn && key.isRowID == isRowID, "\(table)")
            }
            let error = DatabaseError.thrown { _ = try db.primaryKey("titles") }
            #expect(error?.message == "database view titles has no primary key")
        }
    }

    @Test(.proves("INT-006"))
    func `Indexes on columns are told`() throws {
        try queue.read { db throws in
            let indexes = try db.indexes(on: "book")
            let names = Set(indexes.map(\.name))
            #expect(names == ["cheap", "two", "sqlite_autoindex_book_1"])
            let two = try #require(indexes.first { $0.name == "two" })
            #expect(two.columns == ["authorId", "year"] && !two.isUnique)
            #expect(two.origin == .createIndex)
            let unique = try #require(indexes.first { $0.origin == .uniqueConstraint })
            #expect(unique.columns == ["title"] && unique.isUnique)
            #expect(try db.indexes(on: "word").first?.origin == .primaryKeyConstraint)
            #expect(try db.indexes(on: "author").isEmpty)
            #expect(IndexInfo.Origin.fromDatabaseValue("pk".databaseValue) == .primaryKeyConstraint)
            #expect(IndexInfo.Origin.createIndex.databaseValue == "c".databaseValue)
        }
    }

    @Test(.proves("INT-007"))
    func `Foreign keys are told with what they refer to`() throws {
        try queue.read { db throws in
            let keys = try db.foreignKeys(on: "child")
            #expect(keys.map(\.id) == [0, 1])
            #expect(keys[0].originColumns == ["z"] && keys[0].destinationColumns == ["id"])
            #expect(keys[1].destinationTable == "pair")
            #expect(keys[1].mapping.map(\.origin) == ["x", "y"])
            #expect(keys[1].mapping.map(\.destination) == ["a", "b"])
            #expect(try db.foreignKeys(on: "book")[0].destinationColumns == ["id"])
            #expect(try db.foreignKeys(on: "author").isEmpty)
        }
    }

    @Test(.proves("INT-008"))
    func `A unique key is one that holds for all rows`() throws {
        try queue.read { db throws in
            #expect(try db.table("author", hasUniqueKey: ["ID"]))
            #expect(try db.table("author", hasUniqueKey: ["name", "rowid"]))
            #expect(try !db.table("author", hasUniqueKey: ["name"]))
            #expect(try !db.table("author", hasUniqueKey: []))
            #expect(try db.table("book", hasUniqueKey: ["year", "Title"]))
            #expect(try !db.table("book", hasUniqueKey: ["year"]))
            #expect(try db.table("pair", hasUniqueKey: ["b", "a"]))
            #expect(try !db.table("pair", hasUniqueKey: ["a"]))
            #expect(try !db.table("pair", hasUniqueKey: ["rowid"]))
            #expect(try !db.table("titles", hasUniqueKey: ["title"]))
        }
    }

    @Test(.proves("INT-009"))
    func `Tables of SQLite and of this library are known by their names`() {
        #expect(Database.isSQLiteInternalTable("sqlite_master"))
        #expect(Database.isSQLiteInternalTable("PRAGMA_table_info"))
        #expect(!Database.isSQLiteInternalTable("player"))
        #expect(Database.isGRDBInternalTable("grdb_migrations"))
        #expect(!Database.isGRDBInternalTable("player"))
    }

    @Test(.proves("INT-012"))
    func `What this connection changes is noticed, and what it takes back`() throws {
        struct Failure: Error {}
        func columns(_ db: Database) throws -> [String] { try db.columns(in: "t").map(\.name) }
        try queue.inDatabase { db throws in
            #expect(try !db.tableExists("t"))
            try db.execute(sql: "CREATE TABLE t(a)")
            #expect(try columns(db) == ["a"])
            let generation = try db.schemaGeneration
            #expect(try columns(db) == ["a"] && db.schemaGeneration == generation)
            try db.inTransaction {
                try db.execute(sql: "ALTER TABLE t ADD COLUMN b")
                #expect(try columns(db) == ["a", "b"])
                #expect(try db.schemaGeneration != generation)
                return .rollback
            }
            #expect(try columns(db) == ["a"])
            try db.inTransaction {
                try db.inSavepoint {
                    try db.execute(sql: "ALTER TABLE t RENAME COLUMN a TO c")
                    #expect(try columns(db) == ["c"])
                    return .rollback
                }
                #expect(try columns(db) == ["a"])
                try db.execute(sql: "ALTER TABLE t ADD COLUMN d")
                return .commit
            }
            #expect(try columns(db) == ["a", "d"])
            // SQLite rolls back by itself, and the next transaction begins before anyone asks.
            try db.execute(sql: "CREATE UNIQUE INDEX u ON t(a); INSERT INTO t(a) VALUES (1)")
            #expect(throws: DatabaseError.self) {
                try db.inTransaction {
                    try db.execute(sql: "ALTER TABLE t ADD COLUMN e")
                    #expect(try columns(db) == ["a", "d", "e"])
                    try db.execute(sql: "INSERT OR ROLLBACK INTO t(a) VALUES (1)")
                    return .commit
                }
            }
            try db.inTransaction { () throws in
                #expect(try columns(db) == ["a", "d"])
                return .commit
            }
        }
    }

    @Test(.proves("INT-011"), arguments: WriterKind.allCases)
    func `Another connection's change is seen by readers, and by writers when told`(
        kind: WriterKind
    ) throws {
        let writer = try fixture.open(kind)
        #expect(try writer.write { try $0.columns(in: "word").count } == 1)
        #expect(try writer.read { try $0.columns(in: "word").count } == 1)
        try queue.write { try $0.execute(sql: "ALTER TABLE word ADD COLUMN more") }
        if kind == .pool { #expect(try writer.read { try $0.columns(in: "word").count } == 2) }
        writer.writeWithoutTransaction { $0.clearSchemaCache() }
        #expect(try writer.write { try $0.columns(in: "word").count } == 2)
    }

    private struct Source: DatabaseSchemaSource {
        var name: String
        var columns: [String]

        func columnsForPrimaryKey(
            _ db: Database, inView view: DatabaseObjectID
        ) throws -> [String]? {
            view == DatabaseObjectID(name: name, schemaID: .main) ? columns : nil
        }
    }
    private struct Silent: DatabaseSchemaSource {}

    @Test(.proves("INT-016", "INT-018", "CNF-056"))
    func `A schema source knows the keys of views`() throws {
        #expect(Configuration().schemaSource == nil)
        let source = Source(name: "titles", columns: ["title"])
        let queue = try fixture.open { config in
            config.schemaSource = Silent().then(source).then(Source(name: "titles", columns: ["x"]))
        }
        try queue.read { db throws in
            #expect(db.schemaSource != nil)
            #expect(try db.primaryKey("TITLES").columns == ["title"])
            #expect(try !db.primaryKey("titles").isRowID)
            #expect(try db.table("titles", hasUniqueKey: ["title"]))
            let other = try db.withSchemaSource(Source(name: "titles", columns: ["year"])) {
                try db.primaryKey("titles").columns
            }
            #expect(other == ["year"])
            db.withSchemaSource(nil) {
                #expect(db.schemaSource == nil)
                #expect(DatabaseError.thrown { _ = try db.primaryKey("titles") } != nil)
            }
            #expect(try db.primaryKey("titles").columns == ["title"])
            #expect(DatabaseError.thrown { _ = try db.primaryKey("nope") } != nil)
        }
    }
}
