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

    private func settings(of run: CommandRun) throws -> String {
        try #require(
            run.output.firstMatch(of: #/pass (--[^,]+) to strongroom, and run/#).map {
                String($0.1)
            })
    }

    /// The passphrase is hashed seldom: the tests have no time for more.
    @Test(.proves("OPR-01"), arguments: [true, false])
    func `whatever settings a rotation gives, every command opens the file afterwards`(
        hasPassphrase: Bool
    ) throws {
        let path = fixture.path("app.db")
        let passphrase = "correct horse battery staple"
        let keyText = hasPassphrase ? passphrase : CommandLineFixture.key
        let key = try fixture.directory.write(keyText + "\n", to: "app.key")
        try SQLCipherShell(
            path: path, key: .content(keyText), settings: ["PRAGMA kdf_iter = 4000"]
        ).create(CommandLineFixture.schema)
        let words = ["--key-file", key]
        let change = ["--page-size", "8192", "--hmac", "sha256", "--kdf-iterations", "4321"]
        let run = try CommandRun(["rotate-key", path] + words + change)
        #expect(run.exitCode == .done, "\(run.errors)")
        let named = try settings(of: run)
        #expect(named == "--kdf-iterations 4321 --page-size 8192 --hmac sha256")
        let again = try CommandRun(["rotate-key", path] + words + change)
        #expect(again.exitCode == .done && again.output.contains("already"), "\(again.errors)")
        let repository = fixture.path("repository")
        #expect(try fixture.run("backup", "init", repository).exitCode == .done)
        let iterations = hasPassphrase ? ["--cipher-settings", "kdf-iterations=4321"] : []
        for given in [named.split(separator: " ").map(String.init), iterations] {
            for (command, rest) in [
                ("info", []), ("check", []), ("query", ["SELECT count(*) FROM album"]),
                ("decrypt", ["out.sqlite"]), ("copy", ["out.db"]), ("salvage", ["saved.db"]),
            ] {
                let rest = rest.map { $0.hasPrefix("SELECT") ? $0 : fixture.path($0) }
                let force = rest.isEmpty || command == "query" ? [] : ["--force"]
                let run = try CommandRun([command, path] + rest + words + given + force)
                #expect(run.exitCode == .done, "\(command) \(given): \(run.errors)")
            }
            let backup = ["backup", "create", path, "--to", repository]
            #expect(try CommandRun(backup + words + given).exitCode == .done)
            #expect(try CommandRun(["doctor", path] + words + given).exitCode != .wrongKey)
        }
        // The key alone changes, and the settings stay: they are still told.
        let next = try CommandRun(
            ["rotate-key", path, "--new-key-file", newKey] + words + iterations)
        #expect(next.exitCode == .done, "\(next.errors)")
        #expect(
            try CommandRun(["check", path, "--key-file", newKey] + iterations).exitCode == .done)
    }

    @Test(.proves("OPR-01"))
    func `settings that a database is said to have are refused if they are none`() throws {
        for list in ["", "page-size", "page-size=1000", "salt=1", "hmac=md5"] {
            let run = try fixture.runOnDatabase("check", "--cipher-settings", list)
            #expect(run.exitCode == .usage, "\(list)")
        }
        // Right or wrong, those that are found count.
        let run = try fixture.runOnDatabase("check", "--cipher-settings", "page-size=8192")
        #expect(run.exitCode == .done)
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
