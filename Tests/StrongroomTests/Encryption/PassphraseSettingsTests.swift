import Strongroom
import StrongroomTestSupport
import Testing

/// The library derives the key itself, by the settings that the connection has.
@Suite("A passphrase changed under other settings")
struct PassphraseSettingsTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private static let settings = [
        [],
        ["PRAGMA kdf_iter = 4000"],
        ["PRAGMA cipher_compatibility = 3"],
        ["PRAGMA cipher_kdf_algorithm = PBKDF2_HMAC_SHA256", "PRAGMA kdf_iter = 4000"],
        ["PRAGMA cipher_hmac_algorithm = HMAC_SHA1", "PRAGMA kdf_iter = 4000"],
        ["PRAGMA cipher_page_size = 8192", "PRAGMA kdf_iter = 4000"],
        [
            "PRAGMA cipher_plaintext_header_size = 32",
            "PRAGMA cipher_salt = \"x'000102030405060708090a0b0c0d0e0f'\"",
            "PRAGMA kdf_iter = 4000",
        ],
    ]

    @Test(
        "SQLCipher derives the same key from it", .proves("ENC-002"), arguments: settings,
        ["new words", "x'zz'", "pässwörter \u{1f511}", String(repeating: "long ", count: 60)])
    func derivation(settings: [String], passphrase: String) throws {
        let path = folder.path(of: "app.db")
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.usePassphrase("old words")
            for setting in settings { try db.execute(sql: setting) }
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)") }
        try queue.writeWithoutTransaction { try $0.changePassphrase(passphrase) }
        try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
        try queue.close()
        let witness = SQLCipherShell(path: path, key: .passphrase(passphrase), settings: settings)
        #expect(try witness.rows("SELECT a FROM t") == [[1], [2]])
        #expect(try witness.rows("PRAGMA cipher_integrity_check").isEmpty)
    }
}
