import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("Cipher settings that change with the key")
struct SettingsRotationTests {
    private static let newText = RotationFixture.newText

    private struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let old: [String]
        let change: CipherChange
        let new: [String]
    }

    private static let cases = [
        Case(
            testDescription: "SQLCipher 3 to 4", old: ["PRAGMA cipher_compatibility = 3"],
            change: CipherChange(compatibility: 4), new: []),
        Case(
            testDescription: "larger pages", old: [], change: CipherChange(pageSize: 16384),
            new: ["PRAGMA cipher_page_size = 16384"]),
        Case(
            testDescription: "a smaller HMAC, where SQLite leaves room for it", old: [],
            change: CipherChange(hmac: .sha256), new: ["PRAGMA cipher_hmac_algorithm = HMAC_SHA256"]
        ),
        Case(
            testDescription: "no HMAC", old: [], change: CipherChange(hmac: CipherChange.HMAC.none),
            new: ["PRAGMA cipher_use_hmac = OFF"]),
        Case(
            testDescription: "an HMAC where there was none",
            old: ["PRAGMA cipher_compatibility = 1"],
            change: CipherChange(hmac: .sha1), new: ["PRAGMA cipher_compatibility = 2"]),
    ]

    @Test(
        "change everything that is asked for, and nothing else", .proves("ENC-026"),
        arguments: cases)
    private func change(_ example: Case) throws {
        let fixture = try RotationFixture(wal: true, settings: example.old)
        let old = fixture.shell(RotationFixture.oldText, settings: example.old)
        let question = """
            PRAGMA user_version; PRAGMA journal_mode; PRAGMA encoding; PRAGMA auto_vacuum;
            SELECT rowid, * FROM t; SELECT * FROM sqlite_schema WHERE type <> 'table';
            """
        let rows = try old.rows(question)
        try fixture.file.rotateKey(to: fixture.newKey, changing: example.change)
        let new = fixture.shell(Self.newText, settings: example.new)
        #expect(try new.rows(question) == rows)
        #expect(try new.cell("PRAGMA integrity_check") == "ok")
        if example.change.hmac != CipherChange.HMAC.none {
            #expect(try new.rows("PRAGMA cipher_integrity_check") == [])
        }
        #expect(throws: SQLCipherShell.Failure.self) { try old.rows("SELECT * FROM t") }
        #expect(try fixture.folder.names() == ["app.db"])
    }

    @Test("are found where the configuration says nothing", .proves("ENC-026"))
    func found() throws {
        let sample = try EncryptedSample(.version(.v2), keyText: "correct horse")
        let rows = try sample.shell.rows(EncryptedSample.question)
        let newKey = try EncryptedSample.key(Self.newText)
        try sample.file().rotateKey(to: newKey, changing: CipherChange(compatibility: 4))
        let shell = SQLCipherShell(path: sample.path, key: .content(Self.newText))
        #expect(try shell.rows(EncryptedSample.question) == rows)
    }

    @Test("change alone, too: the number of iterations of a passphrase", .proves("ENC-026"))
    func sameKey() throws {
        let sample = try EncryptedSample(.version(.v4), keyText: "correct horse")
        let rows = try sample.shell.rows(EncryptedSample.question)
        let file = try sample.file()
        try file.rotateKey(to: #require(file.key), changing: CipherChange(kdfIterations: 300_000))
        let settings = ["PRAGMA kdf_iter = 300000"]
        let shell = SQLCipherShell(
            path: sample.path, key: .content("correct horse"), settings: settings)
        #expect(try shell.rows(EncryptedSample.question) == rows)
        #expect(throws: SQLCipherShell.Failure.self) { try sample.shell.rows("SELECT * FROM t") }
    }

    @Test("keep everything that SQLite can tell, where rows are written", .proves("ENC-026"))
    func kitchenSink() throws {
        let folder = try TemporaryDirectory()
        let plain = folder.path(of: "plain.db")
        try DelicateDatabase.create(at: plain)
        let key = try EncryptedSample.key(RotationFixture.oldText)
        let path = folder.path(of: "app.db")
        try DatabaseFile(path: plain).transfer(to: DatabaseFile(path: path, key: key))
        let old = SQLCipherShell(path: path, key: .content(RotationFixture.oldText))
        let content = try DelicateDatabase.content(old)
        try DatabaseFile(path: path, key: key)
            .rotateKey(
                to: EncryptedSample.key(Self.newText), changing: CipherChange(pageSize: 8192))
        let new = SQLCipherShell(
            path: path, key: .content(Self.newText), settings: ["PRAGMA cipher_page_size = 8192"])
        #expect(try DelicateDatabase.content(new) == content)
    }

    @Test("leave the file as it is when they cannot be", .proves("ENC-026"))
    func refused() throws {
        let fixture = try RotationFixture()
        let before = try fixture.content()
        for change in [
            CipherChange(pageSize: 1000), CipherChange(compatibility: 7),
            CipherChange(kdfIterations: 0), CipherChange(pageSize: 512, hmac: .sha512),
        ] {
            #expect(throws: DatabaseFileError.self) {
                try fixture.file.rotateKey(to: fixture.newKey, changing: change)
            }
        }
        #expect(throws: CancellationError.self) {
            try fixture.file.rotateKey(
                to: fixture.newKey, changing: CipherChange(pageSize: 8192)
            ) { progress in
                if progress.phase == .verifying { throw CancellationError() }
            }
        }
        #expect(try fixture.content() == before)
        #expect(try fixture.folder.names() == ["app.db"])
    }
}
