/// A database whose schema was written to be run by somebody else.
public struct HostileSchema: Sendable, CustomStringConvertible {
    /// What becomes of it where it is written anew, row by row.
    public enum Outcome: Sendable {
        /// Strongroom refuses it: for SQLite it is a database like others.
        case refused
        /// It is carried as it is, and does nothing.
        case carried
        /// SQLite does not open it, so that only a salvage meets its text.
        case malformed
    }

    public let description: String
    public let outcome: Outcome
    /// What the shell makes it with; `BAIT` stands for a folder.
    public let sql: String

    /// What every one of them has besides.
    private static let base = """
        CREATE TABLE t (a);
        CREATE INDEX i ON t (a);
        CREATE TABLE log (entry TEXT);
        INSERT INTO t VALUES (1), (2);
        CREATE TABLE filler (a);
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20)
          INSERT INTO filler SELECT zeroblob(3000) FROM c;
        .dbconfig defensive off
        PRAGMA writable_schema = ON;

        """

    private init(_ description: String, _ outcome: Outcome, _ sql: String) {
        self.description = description
        self.outcome = outcome
        self.sql = Self.base + sql
    }

    /// The text of a definition is another.
    private init(
        _ description: String, _ outcome: Outcome, of name: String = "t", is text: String
    ) {
        let literal = text.replacing("'", with: "''").replacing("\u{0}", with: "' || char(0) || '")
        self.init(
            description, outcome,
            "UPDATE sqlite_schema SET sql = '\(literal)' WHERE name = '\(name)';")
    }
}

extension HostileSchema {
    public static let all = severalStatements + otherStatements + expressions + names

    private static let severalStatements = [
        HostileSchema(
            "a table, then another", .refused, is: "CREATE TABLE t(a); CREATE TABLE u(b)"),
        HostileSchema(
            "a table, then an attached database", .refused,
            is: """
                CREATE TABLE t(a); COMMIT; ATTACH 'BAIT/other.db' AS o;
                UPDATE o.t SET a = 'owned'; DETACH o; BEGIN
                """),
        HostileSchema(
            "a table, then a profile", .refused,
            is: "CREATE TABLE t(a); PRAGMA cipher_profile = 'BAIT/profile'; SELECT 1"),
        HostileSchema(
            "a table, then a log", .refused, is: "CREATE TABLE t(a); PRAGMA cipher_log = 'BAIT/log'"
        ),
        HostileSchema(
            "a table, then a copy", .refused,
            is: "CREATE TABLE t(a); COMMIT; VACUUM INTO 'BAIT/copy.db'; BEGIN"),
        HostileSchema(
            "a table, then another key", .refused, is: "CREATE TABLE t(a); PRAGMA rekey = 'x'"),
        HostileSchema(
            "a table behind a NUL", .refused, is: "CREATE TABLE t(a)\u{0}; ATTACH 'BAIT/n.db' AS o"),
        HostileSchema(
            "an index, then no table", .refused, of: "i",
            is: "CREATE INDEX i ON t (a); DROP TABLE t"),
        HostileSchema(
            "an index, then a copy", .refused, of: "i",
            is: "CREATE INDEX i ON t (a); COMMIT; VACUUM INTO 'BAIT/copy.db'; BEGIN"),
    ]

