import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// What an open connection refuses, so that no statement of an app destroys its file.
@Suite struct StatementGuardTests {
    let fixture: FixtureDatabase
    let queue: DatabaseQueue

    init() throws {
        fixture = try FixtureDatabase()
        queue = try fixture.open()
        try queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES (1)") }
    }

    private func refusal(_ sql: String) -> DatabaseError? {
        queue.inDatabase { db in DatabaseError.thrown { try db.execute(sql: sql) } }
    }

    @Test(
        .proves("ENC-015"),
        arguments: [
            ("PRAGMA cipher_use_hmac = OFF", "prepareDatabase"),
            ("PRAGMA cipher_hmac_algorithm = HMAC_SHA1", "prepareDatabase"),
            ("PRAGMA cipher_salt = \"x'00112233445566778899aabbccddeeff'\"", "prepareDatabase"),
            ("PRAGMA main.cipher_plaintext_header_size = 32", "prepareDatabase"),
            ("pragma /* x */ cipher_page_size(8192)", "prepareDatabase"),
            ("PRAGMA kdf_iter = 1", "prepareDatabase"),
            ("PRAGMA cipher_compatibility = 3", "strongroom copy"),
            ("PRAGMA cipher_default_page_size = 8192", "prepareDatabase"),
            ("PRAGMA cipher_hmac_salt_mask = 0x1f", "prepareDatabase"),
            ("PRAGMA cipher_migrate", "prepareDatabase"),
            ("PRAGMA key = 'SECRET'", "usePassphrase"),
            ("PRAGMA \"rekey\" = 'SECRET'", "changePassphrase"),
            ("EXPLAIN PRAGMA rekey = 'SECRET'", "strongroom rotate-key"),
            (";; -- x\nPRAGMA hexrekey = '534543524554'", "changePassphrase"),
            ("SELECT 1; PRAGMA textkey = SECRET", "usePassphrase"),
            ("PRAGMA temp_store = FILE", "MEMORY"),
            ("PRAGMA temp_store = 1", "MEMORY"),
            ("ATTACH 'x.db' AS x KEY 'SECRET'", "attach(_:as:passphrase:)"),
            ("ATTACH DATABASE \"x.db\" AS x KEY x'534543524554'", "attach(_:as:passphrase:)"),
            ("ATTACH 'file:x.db?key=SECRET' AS x", "attach(_:as:passphrase:)"),
            ("VACUUM INTO 'file:x.db?key=SECRET'", "vacuum(into:)"),
            ("VACUUM main INTO 'file:x.db?hexkey='", "vacuum(into:)"),
        ])
    func `What would harm the file is refused, and the safe way named`(
        sql: String, advice: String
    ) throws {
        let error = try #require(refusal(sql))
        #expect(error.resultCode == .SQLITE_MISUSE)
        #expect(error.message?.contains(advice) == true)
        #expect(!"\(error) \(error.sql ?? "")".contains("SECRET"))
        // Nothing has changed.
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        try queue.close()
        #expect(try fixture.shell().cell("SELECT COUNT(*) FROM t") == 2)
        #expect(try fixture.shell().cell("PRAGMA integrity_check") == "ok")
    }

    @Test(.proves("ENC-015"), arguments: ["key=SECRET", "key=", "hexkey=534543524554"])
    func `VACUUM INTO a bound URI that names a key is refused`(parameter: String) throws {
        let target = fixture.directory.path(of: "copy.db")
        let uri = "file:\(target)?\(parameter)"
        for (sql, arguments) in [
            ("VACUUM INTO ?", [uri]), ("VACUUM main INTO :name", ["name": uri]),
        ] as [(String, StatementArguments)] {
            let error = queue.inDatabase { db in
                DatabaseError.thrown { try db.execute(sql: sql, arguments: arguments) }
            }
            #expect(error?.resultCode == .SQLITE_MISUSE)
            #expect(error?.message?.contains("vacuum(into:)") == true)
            #expect("\(try #require(error))".contains("SECRET") == false)
        }
        #expect(!FileManager.default.fileExists(atPath: target))
        // A path is no URI.
        try queue.inDatabase { try $0.execute(sql: "VACUUM INTO ?", arguments: [target]) }
        #expect(FileManager.default.fileExists(atPath: target))
    }

    @Test(
        .proves("ENC-015"),
        arguments: [
            "PRAGMA cipher_version", "PRAGMA cipher_settings", "PRAGMA cipher_page_size",
            "PRAGMA temp_store = MEMORY", "PRAGMA temp_store = 2", "PRAGMA temp_store",
            "PRAGMA cipher_integrity_check", "PRAGMA user_version = 5",
            "EXPLAIN QUERY PLAN SELECT * FROM t", "VACUUM",
            "ATTACH ':memory:' AS x KEY ''", "ATTACH ':memory:' AS x", "ANALYZE",
            "SELECT 'PRAGMA key = 1', 'ATTACH x KEY y'",
        ])
    func `What does no harm runs`(sql: String) {
        #expect(refusal(sql) == nil)
    }

