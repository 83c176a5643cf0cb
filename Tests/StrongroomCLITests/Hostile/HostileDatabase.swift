import Foundation
import StrongroomTestSupport

/// Databases that were made to be opened by somebody else, each with many ways to do harm.
///
/// `BAIT` stands for a folder in which there is a file `other`.
enum HostileDatabase: String, CaseIterable {
    /// Definitions and content that a copy carries as they are.
    case carried
    /// Definitions of several statements.
    case statements
    /// Definitions of other things than their rows say, which SQLite does not take.
    case planted
    /// Definitions that call functions when a row is written.
    case functions
    /// Names with NUL, which SQLite does not take.
    case names
    /// Pages of trees and chains that lead in circles, to each other, and beyond the end.
    case pages

    var sql: String {
        switch self {
        case .carried: Self.base + Self.odd + Self.modules + Self.unguarded + Self.brokenModules
        case .statements: Self.base + Self.unguarded + Self.rewritten(Self.texts)
        case .planted: Self.base + Self.unguarded + Self.rewritten(Self.otherThings)
        case .functions: Self.base + Self.unguarded + Self.rewritten(Self.expressions)
        case .names: Self.base + Self.unguarded + Self.namesWithNUL
        case .pages: Self.base + Self.trees + Self.brokenPages
        }
    }

    private static let base = """
        PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;
        BEGIN;
        CREATE TABLE t (a); INSERT INTO t VALUES (1), (2);
        CREATE INDEX i ON t (a);
        CREATE TABLE filler (a);
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 60)
          INSERT INTO filler SELECT zeroblob(2000) || n FROM c;
        CREATE TABLE long (a);
        INSERT INTO long VALUES (zeroblob(60000)), (zeroblob(60000));
        COMMIT;

        """

    private static let unguarded = """

        .dbconfig defensive off
        PRAGMA writable_schema = ON;

        """

    // MARK: - Definitions

    private static let esc = "\u{1B}]0;owned\u{7}\u{1B}[31m\t\u{9B}2J\u{202E}"

    private static let odd = """
        CREATE TABLE log (a);
        CREATE TRIGGER fire AFTER INSERT ON t BEGIN
          INSERT INTO log VALUES ('fired'); DELETE FROM t; SELECT load_extension('BAIT/x'); END;
        CREATE TABLE "quote""'`]; DROP TABLE t; --" ("c""d" DEFAULT ';');
        CREATE TABLE "line\nand \(esc)" (a);
        INSERT INTO "line\nand \(esc)" VALUES ('cell \(esc)');

        """

    /// A table for each text, whose definition it becomes; `NAME` is its name.
    private static func rewritten(_ texts: [String]) -> String {
        texts.enumerated().map { number, text in
            let name = "s\(number)"
            let literal = text.replacing("NAME", with: name).replacing("'", with: "''")
            return """
                CREATE TABLE \(name) (a); INSERT INTO \(name) VALUES (1);
                UPDATE sqlite_schema SET sql = '\(literal)' WHERE name = '\(name)';

                """
        }.joined()
    }

    private static let texts = [
        "CREATE TABLE NAME(a); COMMIT; ATTACH 'BAIT/other' AS o; DROP TABLE o.t; DETACH o; BEGIN",
        "CREATE TABLE NAME(a); PRAGMA cipher_profile = 'BAIT/profile'; SELECT 1",
        "CREATE TABLE NAME(a); COMMIT; VACUUM INTO 'BAIT/copy'; BEGIN",
        "CREATE TABLE NAME(a); CREATE TABLE planted(a)",
    ]

    private static let otherThings = [
        "CREATE TABLE planted AS SELECT 1 AS a", "CREATE TABLE planted(a)",
        "CREATE TABLE temp.planted(a)", "CREATE VIEW planted AS SELECT 1",
        // Its name is right: nothing but SQLite's authorizer tells what else it does.
        "CREATE TABLE NAME AS SELECT 'planted' AS a",
    ]

