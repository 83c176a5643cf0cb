import Foundation
import StrongroomTestSupport
import Testing

@testable import StrongroomCore

@Suite("Rotating a key page by page")
struct PageRotationTests {
    private static let newText = RotationFixture.newText

    @Test("does its steps in the written order, which a file of the project keeps")
    func order() throws {
        var fixture = try RotationFixture(wal: true)
        let journal = CallJournal()
        fixture.file.fileSystem = journal.fileSystem
        journal.start()
        try fixture.file.rotateKey(to: fixture.newKey)
        let path = PackageFiles.path(of: "Tests/Golden/Rotation/calls.txt")
        let golden = try String(contentsOfFile: path, encoding: .utf8)
        #expect(journal.calls.joined(separator: "\n") + "\n" == golden)
    }

    @Test("works on any number of threads, and of chunks", arguments: [1, 2, 5])
    func threads(count: Int) throws {
        let fixture = try RotationFixture(rowByteCount: 1500)
        let ends = "SELECT rowid, length(a), substr(a, 1, 9), substr(a, -9) FROM t"
        let rows = try fixture.shell(RotationFixture.oldText).rows(ends)
        let report = try fixture.file.rotateKey(to: fixture.newKey, threads: count)
        #expect(report.byteCount > 5 << 20)
        #expect(report.byteCount == Int64(try fixture.content().count))
        let shell = fixture.shell(Self.newText)
        #expect(try shell.rows(ends) == rows)
        #expect(try shell.cell("PRAGMA integrity_check") == "ok")
        #expect(try shell.rows("PRAGMA cipher_integrity_check") == [])
    }

    @Test(
        "keeps the settings that the app gives",
        arguments: [
            ["PRAGMA cipher_page_size = 8192"], ["PRAGMA cipher_use_hmac = OFF"],
            ["PRAGMA cipher_compatibility = 3"], ["PRAGMA cipher_hmac_algorithm = HMAC_SHA256"],
            [
                "PRAGMA cipher_plaintext_header_size = 32",
                "PRAGMA cipher_salt = \"x'000102030405060708090a0b0c0d0e0f'\"",
            ],
            // The listing of the settings does not have it: SQLite copies the pages.
            ["PRAGMA fast_kdf_iter = 5"],
        ])
    func settings(pragmas: [String]) throws {
        let fixture = try RotationFixture(settings: pragmas)
        let old = fixture.shell(RotationFixture.oldText, settings: pragmas)
        let rows = try old.rows("SELECT rowid, * FROM t; PRAGMA user_version")
        try fixture.file.rotateKey(to: fixture.newKey)
        let new = fixture.shell(Self.newText, settings: pragmas)
        #expect(try new.rows("SELECT rowid, * FROM t; PRAGMA user_version") == rows)
        #expect(try new.cell("PRAGMA integrity_check") == "ok")
        #expect(throws: SQLCipherShell.Failure.self) { try old.rows("SELECT * FROM t") }
    }

    /// Zeros in the file, which SQLCipher's check lists and its `rekey` fails on.
    @Test("takes pages along that SQLite has never written")
    func blankPages() throws {
        let sample = try EncryptedSample(.version(.v4), sql: DamagedPageSourceTests.blankPageSQL)
        let listed = try sample.shell.rows("PRAGMA cipher_integrity_check").count
        try #require(listed > 0)
        let file = DatabaseFile(path: sample.path, key: try EncryptedSample.key(sample.keyText))
        try file.rotateKey(to: EncryptedSample.key(EncryptedSample.otherRawKey))
        let shell = SQLCipherShell(path: sample.path, key: .content(EncryptedSample.otherRawKey))
        #expect(try shell.cell("PRAGMA integrity_check") == "ok")
        #expect(try shell.cell("SELECT count(*) FROM u") == 2)
        #expect(try shell.rows("PRAGMA cipher_integrity_check").count == listed)
    }

    @Test("refuses a damaged file, names the page, and leaves it as it is")
    func damage() throws {
        let fixture = try RotationFixture()
        var content = try fixture.content()
        content[7 * 4096 + 100] ^= 1
        try content.write(to: URL(fileURLWithPath: fixture.file.path))
        let error = #expect(throws: DatabaseFileError.self) {
            try fixture.file.rotateKey(to: fixture.newKey)
        }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("page 8") == true)
        #expect(try fixture.content() == content)
        #expect(try fixture.folder.names() == ["app.db"])
    }

    @Test("keeps extended attributes and access control lists", .enabled(if: Attributes.work))
    func attributes() throws {
        let fixture = try RotationFixture()
        let value = Array("of the shop".utf8)
        try Attributes.set("user.label", value, fixture.file.path)
        try FileSystem.system.changeMode(fixture.file.path, 0o640)
        try fixture.file.rotateKey(to: fixture.newKey)
        #expect(Attributes.get("user.label", fixture.file.path) == value)
        #expect(try FileSystem.system.status(fixture.file.path).mode == 0o640)
    }
}
