import Foundation
import Strongroom

// Definitions of tables as GRDB's guides write them, and what the database says of them.

func definitionSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try definitionSnippets1(db, snippet)
    try definitionSnippets2(db, snippet)
    try definitionSnippets3(db, snippet)
    try definitionSnippets4(db, snippet)
    try definitionSnippets5(db, snippet)
}

/// The SQL that made a table or an index.
private func definition(_ db: Database, _ name: String) throws -> String? {
    try String.fetchOne(db, sql: "SELECT sql FROM sqlite_master WHERE name = ?", arguments: [name])
}

func definitionSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("a table of the guide, and its SQL") {
        try db.create(table: "place") { t in
            t.autoIncrementedPrimaryKey("id")
            t.column("title", .text)
            t.column("isFavorite", .boolean).notNull().defaults(to: false)
            t.column("longitude", .double).notNull()
            t.column("latitude", .double).notNull()
        }
        let expected =
            "CREATE TABLE \"place\" (\"id\" INTEGER PRIMARY KEY AUTOINCREMENT, \"title\" TEXT, "
            + "\"isFavorite\" BOOLEAN NOT NULL DEFAULT 0, \"longitude\" DOUBLE NOT NULL, "
            + "\"latitude\" DOUBLE NOT NULL)"
        try expect(try definition(db, "place") == expected)
        try db.drop(table: "place")
    }
    try snippet("defaults of each kind") {
        try db.create(table: "example") { t in
            t.primaryKey("id", .integer)
            t.column("name", .text).defaults(to: "O'Reilly")
            t.column("created", .datetime).defaults(sql: "CURRENT_TIMESTAMP")
            t.column("day", .date).defaults(to: "2020-01-01")
            t.column("bytes", .blob).defaults(to: Data([1, 255]))
            t.column("real", .real).defaults(to: 1.5)
        }
        try db.execute(sql: "INSERT INTO example DEFAULT VALUES")
        let row = try Row.fetchOne(db, sql: "SELECT * FROM example")!
        try expect(
            row["name"] == "O'Reilly" && row["bytes"] == Data([1, 255]) && row["real"] == 1.5)
        try expect((row["created"] as Date?) != nil && row["day"] == "2020-01-01")
        try expect(
            try db.columns(in: "example").map(\.type)
                == ["INTEGER", "TEXT", "DATETIME", "DATE", "BLOB", "REAL"])
        try db.drop(table: "example")
    }
    try snippet("primary keys of several columns") {
        try db.create(table: "p1", options: .withoutRowID) { t in
            t.column("a", .integer).notNull()
            t.column("b", .text).notNull()
            t.primaryKey(["a", "b"], onConflict: .replace)
        }
        try db.create(table: "p2") { t in
            t.primaryKey {
                t.column("a", .integer); t.column("b", .text)
            }
        }
        try db.create(table: "p3") { t in
            t.column("c", .integer)
            t.column("d", .text)
            t.foreignKey(["c", "d"], references: "p2")
        }
        try expect(try db.primaryKey("p1").columns == ["a", "b"])
        try expect(try db.columns(in: "p2").map(\.isNotNull) == [true, true])
        try expect(try db.columns(in: "p2").map(\.primaryKeyIndex) == [1, 2])
        let key = try db.foreignKeys(on: "p3")[0]
        try expect(
            key.mapping.map(\.origin) == ["c", "d"] && key.destinationColumns == ["a", "b"])
        try ["p3", "p2", "p1"].forEach(db.drop(table:))
    }
}

func definitionSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("a column that is the primary key, and its conflicts") {
        try db.create(table: "k1") { t in
            t.column("id", .integer).primaryKey(onConflict: .replace, autoincrement: false)
            t.column("code", .text).unique(onConflict: .ignore).collate(.rtrim)
        }
        try db.execute(sql: "INSERT INTO k1 VALUES (1, 'a'); INSERT INTO k1 VALUES (1, 'b')")
        try db.execute(sql: "INSERT INTO k1 VALUES (2, 'b  ')")
        try expect(try Row.fetchAll(db, sql: "SELECT * FROM k1") == [["id": 1, "code": "b"]])
        try db.drop(table: "k1")
    }
    try snippet("generated columns, checks of columns") {
        try db.create(table: "g1") { t in
            t.column("score", .integer).notNull().check { (0...10).contains($0) }
            t.column("bonus", .integer).notNull().defaults(to: 1)
            t.column("total", .integer).generatedAs(Column("score") + Column("bonus"))
            t.column("twice", .integer).generatedAs(sql: "total * 2", .stored).indexed()
            t.check(Column("score") + Column("bonus") < 11)
        }
        try db.execute(sql: "INSERT INTO g1(score) VALUES (9)")
        try expect(try Int.fetchOne(db, sql: "SELECT twice FROM g1") == 20)
        for score in [10, 11] {
            try expectError(DatabaseError.self) {
                try db.execute(sql: "INSERT INTO g1(score) VALUES (?)", arguments: [score])
            }
        }
        try expect(try db.indexes(on: "g1").map(\.columns) == [["twice"]])
        try db.drop(table: "g1")
    }
    try snippet("raw columns and constraints with values") {
        let forbidden = "admin's"
        try db.create(table: "r1") { t in
            t.column(literal: "name TEXT DEFAULT \(forbidden)")
            t.constraint(literal: "CHECK (name <> \(forbidden) OR \(true))")
        }
        try db.execute(sql: "INSERT INTO r1 DEFAULT VALUES")
        try expect(try String.fetchOne(db, sql: "SELECT name FROM r1") == forbidden)
        try db.drop(table: "r1")
    }
    try snippet("options as they were in GRDB 5") {
        try db.create(table: "o1", temporary: true, ifNotExists: true, withoutRowID: true) { t in
            t.primaryKey("id", .text)
        }
        try expect(try db.tableExists("o1") && db.tableExists("o1", in: "temp"))
        try expect(try !db.tableExists("o1", in: "main"))
        try db.create(index: "o2", on: "book", columns: ["title"], unique: false, ifNotExists: true)
        try db.create(index: "o2", on: "book", columns: ["title"], unique: false, ifNotExists: true)
        try db.drop(index: "o2")
        try db.drop(table: "o1")
    }
}

func definitionSnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("indexes with a name by default, unique and partial") {
        try db.create(indexOn: "book", columns: ["authorId", "title"], options: .unique)
        let indexes = try db.indexes(on: "book")
        let index = indexes.first { $0.columns == ["authorId", "title"] }
        try expect(index?.name == "index_book_on_authorId_title" && index?.isUnique == true)
        try expect(index?.origin == .createIndex)
        try expect(try db.table("book", hasUniqueKey: ["title", "authorId"]))
        try db.drop(indexOn: "book", columns: ["authorId", "title"])
        try db.create(
            index: "dear", on: "book", expressions: [price, title.collating(.nocase)],
            options: [.ifNotExists], condition: price > 9)
        try expect(try definition(db, "dear")?.contains("WHERE \"price\" > 9") == true)
        try db.drop(index: "dear")
    }
    try snippet("IndexInfo.Origin of constraints") {
        try expect(try db.indexes(on: "author").map(\.origin) == [.uniqueConstraint])
        try expect(IndexInfo.Origin.primaryKeyConstraint.rawValue == "pk")
        try db.create(table: "i1") { $0.primaryKey("id", .text) }
        try expect(try db.indexes(on: "i1").map(\.origin) == [.primaryKeyConstraint])
        try db.drop(table: "i1")
    }
    try snippet("PrimaryKeyInfo of each kind of table") {
        try expect(try db.primaryKey("book").rowIDColumn == "id")
        try expect(try db.primaryKey("setting").columns == ["key"])
        try db.execute(sql: "CREATE TABLE bare(a)")
        let bare: PrimaryKeyInfo = try db.primaryKey("bare")
        try expect(bare.isRowID && bare.columns == ["rowid"] && bare.rowIDColumn == nil)
        try expectError(DatabaseError.self) { _ = try db.primaryKey("nothing") }
        try db.drop(table: "bare")
    }
    try snippet("schemas that are named, attached and temporary") {
        try db.execute(sql: "CREATE TEMPORARY TABLE author(only TEXT)")
        try expect(try db.columns(in: "author").map(\.name) == ["only"])
        try expect(try db.columns(in: "author", in: "main").count == 3)
        try expect(try db.indexes(on: "author", in: "temp").isEmpty)
        try expect(try db.primaryKey("author", in: "main").columns == ["id"])
        try expect(try db.foreignKeys(on: "book", in: "main").count == 1)
        try db.execute(sql: "DROP TABLE temp.author")
        try expectError(DatabaseError.self) { _ = try db.columns(in: "author", in: "nowhere") }
    }
}

