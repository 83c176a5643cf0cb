import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// The options that describe a file as it is, and those that name what it is changed to.
@Suite struct SettingsOptionsTests {
    private static let passphrase = "open sesame"
    private static let salt = String(repeating: "0a", count: 16)

    private let fixture: CommandLineFixture
    private let path: String
    private let key: String

    init() throws {
        fixture = try CommandLineFixture()
        path = fixture.path("app.db")
        key = try fixture.directory.write(Self.passphrase + "\n", to: "app.key")
    }

    private func create(_ pragmas: String...) throws {
        try SQLCipherShell(
            path: path, key: .content(Self.passphrase), settings: pragmas.map { "PRAGMA \($0)" }
        ).create(CommandLineFixture.schema)
    }

    /// Every command that opens a database.
    private func commands() throws -> [[String]] {
        let repository = fixture.path("repository")
        if !FileManager.default.fileExists(atPath: repository) {
            #expect(try fixture.run("backup", "init", repository).exitCode == .done)
        }
        return [
            ["info", path], ["check", path], ["query", path, "SELECT count(*) FROM album"],
            ["doctor", path], ["decrypt", path, fixture.path("out.sqlite"), "--force"],
            ["copy", path, fixture.path("out.db"), "--force"],
            ["salvage", path, fixture.path("saved.db"), "--force"],
            ["backup", "create", path, "--to", repository],
        ]
    }

    private func expectOpen(_ options: [String]) throws {
        for words in try commands() {
            let run = try CommandRun(words + ["--key-file", key] + options)
            #expect(run.exitCode == .done, "\(words[0]) \(options): \(run.errors)")
        }
    }

    @Test("describe the file on every command", .proves("OPR-01"))
    func described() throws {
        try create(
            "cipher_kdf_algorithm = PBKDF2_HMAC_SHA256", "kdf_iter = 777",
            "cipher_page_size = 8192", "cipher_hmac_algorithm = HMAC_SHA1")
        let options = [
            "--kdf-algorithm", "sha256", "--kdf-iterations", "777", "--page-size", "8192", "--hmac",
            "sha1",
        ]
        try expectOpen(options)
        // What is not named is sought; what is found nowhere is refused.
        #expect(try CommandRun(["check", path, "--key-file", key]).exitCode == .wrongKey)
        let part = ["check", path, "--key-file", key, "--kdf-iterations", "777"]
        #expect(try CommandRun(part).exitCode == .done)
    }

    @Test("give a salt, or a file that has it", .proves("OPR-01"))
    func salts() throws {
        try create(
            "kdf_iter = 4000", "cipher_plaintext_header_size = 48",
            "cipher_salt = \"x'\(Self.salt)'\"")
        let digits = try fixture.directory.write(Self.salt + "\n", to: "app.salt")
        let header = ["--kdf-iterations", "4000", "--plaintext-header", "48"]
        try expectOpen(header + ["--salt", Self.salt])
        // The size of the header is found.
        let check = ["check", path, "--key-file", key, "--kdf-iterations", "4000"]
        #expect(try CommandRun(check + ["--salt", Self.salt]).exitCode == .done)
        try expectOpen(header + ["--salt-from", digits])
        let none = try CommandRun(
            ["check", path, "--key-file", key, "--salt-from", fixture.keyFile])
        #expect(none.exitCode == .failed && none.errors.contains("holds no salt"))
        let twice = ["--salt", Self.salt, "--cipher-settings", "salt=\(Self.salt)"]
        #expect(try CommandRun(["check", path, "--key-file", key] + twice).exitCode == .usage)
    }

    @Test("say that pages have no HMAC, which check then tells", .proves("OPR-01", "OPR-11"))
    func withoutHMAC() throws {
        try create("cipher_use_hmac = OFF", "kdf_iter = 4000")
        let options = ["--kdf-iterations", "4000", "--hmac", "none"]
        try expectOpen(options)
        let check = try CommandRun(["check", path, "--key-file", key] + options)
        #expect(check.output.contains("not examined: the pages"), "\(check.output)")
        #expect(!check.output.contains("cipher integrity"))
    }

    /// What `rotate-key` prints is typed again: then every command opens the file.
    @Test(
        "are printed by rotate-key where they are needed from then on", .proves("OPR-01", "OPR-11"),
        arguments: [
            ["--new-kdf-iterations", "4321"], ["--new-page-size", "8192", "--new-hmac", "none"],
            ["--new-compatibility", "3", "--new-kdf-iterations", "99"],
            ["--new-compatibility", "1"], ["--new-hmac", "sha256", "--new-kdf-iterations", "1"],
        ])
    func printed(change: [String]) throws {
        try create("kdf_iter = 4000")
        let words = ["rotate-key", path, "--key-file", key] + change
        let before = ["--kdf-iterations", "4000"]
        let plan = try CommandRun(words + before + ["--dry-run"])
        let run = try CommandRun(words + before)
        #expect(run.exitCode == .done, "\(run.errors)")
        let told = try #require(
            run.output.firstMatch(of: #/pass ((?:--[-a-z0-9]+ \w+ ?)+)to strongroom/#))
        #expect(plan.output.contains(told.1))
        let options = told.1.split(separator: " ").map(String.init)
        try expectOpen(options)
        // Run again, it is done already, also where the settings have to be found first, for which a
        // key is derived for each of many. With the options, another change starts from them.
        let again = try CommandRun(words + (change.last == "4321" ? [] : options))
        #expect(again.exitCode == .done && again.output.contains("already"), "\(again.errors)")
        let next = try CommandRun(
            ["rotate-key", path, "--key-file", key, "--new-compatibility", "4"]
                + ["--new-kdf-iterations", "4000"] + options)
        #expect(next.exitCode == .done, "\(next.errors)")
        let shell = SQLCipherShell(
            path: path, key: .content(Self.passphrase), settings: ["PRAGMA kdf_iter = 4000"])
        #expect(try shell.cell("SELECT count(*) FROM album") == 3)
    }

    @Test("of before still change the file, with a note, and describe it", .proves("OPR-01"))
    func oldNames() throws {
        try create("kdf_iter = 777")
        let words = ["rotate-key", path, "--key-file", key]
        // It has these settings: nothing is left to be done.
        let described = try CommandRun(words + ["--kdf-iterations", "777"])
        #expect(described.exitCode == .done && described.output.contains("already"))
        let run = try CommandRun(
            words + ["--cipher-settings", "kdf-iterations=777", "--compatibility", "4"])
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.errors.contains("--new-compatibility"))
        let shell = SQLCipherShell(path: path, key: .content(Self.passphrase))
        #expect(try shell.cell("SELECT count(*) FROM album") == 3)
        let new = try CommandRun(words + ["--page-size", "4096", "--new-page-size", "8192"])
        #expect(new.exitCode == .done && new.errors.isEmpty, "\(new.errors)")
    }

    @Test(
        "that are none are refused", .proves("OPR-01"),
        arguments: [
            ["--page-size", "1000"], ["--compatibility", "5"], ["--hmac", "md5"], ["--salt", "1"],
            ["--plaintext-header", "17"], ["--kdf-algorithm", "md5"], ["--kdf-iterations", "0"],
            ["--page-size", "4096", "--cipher-settings", "page-size=4096"],
        ])
    func refused(options: [String]) throws {
        for command in ["check", "info", "doctor"] {
            let run = try CommandRun([command, fixture.database] + options)
            #expect(run.exitCode == .usage, "\(command) \(options)")
        }
    }
}
