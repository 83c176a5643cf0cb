import CSQLCipher
import Foundation
import Strongroom
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// What `strongroom query` refuses, whoever made the file and whatever the SQL looks like.
@Suite struct QueryRulesTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
    }

    @Test(
        .proves("HST-30"),
        arguments: [
            " \u{0B}PRAGMA temp_store = FILE", "\t\u{0B}PRAGMA cipher_profile = 'out'",
            "\u{FEFF}PRAGMA cipher_log = 'out'", "\n\u{0B}VACUUM INTO 'out'",
            " \u{0B}ATTACH 'out' AS o KEY ''", " \u{0B}PRAGMA rekey = 'SECRET'",
            "SELECT 1; \u{0B}PRAGMA cipher_plaintext_header_size == 32",
            "/**/ \u{0B}EXPLAIN QUERY PLAN PRAGMA key = 'SECRET'", "PRAGMA trusted_schema = ON",
        ])
    func `no blank hides what is refused`(sql: String) throws {
        let target = fixture.path("out")
        let sql = sql.replacing("'out'", with: "'\(target)'")
        for words in [[], ["--write"]] {
            let run = try CommandRun(
                ["query", fixture.database, sql, "--key-file", fixture.keyFile] + words)
            #expect(run.exitCode == .usage)
            #expect(!run.errors.contains("SECRET"))
        }
        #expect(!FileManager.default.fileExists(atPath: target))
        #expect(try fixture.shell.cell("SELECT count(*) FROM artist") == 2)
    }

    @Test(
        .proves("HST-51"),
        arguments: [
            "SELECT * FROM 'file:x?key=SECRET'", "SELECT 1 FROM \"file:x?mode=ro&key=SECRET&a=b\"",
            "SELECT * FROM 'file:x?hexkey=SECRET'", "SELEC 'file:x?key=SECRET'",
            "DETACH 'file:x?key=SECRET'", "ATTACH 'file:x?key=SECRET' AS y",
        ])
    func `an error does not repeat the key of a URI`(sql: String) throws {
        let run = try fixture.runOnDatabase("query", sql)
        #expect(run.exitCode != .done)
        #expect(!run.errors.contains("SECRET"))
    }

    @Test(
        .proves("HST-30"),
        arguments: [
            "ATTACH 'out' AS o", "ATTACH ''||'out' AS o", "VACUUM INTO 'out'",
            "VACUUM INTO ''||'out'",
            "PRAGMA rekey = 'SECRET'", "PRAGMA temp_store = FILE", "PRAGMA cipher_log = 'out'",
            "PRAGMA cipher_log_level = TRACE", "PRAGMA temp_store_directory = '/'",
            "SELECT load_extension('x')", "SELECT sqlcipher_export('temp')",
            "SELECT fts3_tokenizer('simple')",
        ])
    func `SQLite refuses it also where the tool has not seen the text`(sql: String) throws {
        var configuration = Configuration()
        configuration.distrustsFile = true
        configuration.prepareDatabase { try $0.usePassphrase(CommandLineFixture.key) }
        let queue = try DatabaseQueue(path: fixture.database, configuration: configuration)
        let target = fixture.path("out")
        let sql = sql.replacing("'out'", with: "'\(target)'")
        queue.inDatabase { db in
            #expect(sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil) != SQLITE_OK)
            #expect(db.lastErrorMessage?.contains("authoriz") == true)
            #expect(
                sqlite3_exec(db.sqliteConnection, "VACUUM; ANALYZE", nil, nil, nil) == SQLITE_OK)
        }
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test(.proves("HST-32"))
    func `no function of the engine reaches beyond the database`() throws {
        for sql in ["SELECT hex(fts3_tokenizer(:n))", "SELECT hex(fts3_tokenizer(:n, :n))"] {
            let run = try fixture.runOnDatabase("query", sql, "--write", "-p", "n=simple")
            #expect(run.exitCode == .failed)
            #expect(run.output == "")
        }
    }

    @Test(.proves("HST-30"))
    func `the schema of the file is not trusted`() throws {
        let run = try fixture.runOnDatabase("query", "PRAGMA trusted_schema", "--format", "list")
        #expect(run.output == "0\n")
        try fixture.shell.run(
            """
            CREATE VIEW hostile AS SELECT sqlcipher_export('temp') AS a;
            CREATE VIRTUAL TABLE f USING \(LinkedEngine.fullTextModule)(a);
            INSERT INTO f VALUES ('word');
            """)
        let hostile = try fixture.runOnDatabase("query", "SELECT * FROM hostile")
        #expect(hostile.exitCode == .failed)
        // What is asked of a full-text table goes on working.
        let marked =
            LinkedEngine.hasFTS5 ? "highlight(f, 0, '<', '>')" : "snippet(f, '<', '>')"
        let match = try fixture.runOnDatabase(
            "query", "SELECT \(marked) AS h FROM f WHERE f MATCH 'word'", "--format", "list")
        #expect(match.output == "<word>\n")
    }
}