    private static let expressions = [
        "CREATE TABLE NAME(a CHECK (sqlcipher_export('main', 'main') IS NULL))",
        "CREATE TABLE NAME(a CHECK (writefile('BAIT/written', 'x')))",
        "CREATE TABLE NAME(a CHECK (fts3_tokenizer('simple', x'00') IS NULL))",
    ]

    private static let namesWithNUL = """
        UPDATE sqlite_schema SET name = 't' || char(0) || char(27) || '[31mx' WHERE name = 't';
        CREATE TABLE "\(esc)" (a);
        """

    // MARK: - Modules

    private static let fullTextCount = 8

    private static let modules =
        "BEGIN;\n"
        + (0..<fullTextCount).map { number in
            """
            CREATE VIRTUAL TABLE f\(number) USING fts5 (a, prefix = '2');
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 400)
              INSERT INTO f\(number) SELECT 'word' || n || ' common' || (n % 7) FROM c;
            INSERT INTO f\(number) VALUES ('tail word');

            """
        }.joined() + """
            CREATE VIRTUAL TABLE g0 USING fts4 (a); INSERT INTO g0 VALUES ('some words');
            CREATE VIRTUAL TABLE g1 USING fts4 (a); INSERT INTO g1 VALUES ('some words');
            CREATE VIRTUAL TABLE r0 USING rtree (id, x0, x1);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 300)
              INSERT INTO r0 SELECT n, n, n + 1 FROM c;
            COMMIT;
            """

    /// Segments below 4 bytes, leaves beyond the end and leading to themselves, numbers that wrap,
    /// tables of modules written by hand, and modules that reach for files.
    private static let brokenModules = """
        UPDATE f0_data SET block = x'0102' WHERE id > 10;
        UPDATE f1_data SET block = CAST(substr(block, 1, 3) AS BLOB) WHERE id > 10;
        UPDATE f2_data SET block = x'00000000000101010001ffffff7f' WHERE id = 10;
        UPDATE f3_data SET block = CAST(x'ffff0000' || substr(block, 5) AS BLOB) WHERE id > 10;
        UPDATE f4_data SET block = CAST(substr(block, 1, 4) || x'ffffffffffffffff7f' ||
          substr(block, 14) AS BLOB) WHERE id > 10;
        UPDATE f5_data SET block = (SELECT block FROM f5_data WHERE id > 10 ORDER BY id LIMIT 1)
          WHERE id > 10;
        UPDATE f6_config SET v = x'ff';
        INSERT INTO f6_config VALUES ('pgsz', -1), ('rank', 'load_extension(''BAIT/x'')');
        UPDATE f7_data SET block = zeroblob(100000) WHERE id = 10;
        UPDATE f7_docsize SET sz = x'ffffffffff';
        UPDATE g0_segdir SET root = x'00ff7fffffff', leaves_end_block = 9223372036854775807;
        UPDATE g1_segdir SET level = -1, root = x'', idx = 1000000;
        INSERT INTO g1_segments VALUES (1, x'ffffffff');
        UPDATE r0_node SET data = CAST(x'ffff' || substr(data, 3) AS BLOB) WHERE nodeno = 1;
        UPDATE r0_parent SET parentnode = nodeno;
        CREATE TABLE h_data (id INTEGER PRIMARY KEY, block BLOB);
        INSERT INTO h_data VALUES (10, x'ff'), (1, x'ffffffffffff');
        CREATE TABLE h_content (id INTEGER PRIMARY KEY, c0);
        CREATE TABLE h_docsize (id INTEGER PRIMARY KEY, sz BLOB);
        CREATE TABLE h_idx (segid, term, pgno, PRIMARY KEY (segid, term)) WITHOUT ROWID;
        CREATE TABLE h_config (k PRIMARY KEY, v) WITHOUT ROWID;
        INSERT INTO sqlite_schema VALUES
          ('table', 'h', 'h', 0, 'CREATE VIRTUAL TABLE h USING fts5(a, content=''t'')'),
          ('table', 'm', 'm', 0, 'CREATE VIRTUAL TABLE m USING nobody_knows(''BAIT/x'')'),
          ('table', 'z', 'z', 0, 'CREATE VIRTUAL TABLE z USING csv(filename=''BAIT/other'')'),
          ('table', 'dp', 'dp', 0, 'CREATE VIRTUAL TABLE dp USING sqlite_dbpage'),
          ('table', 'tk', 'tk', 0, 'CREATE VIRTUAL TABLE tk USING fts3tokenize(simple)'),
          ('view', 'v', 'v', 0, 'CREATE VIEW v AS SELECT writefile(''BAIT/written'', ''x'')'),
          ('view', 'w', 'w', 0, 'CREATE VIEW w AS SELECT sqlcipher_export(''main'')'),
          ('view', 'x', 'x', 0, 'CREATE VIEW x AS SELECT load_extension(''BAIT/x'')');
        """

