import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// What `doctor` and `info` say of a keyring.
@Suite struct KeyringDoctorTests {
    private let fixture: KeyringFixture

    init() throws {
        fixture = try KeyringFixture()
    }

    private var keyring: URL { URL(fileURLWithPath: fixture.database + "-keyring") }

    private func doctor(_ secret: String? = KeyringFixture.anna) throws -> CommandRun {
        let words = ["doctor", fixture.database]
        return try secret.map { try fixture.run(words, $0) } ?? CommandRun(words)
    }

    private func members(_ run: CommandRun) throws -> [String: Any] {
        try #require(run.json as? [String: Any])
    }

    @Test("info shows the keyring and the age of the key, and no recipient", .proves("KSL-055"))
    func info() throws {
        let text = try fixture.run(["info", fixture.database], fixture.code)
        #expect(text.exitCode == .done)
        #expect(
            text.output.contains(
                "4 slots (1 passphrase, 1 key file, 1 recovery code, 1 age identity)"))
        #expect(text.output.contains("revision 6") && !text.output.contains("age1"))
        let json = try fixture.run(["info", fixture.database, "--json"], fixture.code)
        let keyring = try #require(try members(json)["keyring"] as? [String: Any])
        #expect(keyring["revision"] as? Int == 6)
        #expect(
            keyring["slots"] as? [String: Int]
                == ["passphrase": 1, "keyFile": 1, "recovery": 1, "recipient": 1])
        #expect(keyring["keyOrigin"] as? String == "rotated")
        let plain = try CommandLineFixture()
        let none = try plain.runOnDatabase("info", "--json")
        #expect(try members(none)["keyring"] is NSNull)
    }

    @Test("doctor names a sound keyring, with and without a secret", .proves("KSL-054"))
    func sound() throws {
        let run = try doctor()
        #expect(run.exitCode == .done, "\(run.output)")
        #expect(run.output.contains("keyring: ") && run.output.contains("4 slots"))
        let without = try doctor(nil)
        #expect(without.exitCode == .keyNeeded && without.output.contains("keyring: "))
        // The holder of the identity has never vouched for it.
        let identity = try doctor(KeyringFixture.identity)
        #expect(identity.exitCode == .done && identity.errors.contains("for the first time"))
    }

    @Test("a damaged keyring, and one of another database", .proves("KSL-054", "KSL-056"))
    func wrongKeyrings() throws {
        let sound = try Data(contentsOf: keyring)
        try (sound + Data("x".utf8)).write(to: keyring)
        for secret in [KeyringFixture.anna, nil] {
            let damaged = try doctor(secret)
            #expect(damaged.exitCode == .damaged, "\(damaged.output)")
            #expect(damaged.output.contains("keyring: "))
        }
        let other = try KeyringFixture()
        try Data(contentsOf: URL(fileURLWithPath: other.database + "-keyring")).write(to: keyring)
        let foreign = try doctor()
        #expect(foreign.exitCode == .foreignKeyring, "\(foreign.output)")
        #expect(foreign.exitCode.rawValue == 20)
        try sound.write(to: keyring)
        #expect(try doctor().exitCode == .done)
    }

    @Test(
        "a file that its own key opens is not sound beside a keyring that does not have that key",
        .proves("OPR-158"))
    func strangerBesideRawKey() throws {
        let files = try CommandLineFixture()
        let ownKey = files.path("own.key")
        let rotation = try CommandRun(
            [
                "rotate-key", files.database, "--key-file", files.keyFile, "--new-key-generate",
                ownKey,
            ])
        #expect(rotation.exitCode == .done, "\(rotation.errors)")
        let keyring = URL(fileURLWithPath: files.database + "-keyring")
        try Data(contentsOf: URL(fileURLWithPath: fixture.database + "-keyring"))
            .write(to: keyring)
        let words = ["doctor", files.database, "--key-file", ownKey]
        let foreign = try CommandRun(words)
        #expect(foreign.exitCode == .foreignKeyring, "\(foreign.output)")
        #expect(foreign.output.contains("does not have it"), "\(foreign.output)")
        #expect(foreign.output.contains("sound, but not its keyring"), "\(foreign.output)")
        let json = try CommandRun(words + ["--json"])
        #expect((json.json as? [String: Any])?["exitCode"] as? Int == 20, "\(json.output)")
        try FileManager.default.removeItem(at: keyring)
        #expect(try CommandRun(words).exitCode == .done)
        // The key that the keyring has, without a slot of its own.
        let key = files.path("exported.key")
        let export = try fixture.run(
            ["key", "export", fixture.database, "--out", key], fixture.code)
        #expect(export.exitCode == .done, "\(export.errors)")
        let own = try CommandRun(["doctor", fixture.database, "--key-file", key])
        #expect(own.exitCode == .done, "\(own.output)")
    }

    @Test(
        "a file from before the last rotation, and a mistyped secret", .proves("KSL-054", "KSL-056")
    )
    func oldFile() throws {
        let old = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
        #expect(try fixture.run(["rotate-key", fixture.database], fixture.code).exitCode == .done)
        try old.write(to: URL(fileURLWithPath: fixture.database))
        let run = try doctor()
        #expect(run.exitCode == .outdatedFile && run.exitCode.rawValue == 21, "\(run.output)")
        #expect(try doctor("no such passphrase").exitCode == .wrongKey)
    }

    @Test(
        "a rotation that was interrupted is sound, and said",
        .mayTrace, .proves("KSL-054"))
    func interrupted() throws {
        try fixture.interruptRotation()
        for secret in [KeyringFixture.anna, fixture.code] {
            let run = try doctor(secret)
            #expect(run.exitCode == .done && run.output.contains("interrupted"), "\(run.output)")
        }
        let json = try fixture.run(["doctor", fixture.database, "--json"], fixture.code)
        let found = try #require(try members(json)["keyring"] as? [String: Any])
        #expect((found["summary"] as? [String: Any])?["isChangingKey"] as? Bool == true)
    }

    @Test(
        "a file that was cut off is diagnosed and salvaged with a secret of its keyring",
        .proves("OPR-102"), arguments: [0, 1000])
    func truncated(beyondPage: Int) throws {
        let insertion = """
            CREATE TABLE t AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300)
            SELECT i, randomblob(500) AS b FROM n
            """
        let write = try fixture.run(
            ["query", fixture.database, insertion, "--write"], fixture.code)
        #expect(write.exitCode == .done, "\(write.errors)")
        #expect(truncate(fixture.database, off_t(20 * 4096 + beyondPage)) == 0)
        let run = try doctor()
        #expect(run.output.contains("truncated"), "\(run.output)")
        #expect(!run.output.contains("wrong key"), "\(run.output)")
        let out = fixture.files.path("salvaged.db")
        let salvage = try fixture.run(["salvage", fixture.database, out], fixture.code)
        #expect(salvage.exitCode == .damaged, "\(salvage.errors)")
        let count = try fixture.run(
            ["query", out, "SELECT count(*) > 50 FROM t", "--csv"], fixture.code)
        #expect(count.output.split(whereSeparator: \.isNewline).last == "1", "\(count.errors)")
    }

    @Test("the log of another database hides the key from nobody", .proves("OPR-102"))
    func foreignLog() throws {
        try Data(repeating: 7, count: 9000)
            .write(to: URL(fileURLWithPath: fixture.database + "-wal"))
        let run = try doctor()
        #expect(!run.output.contains("wrong key"), "\(run.output)")
        #expect(run.output.contains("-wal"), "\(run.output)")
    }

    @Test("several files are each opened by their own keyring", .proves("KSL-054"))
    func several() throws {
        let plain = try CommandLineFixture()
        let run = try CommandRun([
            "doctor", fixture.database, plain.database, "--key-file", plain.keyFile,
        ])
        #expect(run.exitCode == .done, "\(run.output)\(run.errors)")
    }
}

extension KeyringFixture {
    /// Begins a rotation that is killed after the keyring with both keys has its name, and before the new
    /// file has its: the second file that is renamed.
    func interruptRotation() throws {
        let run = try Subprocess.run(
            "strace",
            [
                "-f", "-qq", "-o", "/dev/null",
                "-e", "inject=?rename,?renameat,?renameat2:signal=KILL:when=2",
                PackageFiles.program("strongroom"), "rotate-key", database, "--key-env", "KEY",
            ],
            environment: ["PATH": "/usr/bin:/bin", "KEY": code],
            workingDirectory: files.directory.path)
        try #require(!run.isSuccess)
    }
}
