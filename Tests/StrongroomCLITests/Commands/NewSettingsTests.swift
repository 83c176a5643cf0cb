import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// The cipher settings that a new file gets.
@Suite struct NewSettingsTests {
    private static let passphrase = "open sesame, and stay so for a while"

    private let fixture: CommandLineFixture
    private let key: String

    init() throws {
        fixture = try CommandLineFixture()
        key = try fixture.directory.write(Self.passphrase + "\n", to: "app.key")
    }

    private func options(toldBy run: CommandRun) throws -> [String] {
        let told = try #require(
            run.output.firstMatch(of: #/pass ((?:--[-a-z0-9]+ \w+ ?)+)to strongroom/#),
            "\(run.output)")
        return told.1.split(separator: " ").map(String.init)
    }

    private func expectSound(_ path: String, _ options: [String]) throws {
        let run = try CommandRun(["check", path, "--key-file", key] + options)
        #expect(run.exitCode == .done, "\(options) \(run.errors)")
    }

    @Test(
        "are those of encrypt's options, and are told", .proves("OPR-01"),
        arguments: [
            ["--new-kdf-iterations", "4321"], ["--new-compatibility", "3"],
            ["--new-page-size", "8192", "--new-hmac", "sha256"],
            ["--new-kdf-algorithm", "sha256", "--new-kdf-iterations", "777"],
            ["--new-plaintext-header", "32"], ["--new-hmac", "none"],
            [
                "--new-plaintext-header", "48", "--new-salt",
                "0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a", "--new-kdf-iterations", "99",
            ],
        ])
    func encrypted(change: [String]) throws {
        let path = fixture.path("out.db")
        let run = try CommandRun(["encrypt", fixture.plain, path, "--key-file", key] + change)
        #expect(run.exitCode == .done, "\(run.errors)")
        let told = try options(toldBy: run)
        try expectSound(path, told)
        // What is told is needed, or found; nothing else opens it.
        let pragmas = try #require(run.output.firstMatch(of: #/and run (.+) in programs/#)).1
        let shell = SQLCipherShell(
            path: path, key: .content(Self.passphrase),
            settings: pragmas.split(separator: "; ").map(String.init))
        #expect(try shell.cell("SELECT count(*) FROM album") == 3)
        #expect(throws: (any Error).self) {
            try SQLCipherShell(path: path, key: .content(Self.passphrase))
                .cell("SELECT count(*) FROM album")
        }
    }

    @Test("are the source's in a copy, but for those that are named", .proves("OPR-01"))
    func copied() throws {
        let (path, copy) = (fixture.path("old.db"), fixture.path("new.db"))
        try SQLCipherShell(
            path: path, key: .content(Self.passphrase),
            settings: ["PRAGMA kdf_iter = 4000", "PRAGMA cipher_hmac_algorithm = HMAC_SHA1"]
        ).create(CommandLineFixture.schema)
        let run = try CommandRun(
            ["copy", path, copy, "--key-file", key, "--new-page-size", "8192", "--json"])
        #expect(run.exitCode == .done, "\(run.errors)")
        let object = run.json as? [String: Any]
        let words = try #require(object?["cipherSettings"] as? String)
        #expect(words == "kdf-iterations=4000,page-size=8192,hmac=sha1")
        try expectSound(copy, ["--cipher-settings", words])
        #expect(object?["pageSize"] as? Int == 8192)
        // Without a word, a copy is like its source.
        let same = fixture.path("same.db")
        #expect(try CommandRun(["copy", path, same, "--key-file", key]).exitCode == .done)
        try expectSound(same, ["--kdf-iterations", "4000", "--hmac", "sha1"])
    }

    @Test("can change the hash of the passphrase in place", .proves("OPR-01"))
    func algorithm() throws {
        let path = fixture.path("app.db")
        try SQLCipherShell(
            path: path, key: .content(Self.passphrase), settings: ["PRAGMA kdf_iter = 4000"]
        ).create(CommandLineFixture.schema)
        let words = ["rotate-key", path, "--key-file", key, "--new-kdf-algorithm", "sha1"]
        let run = try CommandRun(words)
        #expect(run.exitCode == .done, "\(run.errors)")
        try expectSound(path, try options(toldBy: run))
        #expect(try CommandRun(words).output.contains("already"))
        let shell = SQLCipherShell(
            path: path, key: .content(Self.passphrase),
            settings: ["PRAGMA kdf_iter = 4000", "PRAGMA cipher_kdf_algorithm = PBKDF2_HMAC_SHA1"])
        #expect(try shell.cell("SELECT count(*) FROM album") == 3)
    }

    @Test("that cannot be are refused, and leave nothing", .proves("OPR-01"))
    func refused() throws {
        let path = fixture.path("out.db")
        for (options, word) in [
            (["--new-salt", "0a"], "32 hexadecimal digits"),
            (["--new-salt", String(repeating: "0a", count: 16)], "plaintext header"),
            (["--new-page-size", "512"], "page"),
            (["--new-plaintext-header", "33"], "multiple of 16"),
            (["--new-kdf-algorithm", "md5"], "sha512, sha256 or sha1"),
            (["--page-size", "8192"], "--new-page-size"),
        ] {
            let run = try CommandRun(["encrypt", fixture.plain, path, "--key-file", key] + options)
            #expect(run.exitCode != .done && run.errors.contains(word), "\(options) \(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }
}
