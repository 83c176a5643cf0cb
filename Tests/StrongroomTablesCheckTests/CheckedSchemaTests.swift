import Foundation
import StrongroomTablesCheck
import StrongroomTestSupport
import Testing

@Suite("Files of SQL that sources are checked against")
struct CheckedSchemaTests {
    private let item = "@Table struct Item { let id: Int; var title: String }"
    private let items = "CREATE TABLE items (id INTEGER PRIMARY KEY, title TEXT NOT NULL);"

    @Test(.proves("GEN-012"))
    func `an error of SQL stands at its line, and no type is compared`() throws {
        try CheckedPackage(
            item,
            schema: """
                -- All tables.
                CREATE TABLE tags (id INTEGER PRIMARY KEY);
                CREATE TABLE items (
                    id INTEGER PRIMARY KEY,
                    title TEXT NOT NUL,
                    note TEXT);
                CREATE TABLE tags (id);
                CREATE INDEX i ON nowhere (id);
                ALTER TABLE tags ADD COLUMN name TEXT;
                """
        ).expectText(
            """
            schema.sql:5:20: error: near "NUL": syntax error
            schema.sql:7:14: error: table tags already exists
            schema.sql:8:1: error: no such table: main.nowhere
            check-tables: 3 errors, 0 warnings
            """)
        try CheckedPackage(item, schema: items + "\nCREATE TABLE x (id").expectText(
            """
            schema.sql:2:1: error: incomplete input
            check-tables: 1 error, 0 warnings
            """)
    }

    @Test(.proves("GEN-012"))
    func `only definitions are carried out`() throws {
        try CheckedPackage(
            item,
            schema: """
                PRAGMA foreign_keys = OFF; BEGIN TRANSACTION;
                \(items)
                CREATE TRIGGER changes AFTER INSERT ON items BEGIN
                    SELECT app_noticed(new.title, CASE new.id WHEN 1 THEN 2 END);
                    INSERT INTO log VALUES (app_now());
                END;
                INSERT INTO items VALUES (1, app_title());
                INSERT INTO nowhere VALUES (1);
                SELECT load_extension('/etc/passwd');
                ATTACH 'there.db' AS there;
                COMMIT; /* done */ ;;
                """
        ).expectText("check-tables: schema.sql fits 1 table")
    }

    @Test(.proves("GEN-012"))
    func `functions, collations, tokenizers and databases of the app need not be here`() throws {
        try CheckedPackage(
            """
            @Table struct Item {
                let id: Int
                var title: String
                @Column(generated: .virtual) let slug: String
            }
            @Table("views", .view) struct Seen { let id: Int; let found: String; let rank: Int? }
            @Table struct Note: FullTextTable { var title = ""; var body = "" }
            @Table("logs", schema: "extra") struct Log { let id: Int }
            """,
            schema: """
                CREATE TABLE items (
                    id INTEGER PRIMARY KEY, title TEXT NOT NULL COLLATE app_order UNIQUE,
                    slug TEXT NOT NULL GENERATED ALWAYS AS (app_slug(title)),
                    CHECK (app_is_title(title, 1)));
                CREATE INDEX byslug ON items (app_fold(title), title COLLATE app_other);
                CREATE VIEW views AS SELECT id, app_find(title) AS found, app_rank() AS rank FROM items
                ORDER BY title COLLATE app_third;
                CREATE VIRTUAL TABLE notes USING fts5(title, body, tokenize = 'app_words x', prefix='2');
                CREATE TABLE extra.logs (id INTEGER PRIMARY KEY);
                """
        ).expectText("check-tables: schema.sql fits 4 tables")
    }

    @Test(.proves("GEN-012"))
    func `strict, virtual, temporary and other tables are understood`() throws {
        try CheckedPackage(
            """
            @Table struct Item { let id: Int; var price: Double }  // error: items.price: Double is
            @Table(withoutRowID: true) struct Pair { let id: Int }
            @Table("boxes") struct Box { let id: Int; var low: Double; var high: Double }
            @Table struct Vector { let id: Int }  // note: not checked: this SQLite has no module vec0
            @Table struct Draft { let id: Int }
            @Table struct Note: FullTextTable { var body = ""; var title = "" }  // error: notes: the
            """,
            schema: """
                CREATE TABLE items (id INTEGER PRIMARY KEY, price INTEGER NOT NULL) STRICT;
                CREATE TABLE pairs (id INTEGER NOT NULL PRIMARY KEY) WITHOUT ROWID;
                CREATE VIRTUAL TABLE boxes USING rtree(id, low, high);
                CREATE VIRTUAL TABLE IF NOT EXISTS "vectors" USING vec0(a float[8]); -- warning: this SQLite
                CREATE TEMP TABLE drafts (id INTEGER PRIMARY KEY);
                CREATE VIRTUAL TABLE notes USING fts5(title, body);
                """
        ).expectRemarks()
    }

    @Test(.proves("GEN-012"), arguments: [".schema", ".schema --indent", ".fullschema", ".dump"])
    func `what the shell prints of a database is a schema`(command: String) throws {
        let directory = try TemporaryDirectory()
        let shell = SQLCipherShell(path: directory.path(of: "app.sqlite"))
        try shell.create(
            """
            CREATE TABLE items (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL);
            INSERT INTO items VALUES (1, 'x;y'), (2, 'it''s');
            CREATE VIRTUAL TABLE notes USING fts5(title);
            CREATE VIRTUAL TABLE boxes USING rtree(id, low, high);
            CREATE INDEX bytitle ON items (title);
            CREATE VIEW views AS SELECT title FROM items;
            CREATE TRIGGER t AFTER DELETE ON items BEGIN DELETE FROM notes; END;
            ANALYZE;
            """)
        let source = """
            @Table struct Item { let id: Int; var title: String }
            @Table struct Note: FullTextTable { var title = "" }
            @Table("views", .view) struct Seen { let title: String }
            """
        let result = try CheckedPackage(source, schema: try shell.run(command)).run()
        #expect(result.text == "check-tables: schema.sql fits 3 tables\n")
    }

    @Test(.proves("GEN-012"))
    func `commands of the shell, a NUL and a byte order mark are noticed`() throws {
        try CheckedPackage(
            item, schema: "\u{FEFF}.mode csv -- warning: commands of the shell\n.bail on\n" + items
        ).expectText(
            """
            schema.sql:1:4: warning: commands of the shell are not carried out
            schema.sql:2:1: warning: commands of the shell are not carried out
            check-tables: 0 errors, 2 warnings
            """)
        let result = try CheckedPackage(item, schema: items + "\0").run()
        #expect(result.status == 1 && result.text.contains("neither SQL in UTF-8 nor a database"))
        let empty = try CheckedPackage(item, schema: "").run()
        #expect(empty.text.contains("error: items: Item is stored in it, the database has no such"))
    }
}

extension CheckedPackage {
    fileprivate func expectText(
        _ text: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try run().text == text + "\n", sourceLocation: location)
    }
}