    /// What reaches all of that by a query.
    static let queries =
        (0..<fullTextCount).map { "SELECT count(*) FROM f\($0) WHERE f\($0) MATCH 'comm*'" }
        + ["v", "w", "x", "m", "z", "dp", "h", "r0", "\"line\nand \(esc)\""].map {
            "SELECT * FROM \($0)"
        } + [
            "SELECT a FROM g0 WHERE g0 MATCH 'some'", "SELECT a FROM g1 WHERE g1 MATCH 'words'",
            "SELECT id FROM r0 WHERE x0 > 7",
        ]

    /// Statements that are refused, and by whom: by the text before a key is asked for, or by SQLite's
    /// authorizer, which alone sees the functions.
    static let refusals = [
        ("SELECT 1; \u{B}PRAGMA cipher_profile = 'BAIT/profile'", "cipher_profile cannot be set"),
        ("EXPLAIN ATTACH 'BAIT/other' AS o", "ATTACH is not available"),
        ("VACUUM INTO 'BAIT/copy'", "VACUUM INTO is not available"),
        ("SELECT load_extension('BAIT/x')", "load_extension is refused"),
        ("SELECT a FROM t WHERE sqlcipher_export('main')", "sqlcipher_export is refused"),
        ("SELECT fts3_tokenizer('simple')", "fts3_tokenizer is refused"),
    ]

    // MARK: - Pages

    private static let trees = ["cycle", "overlap"].map { name in
        """
        CREATE TABLE \(name) (a);
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 60)
          INSERT INTO \(name) SELECT zeroblob(900) || n FROM c;

        """
    }.joined()

    /// SQL that writes a number into a page, big-endian.
    private static func write(_ number: String, at offset: Int, ofPage page: String) -> String {
        """
        UPDATE sqlite_dbpage SET data = CAST(substr(data, 1, \(offset))
          || unhex(format('%08X', \(number))) || substr(data, \(offset + 5)) AS BLOB)
          WHERE pgno = \(page);

        """
    }

    private static func root(_ table: String) -> String {
        "(SELECT rootpage FROM sqlite_schema WHERE name = '\(table)')"
    }

    // Byte 8 of an interior page is its last child; an overflow page begins with the next one.
    private static let brokenPages =
        """

        .dbconfig defensive off
        CREATE TEMP TABLE o AS SELECT pageno FROM dbstat WHERE name = 'long' AND pagetype = 'overflow';

        """ + write(root("cycle"), at: 8, ofPage: root("cycle"))
        + write(root("filler"), at: 8, ofPage: root("overlap"))
        + write("(SELECT min(pageno) FROM o)", at: 0, ofPage: "(SELECT max(pageno) FROM o)")
        + write("0x7fffffff", at: 0, ofPage: "(SELECT min(pageno) + 3 FROM o)")
}
