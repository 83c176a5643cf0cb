import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Keyrings of files that are made: `--keyring`.
@Suite struct ResultKeyringTests {
    private let fixture: CommandLineFixture
    private let out: String
    private let newKey: String

    init() throws {
        fixture = try CommandLineFixture()
        out = fixture.path("out.db")
        newKey = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
    }

    private var hasKeyring: Bool { FileManager.default.fileExists(atPath: out + "-keyring") }

    private func count(_ words: String...) throws -> String? {
        let run = try CommandRun(["query", out, "SELECT count(*) FROM album", "--csv"] + words)
        return run.output.split(whereSeparator: \.isNewline).last.map(String.init)
    }

    @Test("encrypt, copy and salvage make a keyring for OUT", .proves("KSL-037"))
    func made() throws {
        for words in [
            ["encrypt", fixture.plain, out, "--key-file", newKey],
            [
                "copy", fixture.database, out, "--key-file", fixture.keyFile, "--new-key-file",
                newKey,
            ],
            [
                "salvage", fixture.database, out, "--key-file", fixture.keyFile, "--new-key-file",
                newKey,
            ],
        ] {
            let run = try CommandRun(words + ["--keyring"])
            #expect(run.exitCode == .done, "\(words): \(run.errors)")
            #expect(try count("--key-file", newKey) == "3")
            // The key opens the keyring, and not the file: that has a random one.
            #expect(try count("--key-file", newKey, "--no-keyring") == nil)
            let shell = SQLCipherShell(path: out, key: .content(CommandLineFixture.otherKey))
            #expect(throws: SQLCipherShell.Failure.self) { try shell.cell("SELECT 1 FROM album") }
            let list = try CommandRun(["key", "list", out, "--json"])
            #expect(list.output.contains("\"new\""))
            for path in [out, out + "-keyring"] { try FileManager.default.removeItem(atPath: path) }
        }
    }

    @Test("settings of the source are kept, and known to the keyring", .proves("KSL-037"))
    func settings() throws {
        let other = fixture.path("other.db")
        let made = try CommandRun([
            "encrypt", fixture.plain, other, "--key-file", fixture.keyFile, "--new-page-size",
            "8192",
        ])
        #expect(made.exitCode == .done, "\(made.errors)")
        let run = try CommandRun([
            "copy", other, out, "--key-file", fixture.keyFile, "--new-key-file", newKey,
            "--keyring",
        ])
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(try count("--key-file", newKey) == "3")
        let info = try CommandRun(["info", out, "--key-file", newKey, "--json"])
        #expect((info.json as? [String: Any])?["pageSize"] as? Int == 8192)
    }

    @Test("what fails leaves no keyring, and what is there is not replaced", .proves("KSL-037"))
    func failures() throws {
        let words = ["encrypt", fixture.plain, out, "--key-file", newKey, "--keyring"]
        let world = CommandRun.World()
        world.cancellation.cancel()
        #expect(try CommandRun(words, in: world).exitCode != .done)
        #expect(!hasKeyring && !FileManager.default.fileExists(atPath: out))
        for more in [["--new-page-size", "8192"]] {
            #expect(try CommandRun(words + more).exitCode == .usage)
        }
        #expect(
            try CommandRun([
                "copy", fixture.database, out, "--key-file", fixture.keyFile, "--keyring",
            ])
            .exitCode == .usage)
        #expect(try CommandRun(words).exitCode == .done)
        let keyring = try Data(contentsOf: URL(fileURLWithPath: out + "-keyring"))
        // Another file in its place would not open by it.
        for words in [
            words + ["--force"], ["encrypt", fixture.plain, out, "--key-file", newKey, "--force"],
            ["copy", fixture.database, out, "--key-file", fixture.keyFile, "--force"],
            ["decrypt", fixture.database, out, "--key-file", fixture.keyFile, "--force"],
            ["salvage", fixture.database, out, "--key-file", fixture.keyFile, "--force"],
        ] {
            let run = try CommandRun(words)
            #expect(run.exitCode == .failed, "\(words): \(run.errors)")
            #expect(run.errors.contains("has a keyring"))
        }
        #expect(try count("--key-file", newKey) == "3")
        #expect(try Data(contentsOf: URL(fileURLWithPath: out + "-keyring")) == keyring)
        // As a run leaves it that was killed between the two, or whoever has moved the database alone.
        try FileManager.default.removeItem(atPath: out)
        let run = try CommandRun(words)
        #expect(run.exitCode == .failed)
        #expect(run.errors.contains("without its database"))
        #expect(run.errors.contains("remove \(out)-keyring"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: out + "-keyring")) == keyring)
    }

    @Test("a copy with its keyring is replaced by a later one", .proves("KSL-037"))
    func laterCopy() throws {
        let source = try KeyringFixture()
        let copy = source.files.path("copy.db")
        #expect(try source.run(["copy", source.database, copy], source.code).exitCode == .done)
        #expect(try source.run(["rotate-key", source.database], source.code).exitCode == .done)
        let again = try source.run(["copy", source.database, copy, "--force"], source.code)
        #expect(again.exitCode == .done, "\(again.errors)")
        #expect(try source.run(["check", copy], KeyringFixture.anna).exitCode == .done)
    }
}
