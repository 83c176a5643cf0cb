import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// `rotate-key` with other cipher settings.
@Suite struct RotationSettingsTests {
    private let fixture: CommandLineFixture
    private let newKey: String

    init() throws {
        fixture = try CommandLineFixture()
        newKey = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
    }

    private func count(_ path: String, _ key: String, _ settings: [String] = []) -> Bool {
        let shell = SQLCipherShell(path: path, key: .content(key), settings: settings)
        return (try? shell.cell("SELECT count(*) FROM album")) == 3
    }

    @Test(.proves("ENC-026"))
    func `settings change with the key, or alone, and a second run finds it done`() throws {
        let old = fixture.path("old.db")
        try SQLCipherShell(
            path: old, key: .content(CommandLineFixture.key),
            settings: ["PRAGMA cipher_compatibility = 3"]
        ).create(CommandLineFixture.schema)
        let words = ["rotate-key", old, "--key-file", fixture.keyFile]
        let alone = try CommandRun(words + ["--compatibility", "4"])
        #expect(alone.exitCode == .done)
        #expect(alone.output.hasPrefix("changed the cipher settings of \(old): "))
        #expect(count(old, CommandLineFixture.key))
        let rest = ["--new-key-file", newKey, "--page-size", "8192", "--hmac", "sha256", "--json"]
        let run = try CommandRun(words + rest)
        #expect(run.exitCode == .done && run.output.contains("\"outcome\":\"rotated\""))
        let settings = [
            "PRAGMA cipher_page_size = 8192", "PRAGMA cipher_hmac_algorithm = HMAC_SHA256",
        ]
        #expect(count(old, CommandLineFixture.otherKey, settings))
        let again = try CommandRun(words + rest)
        #expect(again.exitCode == .done && again.output.contains("\"outcome\":\"already\""))
        let back = try fixture.run(
            "rotate-key", old, "--key-file", newKey, "--compatibility", "4", "--dry-run")
        #expect(back.exitCode == .done)
        #expect(count(old, CommandLineFixture.otherKey, settings))
    }

    @Test(
        .proves("ENC-026"),
        arguments: [
            ["--page-size", "1000"], ["--page-size", "x"], ["--compatibility", "5"],
            ["--hmac", "md5"], ["--kdf-iterations", "0"],
        ])
    func `settings that are none are refused`(words: [String]) throws {
        let run = try CommandRun(
            ["rotate-key", fixture.database, "--key-file", fixture.keyFile] + words)
        #expect(run.exitCode == .usage)
        #expect(count(fixture.database, CommandLineFixture.key))
    }
}
