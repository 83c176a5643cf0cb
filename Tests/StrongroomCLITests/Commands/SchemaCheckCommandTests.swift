import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("schema check", .proves("GEN-010"))
struct SchemaCheckCommandTests {
    /// What `TableSchema.write` made of types.
    private static let tables = PackageFiles.path(of: "Tests/Golden/Schema/tables.json")

    private static let sql = """
        CREATE TABLE ships (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, due_at TEXT, builtAt INTEGER NOT NULL,
            flags TEXT NOT NULL, berth TEXT NOT NULL, depth REAL,
            label TEXT GENERATED ALWAYS AS (upper(name)) STORED,
            token TEXT NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000');
        CREATE TABLE crates (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE seals (id INTEGER PRIMARY KEY, crate_id INTEGER NOT NULL, owner_id TEXT);
        CREATE VIRTUAL TABLE notices USING fts5(title, body);
        """

    private let fixture: CommandLineFixture
    private let path: String

    init() throws {
        fixture = try CommandLineFixture()
        path = fixture.path("harbour.db")
    }

    private var shell: SQLCipherShell {
        SQLCipherShell(path: path, key: .content(CommandLineFixture.key))
    }

    private func check(_ words: String..., tables: String = tables) throws -> CommandRun {
        let key = ["--key-file", fixture.keyFile]
        return try CommandRun(["schema", "check", path, "--tables", tables] + key + words)
    }

    @Test func `a database that fits is done`() throws {
        try shell.create(Self.sql)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let run = try check("--strict")
        #expect(run.exitCode == .done, "\(run.output)\(run.errors)")
        #expect(fixture.anonymous(run.output) == "harbour.db fits 4 tables\n")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        let json = try check("--json").json as? [String: Any]
        #expect(json?["tableCount"] as? Int == 4)
        #expect((json?["mismatches"] as? [Any])?.isEmpty == true)
    }

    @Test func `mismatches are told with the statements that repair them`() throws {
        try shell.create(
            Self.sql.replacingOccurrences(of: "due_at TEXT", with: "due_at INTEGER")
                .replacingOccurrences(of: ", owner_id TEXT", with: ""))
        let run = try check()
        #expect(run.exitCode == .failed)
        #expect(
            run.output.hasPrefix(
                """
                error: seals.owner_id: Seal.ownerID is stored in it, the table has no such column
                    add the column
                error: ships.due_at: Date? is stored as text, the column is INTEGER
                    '@Column(as: Date.UnixTimeRepresentation.self)'

                -- These statements repair 
                """), "\(run.output)")
        #expect(run.errors.contains("does not fit the tables: 2 mismatches"))
        // What stands below that line is SQL as it is.
        let statements = run.output.components(separatedBy: "\n-- These statements repair ")[1]
            .split(separator: "\n").dropFirst().joined(separator: "\n")
        _ = try shell.run("PRAGMA foreign_keys = OFF;\n" + statements)
        #expect(try check().exitCode == .done)
    }

    @Test func `warnings fail under --strict alone, and JSON tells all`() throws {
        try shell.create(
            Self.sql.replacingOccurrences(of: "owner_id TEXT", with: "owner_id TEXT NOT NULL"))
        #expect(try check().exitCode == .done)
        let run = try check("--strict", "--json")
        #expect(run.exitCode == .failed)
        let json = try #require(run.json as? [String: Any])
        let mismatch = try #require((json["mismatches"] as? [[String: Any]])?.first)
        #expect(mismatch["severity"] as? String == "warning")
        #expect(mismatch["kind"] as? String == "nullability")
        #expect(mismatch["table"] as? String == "seals")
        #expect(mismatch["column"] as? String == "owner_id")
        #expect(mismatch["expected"] as? String == "String? takes NULL")
        #expect(mismatch["found"] as? String == "the column is NOT NULL")
        #expect((mismatch["repair"] as? [String])?.isEmpty == false)
        #expect((json["repair"] as? [String])?.isEmpty == false)
    }

    @Test func `a wrong key, no file and no list are told apart`() throws {
        try shell.create(Self.sql)
        let otherKey = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "other")
        let wrong = try CommandRun(
            ["schema", "check", path, "--tables", Self.tables, "--key-file", otherKey])
        #expect(wrong.exitCode.rawValue == 12)
        let key = ["--key-file", fixture.keyFile]
        let absent = try CommandRun(
            ["schema", "check", fixture.path("none.db"), "--tables", Self.tables] + key)
        #expect(absent.exitCode.rawValue == 10)
        #expect(try CommandRun(["schema", "check", path] + key).exitCode == .usage)
        #expect(try check(tables: fixture.path("none.json")).exitCode == .failed)
        for (text, reason) in [
            ("no JSON", "it is not JSON"), (#"{"version": 3}"#, "it has version 3"),
            (#"{"version": 1, "tables": [], "x": 1}"#, "it has an unknown field \"x\""),
        ] {
            let run = try check(tables: fixture.directory.write(text, to: "t.json"))
            #expect(run.exitCode == .failed && run.output.isEmpty)
            #expect(run.errors.contains(reason), "\(run.errors)")
        }
    }

    @Test func `names in the file never reach the terminal as orders`() throws {
        let name = "a\u{1B}[2J\nb\"c'd"
        let quoted = "\"" + name.replacingOccurrences(of: "\"", with: "\"\"") + "\""
        try shell.create(
            """
            CREATE TABLE \(quoted) (id INTEGER PRIMARY KEY, \(quoted) TEXT, "x;--" INT NOT NULL);
            CREATE VIEW broken AS SELECT a FROM nowhere;
            """)
        let column: [String: Any] = ["name": name, "type": "String", "affinity": "TEXT"]
        let missing: [String: Any] = ["name": "m\u{1B}[2J", "type": "Int", "affinity": "INTEGER"]
        let tables: [[String: Any]] = [
            ["name": name, "columns": [column, missing]],
            ["name": "broken", "kind": "view", "columns": [column]],
            ["name": name + "x", "columns": []],
        ]
        let data = try JSONSerialization.data(withJSONObject: ["version": 1, "tables": tables])
        let list = try fixture.directory.write(data, to: "hostile.json")
        let run = try check(tables: list)
        #expect(run.exitCode == .failed)
        #expect(run.output.contains("error: broken: broken is read from it, SQLite says: "))
        #expect(!(run.output + run.errors).contains("\u{1B}"))
        let json = try #require(try check("--json", tables: list).json as? [String: Any])
        let repair = try #require(json["repair"] as? [String])
        // SQLite renames no table while a view cannot be read.
        let statements = ["DROP VIEW broken"] + repair
        _ = try shell.run(statements.map { $0 + ";" }.joined(separator: "\n"))
        let again = try #require(try check("--json", tables: list).json as? [String: Any])
        let left = try #require(again["mismatches"] as? [[String: Any]])
        #expect(!left.contains { $0["kind"] as? String == "missingColumn" })
    }
}
