import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("The keys of pages")
struct PageKeyTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    @Test(
        "are derived from the passphrase of a file that SQLCipher itself wrote",
        arguments: [(3, CipherSettings.version(.v3)), (4, CipherSettings.version(.v4))])
    func derived(version: Int, settings: CipherSettings) throws {
        let foreign = try ForeignDatabase.create(
            compatibility: version, at: folder.path(of: "old.db"))
        let pageCount =
            try Data(contentsOf: URL(fileURLWithPath: foreign)).count / settings.pageSize
        let file = try PageSource(path: foreign, pageSize: settings.pageSize)
        let salt = try file.salt()
        let key = try PageKey(
            CipherKey(passphrase: ForeignDatabase.passphrase), fileSalt: salt, settings: settings)
        let survey = try file.survey(with: key, threads: 2)
        #expect(survey.isSound && survey.count(.authentic) == pageCount && pageCount > 40)

        // What it writes under a new key, with other settings where pages stay the same.
        let path = folder.path(of: "new.db")
        let newSettings = try CipherSettings(
            pageSize: settings.pageSize, kdfAlgorithm: settings.kdfAlgorithm, kdfIterations: 5000,
            authentication: settings.authentication, plaintextHeaderByteCount: 32)
        let newSalt = try CipherSalt.random()
        let newKey = try PageKey(
            CipherKey(passphrase: "new"), fileSalt: newSalt, settings: newSettings)
        try file.reencrypt(from: key, to: newKey, write: NewFile(path).write)
        let shell = SQLCipherShell(
            path: path, key: .passphrase("new"), settings: newSettings.pragmas(salt: newSalt))
        let old = SQLCipherShell(
            path: foreign, key: .passphrase(ForeignDatabase.passphrase),
            settings: settings.pragmas(salt: nil))
        #expect(try shell.run(".dump") == old.run(".dump"))
        #expect(try shell.rows("PRAGMA cipher_integrity_check").isEmpty)
        #expect(try shell.cell("PRAGMA integrity_check") == "ok")
    }

    @Test("come from a passphrase by the settings", arguments: CipherHash.allCases)
    func passphrase(hash: CipherHash) throws {
        let settings = try CipherSettings(kdfAlgorithm: hash, kdfIterations: 1234)
        let sample = try EncryptedSample(settings, keyText: "päss 'word'")
        let key = try sample.pageKey()
        #expect(try sample.open().survey(with: key).isSound)
        // The derived key opens the file in SQLCipher, without the number of iterations.
        let folder = try TemporaryDirectory()
        let keyFile = folder.path(of: "raw.key")
        try key.cipherKey().write(toNewFile: keyFile)
        let text = try String(contentsOfFile: keyFile, encoding: .utf8).dropLast()
        let shell = SQLCipherShell(
            path: sample.path, key: .content(String(text)),
            settings: ["PRAGMA cipher_kdf_algorithm = \(hash.kdfName)"])
        #expect(try shell.cell("SELECT count(*) FROM t") == 270)
    }

    @Test("take a raw key's own salt, and not the file's")
    func rawKeyAndSalt() throws {
        let salt = try CipherSalt.random()
        let text = EncryptedSample.rawKey.dropLast() + salt.hexadecimal.uppercased() + "'"
        let sample = try EncryptedSample(.version(.v4), keyText: String(text))
        #expect(try sample.open().salt() == salt)
        try sample.change { $0[0] ^= 1 }
        let key = try sample.pageKey()
        #expect(key.salt == salt)
        #expect(try sample.open().survey(with: key).isSound)
    }

    @Test("need a salt")
    func noSalt() throws {
        let key = try EncryptedSample.key(EncryptedSample.rawKey)
        #expect(throws: DatabaseError.self) {
            try PageKey(key, fileSalt: nil, settings: .version(.v4))
        }
    }

    @Test("are the same for settings with the same derivation, without deriving again")
    func otherSettings() throws {
        let settings = try CipherSettings(kdfIterations: 1000, authentication: .hmac(.sha256))
        let sample = try EncryptedSample(settings, keyText: "passphrase")
        let tried = try CipherSettings(kdfIterations: 1000)
        #expect(tried.hasSameDerivation(as: settings))
        let wrong = try sample.open().salt().map {
            try PageKey(CipherKey(passphrase: "passphrase"), fileSalt: $0, settings: tried)
        }
        let key = try PageKey(try #require(wrong), settings: settings)
        #expect(try sample.open().survey(with: key).isSound)
    }
}
