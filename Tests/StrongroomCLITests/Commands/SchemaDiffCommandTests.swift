import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Two schemas, and what leads from the first to the second.
private struct DiffCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: String
    let new: String
    /// Lines that are printed, nil where only the result counts.
    var lines: [String]?
    /// A query afterwards, and its first value.
    var value: (query: String, text: String)?

    static let all = [
        DiffCase(
            testDescription: "other blanks, comments, quotes and case",
            old: "CREATE TABLE t (a INTEGER PRIMARY KEY, b); CREATE INDEX i ON t (b)",
            new:
                "create  table \"t\" (a integer /* x */ primary key,\n[b]); "
                + "CREATE INDEX \"I\" ON t(b)",
            lines: []),
        DiffCase(
            testDescription: "a table, an index, a view and a trigger more",
            old: "CREATE TABLE t (a)",
            new: """
                CREATE TABLE t (a); CREATE TABLE u (b); CREATE INDEX i ON u (b);
                CREATE VIEW v AS SELECT a FROM t;
                CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO u VALUES (new.a); END
                """,
            lines: [
                "CREATE TABLE u (b);", "CREATE INDEX i ON u (b);",
                "CREATE VIEW v AS SELECT a FROM t;",
                "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO u VALUES (new.a); END;",
            ]),
        DiffCase(
            testDescription: "reserved names (THK-11)",
            old: """
                CREATE TABLE t (a); CREATE TABLE strongroom_x (a); CREATE TRIGGER strongroom_r
                AFTER INSERT ON t BEGIN INSERT INTO strongroom_x VALUES (new.a); END
                """,
            new: """
                CREATE TABLE t (a); CREATE TABLE strongroom_y (a); CREATE TRIGGER strongroom_s
                AFTER INSERT ON t BEGIN INSERT INTO strongroom_y VALUES (new.a); END
                """,
            lines: []),
        DiffCase(
            testDescription: "a table that is made anew keeps its reserved triggers",
            old: """
                CREATE TABLE t (a); CREATE TABLE strongroom_x (a); CREATE TRIGGER strongroom_r
                AFTER INSERT ON t BEGIN INSERT INTO strongroom_x VALUES (new.a); END
                """,
            new: "CREATE TABLE t (a UNIQUE)",
            value: (
                "SELECT group_concat(name) FROM sqlite_master WHERE type = 'trigger'",
                "strongroom_r"
            )),
        DiffCase(
            testDescription: "columns more",
            old: "CREATE TABLE \"a b\" (a); INSERT INTO \"a b\" VALUES (5)",
            new: "CREATE TABLE \"a b\" (a, c TEXT NOT NULL DEFAULT 'x;--', d)",
            lines: [
                "ALTER TABLE \"a b\" ADD COLUMN c TEXT NOT NULL DEFAULT 'x;--';",
                "ALTER TABLE \"a b\" ADD COLUMN d;",
            ], value: ("SELECT a || c FROM \"a b\"", "5x;--")),
        DiffCase(
            testDescription: "another index, view and trigger",
            old: """
                CREATE TABLE t (a, b); CREATE INDEX i ON t (a); CREATE VIEW v AS SELECT a FROM t;
                CREATE TRIGGER w INSTEAD OF INSERT ON v BEGIN INSERT INTO t VALUES (new.a, 1); END;
                CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END; CREATE INDEX j ON t (b);
                """,
            new: """
                CREATE TABLE t (a, b); CREATE INDEX i ON t (b); CREATE VIEW v AS SELECT a, b FROM t;
                CREATE TRIGGER w INSTEAD OF INSERT ON v BEGIN INSERT INTO t VALUES (new.a, 1); END;
                CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 2; END
                """,
            lines: [
                "DROP TRIGGER \"w\";", "DROP TRIGGER \"r\";", "DROP VIEW \"v\";",
                "DROP INDEX \"i\";", "DROP INDEX \"j\";", "CREATE INDEX i ON t (b);",
                "CREATE VIEW v AS SELECT a, b FROM t;",
                "CREATE TRIGGER w INSTEAD OF INSERT ON v "
                    + "BEGIN INSERT INTO t VALUES (new.a, 1); END;",
                "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 2; END;",
            ]),
        DiffCase(
            testDescription: "tables that ALTER TABLE cannot change",
            old: """
                CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT, b);
                INSERT INTO t VALUES (1, 'x');
                CREATE TABLE u (t REFERENCES t, c); INSERT INTO u VALUES (1, 'y');
                CREATE INDEX i ON t (b); CREATE VIEW v AS SELECT b, c FROM t JOIN u ON u.t = t.a;
                CREATE VIEW w AS SELECT b FROM v;
                CREATE TRIGGER r AFTER INSERT ON u BEGIN UPDATE t SET b = 'z'; END;
                """,
            new: """
                CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT,
                    b TEXT NOT NULL CHECK (b <> ''));
                CREATE TABLE u (c TEXT, t INTEGER REFERENCES t);
                CREATE INDEX i ON t (b); CREATE VIEW v AS SELECT b FROM t;
                CREATE VIEW w AS SELECT b FROM v;
                CREATE TRIGGER r AFTER INSERT ON u BEGIN UPDATE t SET b = 'z'; END;
                """, value: ("SELECT (SELECT b FROM w) || (SELECT c || t FROM u)", "xy1")),
    ]
}