    private static let otherStatements = [
        HostileSchema("a pragma", .malformed, is: "PRAGMA cipher_profile = 'BAIT/profile'"),
        HostileSchema("an attached database", .malformed, is: "ATTACH 'BAIT/new.db' AS o"),
        HostileSchema("a query", .malformed, is: "SELECT load_extension('BAIT/x')"),
        HostileSchema("a table of a query", .malformed, is: "CREATE TABLE t AS SELECT 1 AS a"),
        HostileSchema("another table", .malformed, is: "CREATE TABLE u(a)"),
        HostileSchema("a temporary table", .refused, is: "CREATE TEMP TABLE t(a)"),
        HostileSchema("a table elsewhere", .malformed, is: "CREATE TABLE temp.t(a)"),
        HostileSchema(
            "a trigger where a table should be", .malformed,
            is: "CREATE TRIGGER t AFTER INSERT ON log BEGIN INSERT INTO log VALUES ('x'); END"),
        HostileSchema(
            "a view where a table should be", .malformed, is: "CREATE VIEW t AS SELECT 1"),
        HostileSchema("a comment in front", .malformed, is: "/* x */ CREATE TABLE t(a)"),
        HostileSchema("a byte order mark in front", .malformed, is: "\u{FEFF}CREATE TABLE t(a)"),
        HostileSchema(
            "a vertical tab", .refused, is: "CREATE \u{0B}TABLE t(a)"),
        HostileSchema(
            "a module with pages", .malformed, is: "CREATE VIRTUAL TABLE t USING fts5(a, b)"),
    ]

    private static let expressions = [
        HostileSchema(
            "a check that loads a program", .malformed,
            is: "CREATE TABLE t(a CHECK (load_extension('BAIT/x') IS NULL))"),
        HostileSchema(
            "a check that exports", .refused,
            is: "CREATE TABLE t(a CHECK (sqlcipher_export('main', 'main') IS NULL))"),
        HostileSchema(
            "a check that makes a tokenizer", .refused,
            is: "CREATE TABLE t(a CHECK (fts3_tokenizer('simple', x'00') IS NULL))"),
        HostileSchema(
            "a check that writes a file", .refused,
            is: "CREATE TABLE t(a CHECK (writefile('BAIT/written', 'x')))"),
        HostileSchema(
            "a generated column that exports", .malformed,
            is: "CREATE TABLE t(a, b AS (sqlcipher_export('main', 'main')))"),
        HostileSchema(
            "an index that exports", .malformed, of: "i",
            is: "CREATE INDEX i ON t (sqlcipher_export('main', 'main'))"),
        HostileSchema(
            "a default that exports", .carried,
            is: "CREATE TABLE t(a, b DEFAULT (sqlcipher_export('main', 'main')))"),
        HostileSchema(
            "a view that writes a file", .carried,
            """
            INSERT INTO sqlite_schema VALUES ('view', 'v', 'v', 0,
              'CREATE VIEW v AS SELECT writefile(''BAIT/written'', ''x''), sqlcipher_export(''main'')');
            """),
        HostileSchema(
            "triggers on everything", .carried,
            """
            CREATE TRIGGER r AFTER INSERT ON t BEGIN
              INSERT INTO log VALUES ('fired'); DELETE FROM t; SELECT load_extension('BAIT/x'); END;
            """),
        HostileSchema(
            "a module that nobody knows", .carried,
            """
            INSERT INTO sqlite_schema VALUES ('table', 'm', 'm', 0,
              'CREATE VIRTUAL TABLE m USING nobody_knows(''BAIT/x'')');
            """),
    ]

    private static let names = [
        HostileSchema(
            "a name of quotes and lines", .carried,
            "CREATE TABLE \"x\"\"); DROP TABLE t; --\n'\" (\"a\"\"b\" DEFAULT ';');"),
        HostileSchema(
            "a name with a NUL", .malformed,
            "UPDATE sqlite_schema SET name = 't' || char(0) || 'x' WHERE name = 't';"),
        HostileSchema(
            "another table of tables", .malformed,
            """
            UPDATE sqlite_schema SET name = 'sqlite_schema', tbl_name = 'sqlite_schema',
              sql = 'CREATE TABLE sqlite_schema (type, name, tbl_name, rootpage, sql)'
              WHERE name = 'log';
            """),
        HostileSchema(
            "the table of tables twice", .malformed,
            """
            UPDATE sqlite_schema SET name = 'sqlite_master', tbl_name = 'sqlite_master',
              sql = NULL WHERE name = 'log';
            """),
        HostileSchema(
            "another sort of row", .malformed,
            "UPDATE sqlite_schema SET type = 'trigger' WHERE name = 'log';"),
    ]
}
