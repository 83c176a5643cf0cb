import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("schema swift", .proves("OPR-23"))
struct SchemaSwiftCommandTests {
    private let fixture: CommandLineFixture

    init() throws { fixture = try CommandLineFixture() }

    private func swift(_ sql: String) throws -> CommandRun {
        let path = fixture.path("app.db")
        try SQLCipherShell(path: path, key: .content(CommandLineFixture.key)).create(sql)
        return try CommandRun(["schema", "swift", path, "--key-file", fixture.keyFile])
    }

    @Test func `writes what a person would`() throws {
        let run = try swift(
            """
            CREATE TABLE folders (id INTEGER PRIMARY KEY, title TEXT NOT NULL DEFAULT '');
            CREATE TABLE items (
                id INTEGER PRIMARY KEY,
                folder_id INTEGER NOT NULL REFERENCES folders ON DELETE CASCADE,
                title TEXT NOT NULL, due_at DATETIME, is_done BOOLEAN NOT NULL DEFAULT 0,
                price REAL, photo BLOB, created DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
                upper_title TEXT AS (upper(title)));
            INSERT INTO folders VALUES (1, 'x');
            INSERT INTO items (folder_id, title, due_at) VALUES (1, 'secret', 1700000000);
            CREATE TABLE item_tags (
                item_id INTEGER NOT NULL REFERENCES items, tag TEXT NOT NULL,
                PRIMARY KEY (item_id, tag)) WITHOUT ROWID;
            CREATE VIEW open_items AS SELECT id, title FROM items WHERE NOT is_done;
            CREATE VIRTUAL TABLE notes USING fts5(title, body);
            """)
        #expect(run.exitCode == .done && run.errors.isEmpty, "\(run.errors)")
        #expect(!run.output.contains("secret"))
        try GoldenFile("Schema/tables.swift").expect(run.output)
    }

    @Test func `tells what it leaves out`() throws {
        let run = try swift(
            """
            CREATE TABLE t (a); CREATE VIEW broken AS SELECT b FROM t;
            CREATE VIRTUAL TABLE boxes USING rtree(id, x, y);
            """)
        #expect(run.exitCode == .done)
        #expect(run.errors.contains("left out: boxes: it is a virtual table of the module rtree"))
        #expect(run.errors.contains("left out: broken: no such column: b"), "\(run.errors)")
        #expect(run.output.contains("struct T {"))
        #expect(!run.output.contains("oxes") && !run.output.contains("roken"))
    }

    @Test func `no name of the file becomes code or an order to the terminal`() throws {
        let names = [
            "a\nimport Darwin\n//", "x */ #error(\"no\") /*", "\\(fatalError())", "q\"\"\"q",
            "\u{1B}[2J", "\u{202E}flip", "#sourceLocation()", "`tick`", "b\r#error(\"no\")",
        ]
        let sql = names.enumerated().map { index, name in
            let quoted = "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
            let text = "'" + name.replacingOccurrences(of: "'", with: "''") + "'"
            return "CREATE TABLE \(quoted) (id INTEGER PRIMARY KEY, "
                + "\(quoted) TEXT NOT NULL DEFAULT \(text) REFERENCES \(quoted));"
        }
        let run = try swift(sql.joined(separator: "\n"))
        #expect(run.exitCode == .done, "\(run.errors)")
        for line in run.output.split(separator: "\n") {
            let begins = ["import StrongroomTables", "// ", "@Table(\"", "    ", "}"]
            #expect(begins.contains(where: line.hasPrefix), "\(line)")
        }
        let isPlain = run.output.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || ![.control, .format].contains(scalar.properties.generalCategory)
        }
        #expect(isPlain)
        #expect(run.output.components(separatedBy: "@Table").count == names.count + 1)
    }

    @Test func `2,000 tables are written, checked and compared`() throws {
        let sql = (0..<2_000).map { "CREATE TABLE item_\($0) (id INTEGER PRIMARY KEY, a TEXT);" }
        let run = try swift("BEGIN;\n" + sql.joined(separator: "\n") + "\nCOMMIT;")
        #expect(run.exitCode == .done)
        #expect(run.output.components(separatedBy: "@Table").count == 2_001)
        let tables = (0..<2_000).map { number in
            let id = #"{"name": "id", "type": "Int", "affinity": "INTEGER", "keyPosition": 1}"#
            let a = #"{"name": "a", "type": "String", "affinity": "TEXT", "isOptional": true}"#
            return #"{"name": "item_\#(number)", "columns": [\#(id), \#(a)]}"#
        }
        let list = #"{"version": 1, "tables": [\#(tables.joined(separator: ","))]}"#
        let path = fixture.path("app.db")
        let key = ["--key-file", fixture.keyFile]
        let file = try fixture.directory.write(list, to: "tables.json")
        let check = try CommandRun(["schema", "check", path, "--tables", file] + key)
        #expect(check.exitCode == .done && check.output.hasSuffix("fits 2000 tables\n"))
        #expect(try CommandRun(["schema", "diff", path, path] + key).exitCode == .done)
    }

    @Test func `a wrong key opens nothing`() throws {
        let key = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "other.key")
        let run = try CommandRun(["schema", "swift", fixture.database, "--key-file", key])
        #expect(run.exitCode.rawValue == 12 && run.output.isEmpty)
    }
}
