import CSQLCipher
import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// What SQLite itself refuses on a connection that is open, however its text is written.
@Suite struct StatementRulesTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
    }

    private func refusal(
        _ sql: String, _ arguments: StatementArguments = StatementArguments()
    ) -> DatabaseError? {
        queue.inDatabase { db in
            DatabaseError.thrown { try db.execute(sql: sql, arguments: arguments) }
        }
    }

    private func requireSound() throws {
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        try queue.close()
        #expect(try fixture.shell().cell("SELECT COUNT(*) FROM t") == 2)
        #expect(try fixture.shell().cell("PRAGMA integrity_check") == "ok")
    }

    private static let blankTexts = [
        " \u{0B}", "\u{FEFF}", "\u{0C}", "/**/ \u{0B}", ";\t\u{0B}", "--\u{0B}\n",
    ]

    @Test(
        "Blanks of every kind before a statement hide nothing", .proves("HST-30"),
        arguments: blankTexts)
    func blanksHideNothing(blank: String) throws {
        for sql in [
            "PRAGMA\(blank == "\u{FEFF}" ? " " : " \u{0B}")rekey = 'SECRET'",
            "PRAGMA cipher_default_kdf_iter == 1", "PRAGMA temp_store = FILE",
            "PRAGMA cipher_plaintext_header_size = 32", "ATTACH 'x.db' AS x KEY 'SECRET'",
            "EXPLAIN PRAGMA hexrekey = '534543524554'", "VACUUM INTO 'file:x.db?key=SECRET'",
        ] {
            let error = try #require(refusal(blank + sql), "\(sql)")
            #expect(error.resultCode == .SQLITE_MISUSE)
            #expect(!"\(error) \(error.sql ?? "")".contains("SECRET"))
        }
        #expect(refusal("SELECT 1;\(blank)SELECT 2") == nil)
        try queue.inDatabase { db in
            let defaults = try String.fetchAll(db, sql: "PRAGMA cipher_default_settings")
            #expect(defaults.contains("PRAGMA cipher_default_kdf_iter = 256000;"))
        }
        try requireSound()
    }

    @Test(
        "SQLite refuses it also where the library has not seen the text", .proves("HST-30"),
        arguments: [
            "PRAGMA rekey = 'SECRET'", "EXPLAIN PRAGMA rekey = 'SECRET'", "PRAGMA key = 'SECRET'",
            "PRAGMA cipher_use_hmac = OFF", "PRAGMA cipher_default_kdf_iter = 1",
            "PRAGMA temp_store = 1", "PRAGMA temp_store = -2", "PRAGMA cipher_migrate",
            "PRAGMA cipher_invented = 1", "ATTACH 'file:x?%6bey=SECRET' AS x",
            "SELECT fts3_tokenizer('simple')",
        ])
    func unseenText(sql: String) throws {
        let logged = Collected()
        let log = Database.logError
        Database.logError = { logged.add($1) }
        defer { Database.logError = log }
        try queue.inDatabase { db throws in
            #expect(sqlite3_exec(db.sqliteConnection, sql, nil, nil, nil) != SQLITE_OK)
            #expect(db.lastErrorMessage?.hasPrefix("not authorized") == true)
            #expect(try Int.fetchOne(db, sql: "PRAGMA temp_store") == 2)
            let defaults = try String.fetchAll(db, sql: "PRAGMA cipher_default_settings")
            #expect(defaults.contains("PRAGMA cipher_default_kdf_iter = 256000;"))
        }
        #expect(!logged.texts.joined().contains("SECRET"))
        try requireSound()
    }

    @Test("Statements prepared during the preparation run under the rules", .proves("HST-30"))
    func preparedBefore() throws {
        let kept = Kept()
        let other = try fixture.open { configuration in
            configuration.prepareDatabase { db in
                kept.statement = try db.makeStatement(sql: "PRAGMA temp_store = FILE")
            }
        }
        try other.inDatabase { db throws in
            let error = DatabaseError.thrown { try kept.statement?.execute() }
            #expect(error?.resultCode == .SQLITE_MISUSE)
            #expect(try Int.fetchOne(db, sql: "PRAGMA temp_store") == 2)
            kept.statement = nil
        }
    }

    private final class Kept: @unchecked Sendable {
        // Safety: used on the connection's queue only, whose closures wait for each other.
        var statement: Statement?
    }

    @Test("VACUUM INTO writes nothing in clear, however its URI is written", .proves("HST-31"))
    func vacuumInto() throws {
        let target = fixture.directory.path(of: "copy")
        for uri in ["?%6bey=", "?mode=rwc&hexk%65y=", "?key", "?x=%00&textkey=a"] {
            let name = "file:\(target)\(uri)"
            for (sql, arguments) in [
                ("VACUUM INTO '\(name)'", []), ("VACUUM INTO ?", [name]),
                ("VACUUM main INTO 'fi' || 'le:' || ?", [String(name.dropFirst(5))]),
            ] as [(String, StatementArguments)] {
                let error = try #require(refusal(sql, arguments), "\(sql)")
                #expect(error.resultCode == .SQLITE_MISUSE)
                #expect(error.message?.contains("vacuum(into:)") == true)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: target))
        #expect(refusal("VACUUM INTO ?", ["file:\(target)?mode=rwc"]) == nil)
        #expect(
            try SQLCipherShell(path: target, key: .passphrase(fixture.key)).cell("SELECT a FROM t")
                == 1)
        try requireSound()
    }

    @Test("Logs and profiles of SQLCipher are not written to files", .proves("HST-31"))
    func logs() throws {
        let target = fixture.directory.path(of: "log")
        for pragma in ["cipher_log", "cipher_profile", "main.Cipher_Log"] {
            let error = try #require(refusal("PRAGMA \(pragma) = '\(target)'"))
            #expect(error.resultCode == .SQLITE_MISUSE)
            #expect(error.message?.contains("prepareDatabase") == true)
        }
        #expect(!FileManager.default.fileExists(atPath: target))
        #expect(refusal("PRAGMA cipher_log_level = NONE; PRAGMA cipher_profile") == nil)
    }

    @Test("Full-text tokenizers are neither shown nor set as addresses", .proves("HST-32"))
    func tokenizers() throws {
        let address = Data(repeating: 0x41, count: 8)
        for (sql, arguments) in [
            ("SELECT hex(fts3_tokenizer(?))", ["simple"]),
            ("SELECT FTS3_Tokenizer(?, ?)", ["simple", address]),
            ("CREATE TABLE u(a CHECK (fts3_tokenizer('simple') > ''))", []),
        ] as [(String, StatementArguments)] {
            #expect(refusal(sql, arguments)?.resultCode == .SQLITE_MISUSE)
        }
        #expect(refusal("CREATE VIRTUAL TABLE f USING fts4(a, tokenize=porter)") == nil)
        #expect(refusal("SELECT snippet(f) FROM f WHERE f MATCH 'a'") == nil)
    }

    @Test("The name of a database in memory is a name", .proves("HST-32"))
    func named() throws {
        let directory = try TemporaryDirectory()
        let file = directory.path(of: "x")
        for name in ["\(file)?mode=rwc&y=", "\(file)#", "/\(file)%00?", "a?mode=rwc&key=b", "%00é"]
        {
            let first = try DatabaseQueue(named: name)
            try first.write { try $0.execute(sql: "CREATE TABLE t(a)") }
            let same = try DatabaseQueue(named: name)
            #expect(try same.read { try $0.tableExists("t") })
            let other = try DatabaseQueue(named: name + "z")
            #expect(try !other.read { try $0.tableExists("t") })
        }
        #expect(try directory.names() == [])
    }

    @Test("SQLite keeps its schema and full-text tables to itself", .proves("HST-30"))
    func defensive() throws {
        #expect(refusal("CREATE VIRTUAL TABLE f USING \(LinkedEngine.fullTextModule)(a)") == nil)
        for sql in [
            "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'x'",
            "DELETE FROM f_content",
        ] {
            #expect(refusal(sql)?.message?.hasSuffix("may not be modified") == true)
        }
        // Apps have functions of their own in their schemas.
        #expect(try queue.read { try Bool.fetchOne($0, sql: "PRAGMA trusted_schema") } == true)
    }
}
