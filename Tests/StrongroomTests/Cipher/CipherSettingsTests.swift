import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("Cipher settings")
struct CipherSettingsTests {
    @Test("of a version are those that SQLCipher has for it", arguments: [1, 2, 3, 4])
    func versions(number: Int) throws {
        let version = try #require(CipherSettings.Version(rawValue: number))
        let directory = try TemporaryDirectory()
        let shell = SQLCipherShell(
            path: directory.path(of: "new.db"), key: .passphrase("a"),
            settings: ["PRAGMA cipher_compatibility = \(number)"])
        try shell.create("CREATE TABLE t (a)")
        let listing = try shell.rows("PRAGMA cipher_settings").map { row -> String in
            guard case .text(let text) = row[0] else { return "" }
            return text
        }
        #expect(try CipherSettings(listing: listing) == .version(version))
        #expect(try CipherSettings(version) == .version(version))
    }

    /// SQLCipher keeps the mask of the HMAC's salt for the whole process: to set it here would give
    /// it to the databases of all other tests.
    private static let settingsOfConnections = PageSourceTests.settings.filter {
        $0.hmacSaltMask == CipherSettings.usualHMACSaltMask
    }

    @Test("are read from an open connection", arguments: settingsOfConnections)
    func listing(settings: CipherSettings) throws {
        let sample = try EncryptedSample(settings, sql: "CREATE TABLE t (a)")
        var configuration = Configuration()
        configuration.prepareDatabase { db in
            try db.usePassphrase(sample.keyText)
            for pragma in settings.pragmas(salt: sample.salt) { try db.execute(sql: pragma) }
        }
        let queue = try DatabaseQueue(path: sample.path, configuration: configuration)
        let listing = try queue.read { try String.fetchAll($0, sql: "PRAGMA cipher_settings") }
        let read = try CipherSettings(listing: listing)
        // The list does not have the two that are deprecated.
        let expected = try CipherSettings(
            pageSize: settings.pageSize, kdfAlgorithm: settings.kdfAlgorithm,
            kdfIterations: settings.kdfIterations, authentication: settings.authentication,
            plaintextHeaderByteCount: settings.plaintextHeaderByteCount)
        #expect(read == expected)
    }

    @Test("that are wrong are refused with what would be right")
    func wrong() throws {
        expectRefusal("a power of two from 512 to 65536") { try CipherSettings(pageSize: 256) }
        expectRefusal("a power of two from 512 to 65536") { try CipherSettings(pageSize: 131_072) }
        expectRefusal("a power of two from 512 to 65536") { try CipherSettings(pageSize: 5000) }
        expectRefusal("SQLite needs 480") { try CipherSettings(pageSize: 512) }
        expectRefusal("out of 1...2147483647") { try CipherSettings(kdfIterations: 0) }
        expectRefusal("out of 1...2147483647") { try CipherSettings(fastKDFIterations: 1 << 31) }
        expectRefusal("a multiple of 16") { try CipherSettings(plaintextHeaderByteCount: 24) }
        expectRefusal("a multiple of 16") { try CipherSettings(plaintextHeaderByteCount: -16) }
        expectRefusal("smaller than 4016") { try CipherSettings(plaintextHeaderByteCount: 4016) }
    }

    /// SQLCipher writes pages of 512 bytes with an HMAC, and nobody opens the file again.
    @Test("that destroy the file are refused")
    func destructive() throws {
        let directory = try TemporaryDirectory()
        let shell = SQLCipherShell(
            path: directory.path(of: "lost.db"), key: .passphrase("a"),
            settings: ["PRAGMA kdf_iter = 1", "PRAGMA cipher_page_size = 512"])
        try shell.create("CREATE TABLE t (a); INSERT INTO t VALUES (randomblob(1000));")
        #expect(throws: SQLCipherShell.Failure.self) { try shell.rows("SELECT * FROM t") }
    }

    private func expectRefusal(
        _ words: String, _ body: () throws -> CipherSettings,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: CipherSettingsError.self, sourceLocation: sourceLocation) {
            try body()
        }
        #expect(error?.message.contains(words) == true, sourceLocation: sourceLocation)
    }

    @Test("are not read from a list that is not understood")
    func unknownList() {
        for listing in [[], ["PRAGMA kdf_iter = 1;"], ["nonsense"]] {
            #expect(throws: CipherSettingsError.self) { try CipherSettings(listing: listing) }
        }
    }

    @Test("have a salt of 16 bytes, written as SQLCipher reads it")
    func salt() throws {
        #expect(CipherSalt(0..<15) == nil && CipherSalt(0..<17) == nil)
        #expect(CipherSalt(240...255)?.hexadecimal == "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
        #expect(try CipherSalt.random() != CipherSalt.random())
    }
}