func definitionSnippets4(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("views of requests, and their rows") {
        let request = Author.annotated(with: Author.books.count)
        try db.create(view: "career", as: request)
        struct Career: TableRecord, FetchableRecord, Decodable {
            var name: String
            var bookCount: Int
        }
        try expect(try Career.order(Column("name")).fetchAll(db).map(\.bookCount) == [2, 2, 1])
        try expect(try db.viewExists("career") && !db.tableExists("career"))
        try db.create(view: "pair", columns: ["a", "b"], asLiteral: "SELECT \(1), \("x")")
        try expect(try Row.fetchOne(db, sql: "SELECT * FROM pair") == ["a": 1, "b": "x"])
        try db.drop(view: "pair")
        try db.drop(view: "career")
    }
    try snippet("a view as a record with a schema source") {
        struct Views: DatabaseSchemaSource {
            func columnsForPrimaryKey(_ db: Database, inView view: DatabaseObjectID) throws
                -> [String]?
            {
                view == DatabaseObjectID(name: "cheap", schemaID: .main) ? ["id"] : nil
            }
        }
        try db.create(view: "cheap", as: Book.filter(price < 10))
        try db.withSchemaSource(Views()) {
            struct Cheap: TableRecord, FetchableRecord, Decodable { var title: String }
            try expect(try Cheap.fetchOne(db, key: 3)?.title == "Emma")
            try expect(try Cheap.find(db, key: 4).title == "Persuasion")
        }
        try db.drop(view: "cheap")
    }
    try snippet("triggers, and tables of the library") {
        try db.execute(
            sql: """
                CREATE TRIGGER noted AFTER INSERT ON setting BEGIN
                    INSERT INTO note(text) VALUES (NEW.key); END
                """)
        try expect(try db.triggerExists("noted") && db.triggerExists("noted", in: "main"))
        try Setting(key: "z", value: 1).insert(db)
        try expect(try OldNote.fetchOne(db)?.text == "z")
        try db.execute(
            sql: "DROP TRIGGER noted; DELETE FROM note; DELETE FROM setting WHERE key = 'z'")
        try expect(Database.isSQLiteInternalTable("sqlite_sequence"))
        try expect(!Database.isGRDBInternalTable("book"))
    }
}

func definitionSnippets5(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("violations of foreign keys, one by one") {
        try db.inSavepoint {
            try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
            try db.execute(
                sql: "INSERT INTO book(id, authorId, title) VALUES (50, 7, 'Moby-Dick')")
            let violations: [ForeignKeyViolation] = try Array(db.foreignKeyViolations())
            try expect(violations.map(\.originTable) == ["book"])
            do {
                try db.checkForeignKeys(in: "book", in: "main")
                try expect(false)
            } catch let error as DatabaseError {
                try expect(error.resultCode == .SQLITE_CONSTRAINT)
                try expect(error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY)
                try expect(error.message?.contains("book(authorId) to author(id)") == true)
            }
            try db.checkForeignKeys(in: "award")
            return .rollback
        }
    }
    try snippet("ColumnInfo") {
        let column: ColumnInfo = try db.columns(in: "book").first { $0.name == "price" }!
        try expect(column.type == "DOUBLE" && column.isNotNull && column.defaultValueSQL == "0")
        try expect(try db.columns(in: "setting")[0].primaryKeyIndex == 1)
        let tables = try String.fetchSet(
            db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        try expect(tables.isSuperset(of: ["book", "grdb_migrations"]))
    }
}