    /// It holds for the whole process, which it makes slow, and cannot be taken back.
    @Test(.proves("ENC-015"))
    func `SQLCipher may be told to lock all memory of SQLite`() async {
        await #expect(processExitsWith: .success) {
            let test = try StatementGuardTests()
            #expect(test.refusal("PRAGMA cipher_memory_security = ON") == nil)
        }
    }

    @Test(.proves("ENC-015"))
    func `A connection that is prepared may still be set up in every documented way`() throws {
        let copy = try FixtureDatabase()
        let prepared = try DatabaseQueue(
            path: copy.path,
            configuration: {
                var configuration = Configuration()
                configuration.prepareDatabase { db in
                    try db.usePassphrase(FixtureDatabase.rawKey)
                    try db.execute(sql: "PRAGMA cipher_page_size = 8192; PRAGMA kdf_iter = 1000")
                    try db.execute(sql: "PRAGMA temp_store = FILE")
                }
                return configuration
            }())
        try prepared.write { try $0.execute(sql: "CREATE TABLE t(a)") }
        #expect(
            try prepared.inDatabase { try String.fetchOne($0, sql: "PRAGMA temp_store") } == "2")
        var shell = copy.shell()
        shell.settings = ["PRAGMA cipher_page_size = 8192", "PRAGMA kdf_iter = 1000"]
        #expect(try shell.cell("SELECT COUNT(*) FROM t") == 0)
        // What VACUUM INTO writes has the settings of the process, which nothing opens.
        let target = copy.directory.path(of: "vacuumed")
        let error = prepared.inDatabase { db in
            DatabaseError.thrown { try db.execute(sql: "VACUUM INTO '\(target)'") }
        }
        #expect(error?.message?.contains("page_size = 8192") == true)
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test func `A database in clear may have temporary files`() throws {
        try DatabaseQueue().inDatabase { db throws in
            try db.execute(sql: "PRAGMA temp_store = FILE")
            #expect(try Int.fetchOne(db, sql: "PRAGMA temp_store") == 1)
        }
    }

    @Test(.proves("ENC-016"))
    func `Another file is attached by its passphrase, which is nowhere seen`() throws {
        let other = try FixtureDatabase()
        let passphrase = "another's \"secret\""
        try other.open(passphrase: passphrase).write {
            try $0.execute(sql: "CREATE TABLE u(b); INSERT INTO u VALUES (7)")
        }
        let events = Collected()
        try queue.inDatabase { db throws in
            db.trace(options: [.statement, .profile]) { events.add($0.expandedDescription) }
            try db.attach(other.path, as: "my \"other\"", passphrase: passphrase)
            #expect(try Int.fetchOne(db, sql: "SELECT b FROM \"my \"\"other\"\"\".u") == 7)
            try db.detach("my \"other\"")
            try db.attach(other.path, as: "bytes", passphrase: Data(passphrase.utf8))
            try db.execute(sql: "INSERT INTO bytes.u SELECT a FROM main.t")
            try db.detach("bytes")
            let plain = fixture.directory.path(of: "plain")
            try db.attach(plain, as: "plain", passphrase: nil)
            try db.execute(sql: "CREATE TABLE plain.p AS SELECT * FROM t")
            try db.detach("plain")
            let magic = try Data(contentsOf: URL(filePath: plain)).prefix(15)
            #expect(magic == Data("SQLite format 3".utf8))
        }
        #expect(!events.texts.joined().contains("secret"))
        #expect(try other.shell(passphrase: passphrase).cell("SELECT SUM(b) FROM u") == 8)
    }

    @Test(.proves("ENC-016"))
    func `What can't be attached is not, and the connection goes on`() throws {
        let other = try FixtureDatabase()
        try other.open().write { try $0.execute(sql: "CREATE TABLE u(b)") }
        try queue.inDatabase { db throws in
            let wrong = DatabaseError.thrown {
                try db.attach(other.path, as: "x", passphrase: "WRONG SECRET")
            }
            #expect(wrong?.resultCode == .SQLITE_NOTADB)
            #expect(wrong.map { "\($0)".contains("SECRET") } == false)
            let none = DatabaseError.thrown { try db.attach(other.path, as: "x", passphrase: nil) }
            #expect(none?.resultCode == .SQLITE_NOTADB)
            let empty = DatabaseError.thrown { try db.attach(other.path, as: "x", passphrase: "") }
            #expect(empty?.resultCode == .SQLITE_MISUSE)
            let missing = DatabaseError.thrown {
                try db.attach("/no/such/folder/x", as: "x", passphrase: "a")
            }
            #expect(missing?.resultCode == .SQLITE_CANTOPEN)
            let names = try String.fetchAll(db, sql: "SELECT name FROM pragma_database_list")
            #expect(names == ["main"])
            try db.attach(other.path, as: "x", passphrase: FixtureDatabase.rawKey)
            #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM x.u") == 0)
        }
    }
}
