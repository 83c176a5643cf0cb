import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

/// The page codec against SQLCipher itself, in both directions (`Documentation/SQLCipher.md`, "The
/// page format").
@Suite("The pages of an encrypted file")
struct PageSourceTests {
    /// Each setting that there is, with the other ones as they usually are.
    static let settings: [CipherSettings] = {
        let versions = CipherSettings.Version.allCases.map { CipherSettings.version($0) }
        let pages = [1024, 2048, 8192, 16384, 32768, 65536].map {
            try? CipherSettings(pageSize: $0)
        }
        let small = try? CipherSettings(pageSize: 512, authentication: .absent)
        let hashes = CipherHash.allCases.flatMap { kdf in
            CipherHash.allCases.map { hmac in
                try? CipherSettings(
                    kdfAlgorithm: kdf, kdfIterations: 1000, authentication: .hmac(hmac))
            }
        }
        let headers = [16, 32, 64].map { try? CipherSettings(plaintextHeaderByteCount: $0) }
        let deprecated = [
            try? CipherSettings(fastKDFIterations: 7), try? CipherSettings(hmacSaltMask: 0),
            try? CipherSettings(.v2, pageNumbers: .bigEndian),
            try? CipherSettings(
                .v2, fastKDFIterations: 4000, hmacSaltMask: 0, pageNumbers: .bigEndian),
            try? CipherSettings(
                pageSize: 1024, authentication: .absent, plaintextHeaderByteCount: 32),
        ]
        return versions + (pages + [small] + hashes + headers + deprecated).compactMap { $0 }
    }()

    @Test("are tried with as many settings as were meant")
    func settingsCount() {
        #expect(Self.settings.count == 4 + 7 + 9 + 3 + 5)
    }

    @Test("verify and decrypt whatever the settings", arguments: settings)
    func read(_ settings: CipherSettings) throws {
        let sample = try EncryptedSample(settings)
        let expected = try sample.shell.rows(EncryptedSample.question)
        let file = try sample.open()
        let key = try sample.pageKey()
        let survey = try file.survey(with: key)
        let isProtected = settings.authentication != .absent
        #expect(survey.count(isProtected ? .authentic : .unprotected) == file.pageCount)
        #expect(survey.isSound && file.trailingByteCount == 0)

        let plain = sample.directory.path(of: "plain.db")
        let written = try NewFile(plain)
        try file.decryptToPlaintext(with: key, write: written.write)
        let shell = SQLCipherShell(path: plain)
        #expect(try shell.rows(EncryptedSample.question) == expected)
        #expect(try shell.cell("PRAGMA integrity_check") == "ok")
    }

    @Test("are written for SQLCipher whatever the settings", arguments: settings)
    func write(_ settings: CipherSettings) throws {
        let sample = try EncryptedSample(settings)
        let expected = try sample.shell.rows(EncryptedSample.question)
        let file = try sample.open()
        let salt = try CipherSalt.random()
        let newKey = try PageKey(
            EncryptedSample.key(EncryptedSample.otherRawKey), fileSalt: salt, settings: settings)
        let path = sample.directory.path(of: "new.db")
        let written = try NewFile(path)
        try file.reencrypt(
            from: sample.pageKey(), to: newKey, threads: 2, write: written.write)

        let shell = SQLCipherShell(
            path: path, key: .content(EncryptedSample.otherRawKey),
            settings: settings.pragmas(salt: salt))
        #expect(try shell.rows(EncryptedSample.question) == expected)
        try expectSound(shell, settings)
        try shell.run(
            "INSERT INTO t SELECT id + 1000, a, randomblob(4000) FROM t; DELETE FROM t WHERE id < 99;"
        )
        try expectSound(shell, settings)
        #expect(
            try PageSource(path: path, pageSize: settings.pageSize).survey(with: newKey).isSound)
        let oldKey = SQLCipherShell(
            path: path, key: .content(EncryptedSample.rawKey),
            settings: settings.pragmas(salt: salt))
        #expect(throws: SQLCipherShell.Failure.self) {
            try oldKey.rows("SELECT * FROM sqlite_master")
        }
    }

    private func expectSound(_ shell: SQLCipherShell, _ settings: CipherSettings) throws {
        #expect(try shell.cell("PRAGMA integrity_check") == "ok")
        guard settings.authentication != .absent else { return }
        #expect(try shell.rows("PRAGMA cipher_integrity_check").isEmpty)
    }

    @Test("change their settings where SQLite leaves room for the new reserve, and only there")
    func otherReserve() throws {
        let old = try CipherSettings(authentication: .absent)
        let sample = try EncryptedSample(old)
        let path = sample.directory.path(of: "new.db")
        let newKey = try PageKey(
            EncryptedSample.key(EncryptedSample.otherRawKey), fileSalt: CipherSalt.random(),
            settings: .version(.v4))
        try sample.open().reencrypt(from: sample.pageKey(), to: newKey, write: NewFile(path).write)
        let shell = SQLCipherShell(path: path, key: .content(EncryptedSample.otherRawKey))
        try expectSound(shell, .version(.v4))
        try shell.run("INSERT INTO t (b) VALUES (randomblob(100000));")
        try expectSound(shell, .version(.v4))

        let tight = try EncryptedSample(old, keepsReserveSmall: true)
        let error = #expect(throws: DatabaseError.self) {
            let newKey = try PageKey(tight.pageKey(), settings: .version(.v4))
            try tight.open().reencrypt(from: tight.pageKey(), to: newKey) { _, _ in }
        }
        #expect(error?.resultCode == .SQLITE_MISUSE)
    }
}
