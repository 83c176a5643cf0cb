import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// New passphrases that are found by guessing.
@Suite struct NewPassphraseTests {
    private let fixture: CommandLineFixture

    init() throws {
        fixture = try CommandLineFixture()
    }

    private func encrypt(_ passphrase: String, _ words: String...) throws -> CommandRun {
        try CommandRun(
            ["encrypt", fixture.plain, fixture.path("new.db")] + words,
            in: CommandRun.World(answers: [passphrase, passphrase]))
    }

    @Test(
        "a weak one is refused before it is asked for again", .proves("OPR-14"),
        arguments: [
            "x", "swordfish", "Summer2026!", "qwertyuiop", "aaaaaaaaaaaaaaaa", "1234567890",
            "password123", "two words",
        ])
    func weak(passphrase: String) throws {
        let run = try encrypt(passphrase)
        #expect(run.exitCode == .failed)
        #expect(run.errors.contains("the new passphrase is weak: about "))
        #expect(run.errors.contains(" bits ("))
        #expect(run.errors.contains("--allow-weak-passphrase"))
        #expect(!run.errors.contains(passphrase) || passphrase == "x")
        #expect(!run.errors.contains("The same again"))
        #expect(!(try fixture.directory.names().contains("new.db")))
    }

    @Test(
        "one that withstands guessing is taken", .proves("OPR-14"),
        arguments: ["correct horse battery staple", "kqjzhvwpxnbm", "Vq7#kf92!xZr"])
    func strong(passphrase: String) throws {
        let run = try encrypt(passphrase)
        #expect(run.exitCode == .done, "\(run.errors)")
    }

    @Test("who insists gets a weak one", .proves("OPR-14"))
    func insisting() throws {
        let run = try encrypt("x", "--allow-weak-passphrase")
        #expect(run.exitCode == .done)
        let shell = SQLCipherShell(path: fixture.path("new.db"), key: .content("x"))
        #expect(try shell.cell("SELECT count(*) FROM album") == 3)
    }

    @Test("one that no person types is warned of, and a key that exists is not", .proves("OPR-14"))
    func warning() throws {
        let file = try fixture.directory.write("swordfish\n", to: "weak.key")
        let made = try fixture.run(
            "encrypt", fixture.plain, fixture.path("new.db"), "--key-file", file)
        #expect(made.exitCode == .done)
        #expect(made.errors.contains("warning: the new passphrase is weak"))
        let opened = try fixture.run("info", fixture.path("new.db"), "--key-file", file)
        #expect(!opened.errors.contains("weak"))
    }
}