@Suite("schema diff", .proves("OPR-24"))
struct SchemaDiffCommandTests {
    private let fixture: CommandLineFixture

    init() throws { fixture = try CommandLineFixture() }

    private func shell(_ name: String) -> SQLCipherShell {
        SQLCipherShell(path: fixture.path(name), key: .content(CommandLineFixture.key))
    }

    private func diff(_ words: String...) throws -> CommandRun {
        try CommandRun(
            ["schema", "diff", fixture.path("old.db"), fixture.path("new.db")] + words
                + ["--key-file", fixture.keyFile])
    }

    @Test(arguments: DiffCase.all)
    private func `what is printed makes the schema that of the other`(_ example: DiffCase) throws {
        try shell("old.db").create(example.old)
        try shell("new.db").create(example.new)
        let run = try diff()
        #expect(run.exitCode == (example.lines == [] ? .done : .failed), "\(run.errors)")
        if let lines = example.lines {
            #expect(run.output.split(separator: "\n").map(String.init) == lines)
        }
        _ = try shell("old.db").run(
            "PRAGMA foreign_keys = OFF;\nBEGIN;\n\(run.output)\nCOMMIT;")
        let again = try diff()
        #expect(again.exitCode == .done && again.output.isEmpty, "\(again.output)\(again.errors)")
        if let value = example.value {
            #expect(try shell("old.db").run(value.query + ";").hasPrefix(value.text))
        }
    }

    @Test func `a table and a column that would be lost are told in comments`() throws {
        try shell("old.db").create("CREATE TABLE t (a, b); CREATE TABLE \"x\ny\" (a)")
        try shell("new.db").create("CREATE TABLE t (a)")
        let lines = try diff().output.split(separator: "\n")
        #expect(lines.contains("-- it loses the column \"b\""))
        #expect(lines.contains("-- it would lose rows: DROP TABLE \"x y\""))
        let json = try diff("--json").json as? [String: Any]
        #expect(json?["isSame"] as? Bool == false)
        #expect((json?["statements"] as? [String])?.count == lines.count - 2)
    }

    @Test func `the other database has its own key`() throws {
        try shell("old.db").create("CREATE TABLE t (a)")
        let other = SQLCipherShell(
            path: fixture.path("new.db"), key: .content(CommandLineFixture.otherKey))
        try other.create("CREATE TABLE t (a)")
        let key = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "other.key")
        #expect(try diff().exitCode.rawValue == 12)
        #expect(try diff("--other-key-file", key).exitCode == .done)
    }
}
