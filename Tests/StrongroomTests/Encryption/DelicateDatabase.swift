import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// A plain database with everything that a copy can lose, made by the shell and not by us.
enum DelicateDatabase {
    static let passphrase = "correct horse battery staple"

    /// What an independent program finds in a database.
    struct Content: Equatable {
        /// The rows and the schema, one line for each, sorted.
        var dump: [String]
        /// What the header says, and the witnesses.
        var answers: String
    }

    /// Asks one shell for everything: from a passphrase, each would derive the key.
    static func content(_ shell: SQLCipherShell) throws -> Content {
        let end = "--- end of the dump ---"
        let output = try shell.run(
            ".dump --preserve-rowids\n.print '\(end)'\n.mode quote\n\(header)\n\(witnesses)")
        let parts = output.components(separatedBy: end + "\n")
        try #require(parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty)
        return Content(dump: lines(parts[0]), answers: parts[1])
    }

    /// The content as text, one line for each row, as an independent program prints it.
    static func dump(_ shell: SQLCipherShell) throws -> [String] {
        try lines(shell.run(".dump --preserve-rowids"))
    }

    private static func lines(_ dump: String) -> [String] {
        dump.split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("/*") && !$0.hasPrefix("PRAGMA writable_schema") }
            .sorted()
    }

    /// What the header of a database says.
    static func header(_ shell: SQLCipherShell) throws -> [[SQLCipherShell.Cell]] {
        try shell.rows(header)
    }

    private static let header = """
        PRAGMA user_version; PRAGMA application_id; PRAGMA auto_vacuum; PRAGMA encoding;
        PRAGMA journal_mode; PRAGMA default_cache_size; PRAGMA schema_version;
        """

    /// Rows whose numbers no column shows, and what depends on more than the rows.
    static let witnesses = """
        SELECT rowid, * FROM gaps; SELECT rowid, * FROM bare; SELECT rowid, * FROM generated;
        SELECT rowid, body FROM words WHERE words MATCH 'jump'; SELECT * FROM boxes;
        SELECT docid, body FROM words4 WHERE words4 MATCH 'dogs'; SELECT * FROM log;
        SELECT * FROM sqlite_sequence; SELECT * FROM sqlite_stat1 ORDER BY tbl, idx;
        SELECT typeof(r), r, typeof(n), n FROM numbers; SELECT * FROM totals; SELECT oid, * FROM shadow;
        """

    static func create(at path: String, wal: Bool = true) throws {
        let mode = wal ? "WAL" : "DELETE"
        try SQLCipherShell(path: path).create(sql + "PRAGMA journal_mode = \(mode);")
    }

    private static let sql = """
        PRAGMA page_size = 8192;
        PRAGMA encoding = 'UTF-16le';
        PRAGMA auto_vacuum = INCREMENTAL;
        PRAGMA user_version = 42;
        PRAGMA application_id = 1234567;
        PRAGMA default_cache_size = 777;
        CREATE TABLE gaps (value TEXT UNIQUE, other INT DEFAULT 7);
        INSERT INTO gaps(rowid, value) VALUES (1,'a'), (5,'b'), (1000000000000,'c'), (-3,'neg');
        CREATE TABLE bare (value TEXT);
        INSERT INTO bare(rowid, value) VALUES (2,'a'), (50,'b'), (9223372036854775807,'c');
        CREATE TABLE shadow (rowid TEXT, "_rowid_" INT);
        INSERT INTO shadow(oid, rowid, "_rowid_") VALUES (17, 'not a number', 4);
        CREATE TABLE auto (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT COLLATE NOCASE);
        INSERT INTO auto(name) VALUES ('x'), ('y'), ('z');
        DELETE FROM auto WHERE name = 'z';
        CREATE TABLE keyed (a TEXT, b INT, c TEXT, PRIMARY KEY (a, b DESC)) WITHOUT ROWID;
        CREATE INDEX covering ON keyed (c, a, b);
        INSERT INTO keyed VALUES ('k',1,'z'), ('k',2,'y'), ('l',1,'x');
        CREATE TABLE strict (i INT, r REAL, t TEXT, b BLOB, any ANY) STRICT;
        INSERT INTO strict VALUES (1,2.5,'t',x'00ff',NULL), (2,1e300,'é𝄞'||char(0)||'x',x'','5');
        CREATE TABLE generated (a INT CHECK (a > 0), v INT GENERATED ALWAYS AS (a * 2) VIRTUAL,
          s INT AS (a * 3) STORED, CHECK (typeof(a) = 'integer'));
        INSERT INTO generated(rowid, a) VALUES (1,1), (10,2);
        PRAGMA ignore_check_constraints = ON;
        INSERT INTO generated(rowid, a) VALUES (11, -1);
        CREATE TABLE log (entry TEXT);
        CREATE TRIGGER gaps_insert AFTER INSERT ON gaps
          BEGIN INSERT INTO log VALUES ('inserted ' || new.value); END;
        CREATE TABLE parent (id INTEGER PRIMARY KEY);
        CREATE TABLE child (id INTEGER PRIMARY KEY,
          parent INT REFERENCES parent(id) ON DELETE CASCADE);
        INSERT INTO parent VALUES (1);
        INSERT INTO child VALUES (1,1), (2,99);
        CREATE VIEW totals AS SELECT count(*) AS n FROM gaps;
        CREATE TRIGGER totals_insert INSTEAD OF INSERT ON totals BEGIN SELECT 1; END;
        CREATE INDEX partial ON gaps(other) WHERE value IS NOT NULL;
        CREATE INDEX expression ON auto(lower(name), id DESC);
        CREATE VIRTUAL TABLE words USING fts5(body, tokenize = 'porter');
        INSERT INTO words(rowid, body) VALUES (3,'the quick brown fox'), (9,'jumping dogs');
        CREATE VIRTUAL TABLE words4 USING fts4(body);
        INSERT INTO words4(docid, body) VALUES (7,'lazy dogs sleep');
        CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
        INSERT INTO boxes VALUES (1, 0.5, 2.5), (2, 10, 20);
        CREATE TABLE "odd ""name'; --" ("co""l" TEXT, [sp ace] INT, `sel ect` BLOB);
        INSERT INTO "odd ""name'; --" VALUES ('v', 1, x'01');
        CREATE TABLE many (n INT, t TEXT);
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000)
          INSERT INTO many SELECT n, hex(randomblob(40)) FROM c;
        DELETE FROM many WHERE n % 3 = 0;
        CREATE TABLE nulls (a, b, UNIQUE (a, b) ON CONFLICT REPLACE);
        INSERT INTO nulls VALUES (NULL,NULL), (NULL,NULL), (1,2);
        CREATE TABLE numbers (r REAL, n NUMERIC);
        INSERT INTO numbers VALUES (0.1,'1e3'), (-0.0,9223372036854775807), (9007199254740993,'abc');
        ANALYZE;
        CREATE TABLE altered (a INT);
        INSERT INTO altered VALUES (1), (2);
        ALTER TABLE altered ADD COLUMN b TEXT DEFAULT 'added';
        CREATE TABLE quoted (a TEXT DEFAULT "text");

        """
}
