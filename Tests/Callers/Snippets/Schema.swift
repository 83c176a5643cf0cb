import Foundation
import Strongroom

// Definitions of tables, indexes, views and virtual tables, introspection, integrity.

func schemaSnippets(_ db: Database, _ snippet: SnippetLog) throws {
    try schemaSnippets1(db, snippet)
    try schemaSnippets2(db, snippet)
    try schemaSnippets3(db, snippet)
    try schemaSnippets4(db, snippet)
}

func schemaSnippets1(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("columns with all that they can have") {
        try db.create(table: "s1", options: [.ifNotExists]) { t in
            t.primaryKey {
                t.column("a", .text); t.column("b", .integer)
            }
            t.column("c", .text).notNull(onConflict: .fail).collate(.nocase).defaults(to: "x")
                .check(sql: "length(c) > 0")
            t.column("d", .integer).unique(onConflict: .ignore).indexed()
            t.column("e", .double).generatedAs(Column("b") * 2, .virtual)
            t.column("f", .text).generatedAs(sql: "c || '!'", .stored)
            t.column("g").references(
                "author", column: "id", onDelete: .setNull, onUpdate: .cascade, deferred: true)
            t.column("h", .blob)
            t.column("i", .numeric).check { $0 > 0 }
            t.column("j", .any)
            t.column(sql: "k TEXT DEFAULT 'k'")
            t.column(literal: "l TEXT DEFAULT \("l")")
            t.uniqueKey(["c", "d"], onConflict: .rollback)
            t.foreignKey(["g"], references: "author", columns: ["id"], onDelete: .restrict)
            t.check(Column("b") > 0)
            t.check(sql: "b < 1000")
            t.constraint(sql: "CHECK (b <> 7)")
            t.constraint(literal: "CHECK (b <> \(8))")
        }
        try db.execute(sql: "INSERT INTO s1(a, b) VALUES ('a', 2)")
        let row = try Row.fetchOne(db, sql: "SELECT * FROM s1")!
        try expect(row["e"] == 4.0 && row["f"] == "x!" && row["l"] == "l")
    }
    try snippet("alter, rename, drop") {
        try db.alter(table: "s1") { t in
            t.add(column: "m", .text).defaults(sql: "NULL")
            t.rename(column: "h", to: "hh")
            t.drop(column: "k")
            t.addColumn(sql: "n TEXT")
            t.addColumn(literal: "o TEXT DEFAULT \("o")")
        }
        try expect(try db.columns(in: "s1").map(\.name).contains("hh"))
        try db.rename(table: "s1", to: "s2")
        try expect(try db.tableExists("s2") && !db.tableExists("s1"))
    }
}

func schemaSnippets2(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("indexes") {
        try db.create(
            index: "s2_m", on: "s2", columns: ["m"], options: [.unique, .ifNotExists],
            condition: Column("m") != nil)
        try db.create(
            index: "s2_x", on: "s2",
            expressions: [Column("c").lowercased, Column("d").collating(.binary)])
        try db.create(indexOn: "s2", columns: ["n"])
        try expect(try db.indexes(on: "s2").map(\.name).contains("s2_m"))
        try expect(try db.indexes(on: "s2").first { $0.name == "s2_m" }?.isUnique == true)
        try db.drop(indexOn: "s2", columns: ["n"])
        try db.drop(index: "s2_x")
        try expect(
            try db.table("book", hasUniqueKey: ["id"]) && db.table("author", hasUniqueKey: ["name"])
        )
    }
    try snippet("views and triggers") {
        try db.create(
            view: "cheap", options: [.ifNotExists], columns: ["t"],
            as: Book.select(Column("title")).filter(Column("price") < 9))
        try db.create(view: "lit", options: .temporary, asLiteral: "SELECT \(1) AS a")
        try expect(
            try String.fetchAll(db, sql: "SELECT t FROM cheap") == ["Emma"]
                && db.viewExists("cheap"))
        try db.drop(view: "cheap")
        try db.drop(view: "lit")
        try expect(try !db.triggerExists("none"))
    }
    try snippet("introspection") {
        let primaryKey = try db.primaryKey("s2")
        try expect(
            primaryKey.columns == ["a", "b"] && !primaryKey.isRowID && primaryKey.rowIDColumn == nil
        )
        try expect(
            try db.primaryKey("note").rowIDColumn == "id")
        let keys = try db.foreignKeys(on: "book")
        try expect(
            keys.first?.destinationTable == "author" && keys.first?.originColumns == ["authorId"]
                && keys.first?.destinationColumns == ["id"])
        let column = try db.columns(in: "author").first { $0.name == "name" }!
        try expect(
            column.type == "TEXT" && column.isNotNull && column.defaultValueSQL == nil
                && column.primaryKeyIndex == 0)
        try expect(try db.columns(in: "author", in: "main").count == 3)
        try expect(
            Database.isSQLiteInternalTable("sqlite_master")
                && Database.isGRDBInternalTable("grdb_migrations"))
        db.clearSchemaCache()
    }
}

func schemaSnippets3(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("foreign key checks") {
        try db.checkForeignKeys()
        try db.checkForeignKeys(in: "book")
        let violations = try db.foreignKeyViolations(in: "book")
        try expect(try violations.next() == nil)
        let all: RecordCursor<ForeignKeyViolation> = try db.foreignKeyViolations()
        try expect(try Array(all).map(\.originTable).isEmpty)
    }
    try snippet("belongsTo with all that it can have") {
        try db.create(table: "s3") { t in
            t.primaryKey("id", .text)
            t.belongsTo(
                "writer", inTable: "author", onDelete: .restrict, onUpdate: .cascade,
                deferred: true, indexed: false
            ).notNull()
            t.belongsTo("book").unique()
        }
        try expect(try db.columns(in: "s3").map(\.name) == ["id", "writerId", "bookId"])
        try db.drop(table: "s3")
        try db.drop(table: "s2")
    }
    try snippet("full text with FTS4") {
        try db.create(virtualTable: "f4", using: FTS4()) { t in
            t.tokenizer = .porter
            t.column("a")
            t.column("b").notIndexed()
            t.prefixes = [2]
        }
        try db.execute(sql: "INSERT INTO f4 VALUES ('running dogs', 'x')")
        let pattern =
            FTS3Pattern(matchingAnyTokenIn: "run dogs")
            ?? FTS3Pattern(matchingAllTokensIn: "run")
        try expect(try Table("f4").matching(pattern).fetchCount(db) == 1)
        try expect(
            try FTS3Pattern(rawPattern: "run*").rawPattern == "run*"
                && FTS3.tokenize("a b", withTokenizer: .simple) == ["a", "b"])
        try db.drop(table: "f4")
    }
}

func schemaSnippets4(_ db: Database, _ snippet: SnippetLog) throws {
    try snippet("a virtual table module of a library") {
        struct Plain: VirtualTableModule {
            final class Definition { var columns: [String] = [] }
            let moduleName = "fts4"
            func makeTableDefinition(configuration: VirtualTableConfiguration) -> Definition {
                Definition()
            }
            func moduleArguments(for definition: Definition, in db: Database) throws -> [String] {
                definition.columns
            }
            func database(_ db: Database, didCreate tableName: String, using definition: Definition)
                throws
            {}
        }
        try db.create(virtualTable: "own", using: Plain()) { $0.columns = ["a", "b"] }
        try expect(try db.columns(in: "own").count == 2)
        try db.drop(table: "own")
    }
}
