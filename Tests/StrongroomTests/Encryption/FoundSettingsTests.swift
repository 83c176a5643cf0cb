import Foundation
import Strongroom
import StrongroomTestSupport
import Testing

/// Settings that connections and whole files find for themselves.
@Suite("Cipher settings that are found")
struct FoundSettingsTests {
    private let folder: TemporaryDirectory
    private let path: String
    private let salt = String(repeating: "a5", count: 16)

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path(of: "old.db")
    }

    private func create(_ settings: [String], key: String = "open sesame") throws {
        try SQLCipherShell(
            path: path, key: .content(key), settings: settings.map { "PRAGMA " + $0 }
        ).create(
            """
            PRAGMA synchronous = OFF;
            CREATE TABLE t (a);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 200)
              INSERT INTO t SELECT hex(randomblob(100)) FROM c;
            """)
    }

    private func configuration(
        finding: Bool = true, key: String = "open sesame"
    ) -> Configuration {
        var configuration = Configuration()
        configuration.findsCipherSettings = finding
        configuration.prepareDatabase { try $0.usePassphrase(key) }
        return configuration
    }

    private func count(_ reader: some DatabaseReader) throws -> Int? {
        try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
    }

    private func expectRefusal(_ configuration: Configuration) {
        #expect {
            try DatabaseQueue(path: path, configuration: configuration)
        } throws: {
            ($0 as? DatabaseError)?.resultCode == .SQLITE_NOTADB
        }
    }

    @Test(
        "open a queue where it asks for them, and not elsewhere", .proves("OPR-07"),
        arguments: [
            ["cipher_compatibility = 2"], ["cipher_compatibility = 3", "cipher_page_size = 8192"],
            ["kdf_iter = 4000", "cipher_hmac_algorithm = HMAC_SHA256"],
            // Early versions of SQLCipher 2.0.
            ["cipher_compatibility = 2", "cipher_hmac_pgno = be"],
        ])
    func queue(settings: [String]) throws {
        try create(settings)
        expectRefusal(configuration(finding: false))
        let queue = try DatabaseQueue(path: path, configuration: configuration())
        #expect(try count(queue) == 200)
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        try queue.close()
        let shell = SQLCipherShell(
            path: path, key: .content("open sesame"), settings: settings.map { "PRAGMA " + $0 })
        #expect(try shell.cell("SELECT count(*) FROM t") == 201)
        #expect(try shell.rows("PRAGMA cipher_integrity_check") == [])
    }

    @Test("open every connection of a pool, and its snapshots", .proves("OPR-07"))
    func pool() throws {
        try create(["cipher_compatibility = 2"])
        let pool = try DatabasePool(path: path, configuration: configuration())
        try pool.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
        #expect(try count(pool) == 201)
        #expect(try count(pool.makeSnapshot()) == 201)
        try pool.close()
    }

    @Test("leave a database with the usual settings alone", .proves("OPR-07"))
    func usual() throws {
        let new = try DatabasePool(path: path, configuration: configuration())
        try new.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
        try new.close()
        #expect(try count(DatabaseQueue(path: path, configuration: configuration())) == 1)
        let shell = SQLCipherShell(path: path, key: .content("open sesame"))
        #expect(try shell.cell("SELECT count(*) FROM t") == 1)
    }

    @Test(
        "are never found with a wrong key", .proves("OPR-07"),
        arguments: [
            ["cipher_compatibility = 1"], ["cipher_compatibility = 2"],
            ["cipher_plaintext_header_size = 32", "kdf_iter = 4000"],
        ])
    func wrongKey(settings: [String]) throws {
        try create(settings)
        expectRefusal(configuration(key: "open says me"))
    }

    @Test("are never those without an HMAC, unless the app says so", .proves("OPR-07"))
    func withoutHMAC() throws {
        try create(["cipher_use_hmac = OFF", "cipher_page_size = 8192", "kdf_iter = 4000"])
        expectRefusal(configuration())
        let key = try CipherKey(passphrase: "open sesame")
        let error = #expect(throws: DatabaseFileError.self) {
            try DatabaseFile(path: path, key: key).findingCipherSettings()
        }
        #expect(error?.code == .wrongKey && error?.hint?.contains("cipher_use_hmac") == true)
        var explicit = configuration()
        explicit.prepareDatabase { try $0.execute(sql: "PRAGMA cipher_use_hmac = OFF") }
        #expect(try count(DatabaseQueue(path: path, configuration: explicit)) == 200)
        let file = DatabaseFile(path: path, key: key, configuration: explicit)
        let saved = DatabaseFile(path: folder.path(of: "saved.db"), key: key)
        #expect(try file.salvage(to: saved).isComplete)
    }

    /// Whoever can write to the file, and has no key, must not get it read without HMACs.
    @Test("are not those without an HMAC where HMACs were destroyed", .proves("OPR-07"))
    func downgrade() throws {
        let rawKey = "x'" + String(repeating: "0b1d", count: 16) + "'"
        try create([], key: rawKey)
        var content = try Data(contentsOf: URL(fileURLWithPath: path))
        for end in stride(from: 4096, through: content.count, by: 4096) {
            // The IV goes to where a page without an HMAC has it.
            content.replaceSubrange(
                (end - 16)..<end, with: Array(content[(end - 80)..<(end - 64)]))
        }
        try content.write(to: URL(fileURLWithPath: path))
        expectRefusal(configuration(key: rawKey))
        let key = try CipherKey(rawKey: Data((0..<16).flatMap { _ in [0x0b, 0x1d] as [UInt8] }))
        let file = DatabaseFile(path: path, key: key)
        let error = #expect(throws: DatabaseFileError.self) { try file.findingCipherSettings() }
        #expect(error?.message.contains("has no HMACs") == true, "\(String(describing: error))")
        #expect(throws: DatabaseFileError.self) {
            try file.salvage(to: DatabaseFile(path: folder.path(of: "saved.db"), key: key))
        }
    }

    @Test("open a whole file, which then is worked with as usual", .proves("OPR-07"))
    func wholeFile() throws {
        try create(["cipher_compatibility = 3", "cipher_page_size = 2048"])
        let key = try CipherKey(passphrase: "open sesame")
        let file = try DatabaseFile(path: path, key: key).findingCipherSettings()
        #expect(file.foundCipherSettings.contains("PRAGMA cipher_page_size = 2048"))
        #expect(try file.check().isSound)
        #expect(try count(file.open()) == 200)
        let copy = DatabaseFile(path: folder.path(of: "copy.db"), key: key)
        try file.transfer(to: copy)
        // A copy has the settings of its source.
        #expect(
            try copy.findingCipherSettings().foundCipherSettings == file.foundCipherSettings)
    }

    @Test("open a file with a plaintext header, whose salt is given", .proves("OPR-03"))
    func plaintextHeader() throws {
        try create(
            [
                "cipher_plaintext_header_size = 48", "cipher_salt = \"x'\(salt)'\"",
                "kdf_iter = 4000",
            ])
        let key = try CipherKey(passphrase: "open sesame")
        let error = #expect(throws: DatabaseFileError.self) {
            try DatabaseFile(path: path, key: key).findingCipherSettings()
        }
        #expect(error?.code == .wrongKey && error?.message.contains("its salt") == true)
        var configuration = Configuration()
        configuration.prepareDatabase { [salt] in
            try $0.execute(
                sql: """
                    PRAGMA cipher_plaintext_header_size = 32; PRAGMA cipher_salt = "x'\(salt)'"
                    """)
        }
        let file = try DatabaseFile(path: path, key: key, configuration: configuration)
            .findingCipherSettings()
        #expect(try count(file.open()) == 200)
        let noKey = #expect(throws: DatabaseFileError.self) { try DatabaseFile(path: path).open() }
        #expect(noKey?.code == .keyRequired)
    }
}
