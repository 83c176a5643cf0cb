import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Commands that open a database, where a keyring stands.
@Suite struct KeyringCommandTests {
    private let fixture: KeyringFixture

    init() throws {
        fixture = try KeyringFixture()
    }

    @Test("what is given as a key is read by its form, and opens the keyring", .proves("KSL-050"))
    func forms() throws {
        let own = try fixture.exportedKey()
        #expect(own.count == 99)
        let loose = fixture.code.lowercased().replacing("-", with: " ")
        for secret in [
            CommandLineFixture.key, KeyringFixture.anna, KeyringFixture.identity, fixture.code,
            loose, own,
        ] { #expect(try fixture.opens(secret)) }
        let file = try fixture.files.directory.write(
            "# created: today\n# public key: \(KeyringFixture.recipient)\n\(KeyringFixture.identity)\n",
            to: "ops.txt")
        let run = try fixture.files.run("check", fixture.database, "--key-file", file)
        #expect(run.exitCode == .done)
        // Nobody has vouched for it with this identity.
        #expect(run.errors.contains("warning: ") && run.errors.contains("ed25519:"))
    }

    @Test("each command that opens a database takes a way in", .proves("KSL-050"))
    func commands() throws {
        let files = fixture.files
        let repository = files.path("repository")
        #expect(try files.run("backup", "init", repository).exitCode == .done)
        for words in [
            ["info", files.database], ["check", files.database], ["doctor", files.database],
            ["decrypt", files.database, files.path("plain")],
            ["copy", files.database, files.path("copy.db")],
            ["salvage", files.database, files.path("salvaged.db")],
            ["schema", "swift", files.database],
            ["backup", "create", files.database, "--to", repository],
        ] {
            let run = try fixture.run(words, KeyringFixture.anna)
            #expect(run.exitCode == .done, "\(words): \(run.errors)")
        }
        // A copy with the same key has the same ways in.
        for name in ["copy.db", "salvaged.db"] {
            let run = try fixture.run(["check", files.path(name)], fixture.code)
            #expect(run.exitCode == .done, "\(name): \(run.errors)")
        }
    }

    @Test("what was begun and not ended is said, with the command that ends it", .proves("OPR-103"))
    func half() throws {
        // Somebody has it open: the slot goes, and the key stays.
        let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: fixture.database))
        let run = try fixture.run(
            ["key", "remove", fixture.database, "anna", "--rotate"], fixture.code)
        try reader.close()
        #expect(run.exitCode == .inUse, "\(run.errors)")
        #expect(run.errors.contains("strongroom rotate-key"), "\(run.errors)")
        #expect(try fixture.opens(fixture.code))
        let kept = try CommandLineFixture()
        let words = ["key", "init", kept.database, "--key-file", kept.keyFile]
        #expect(try CommandRun(words + ["--keep-key"]).exitCode == .done)
        let again = try CommandRun(words)
        #expect(again.exitCode == .failed)
        #expect(again.errors.contains("strongroom rotate-key"), "\(again.errors)")
    }

    @Test("--no-keyring goes past the keyring, and --slot tries one slot", .proves("KSL-050"))
    func options() throws {
        let own = try fixture.exportedKey()
        #expect(try fixture.count(own, "--no-keyring").exitCode == .done)
        #expect(try fixture.count(KeyringFixture.anna, "--no-keyring").exitCode == .wrongKey)
        #expect(try fixture.count(KeyringFixture.anna, "--slot", "anna").exitCode == .done)
        #expect(try fixture.count(KeyringFixture.anna, "--slot", "ops").exitCode == .wrongKey)
        let unknown = try fixture.count(KeyringFixture.anna, "--slot", "nobody")
        #expect(unknown.exitCode == .failed && unknown.errors.contains("“nobody”"))
        let plain = try CommandLineFixture()
        let without = try plain.runOnDatabase("info", "--slot", "anna")
        #expect(without.exitCode == .usage)
    }

    @Test("the prompt names what may be typed, and only where a keyring stands", .proves("KSL-050"))
    func prompt() throws {
        var world = CommandRun.World()
        world.answers = [KeyringFixture.anna]
        let run = try fixture.files.run("check", fixture.database, world: world)
        #expect(run.exitCode == .done)
        #expect(run.errors.contains("Passphrase, key or recovery code of \(fixture.database): "))
        let plain = try CommandLineFixture()
        world.answers = [CommandLineFixture.key]
        let other = try plain.run("check", plain.database, world: world)
        #expect(other.errors.contains("\nKey of") || other.errors.hasPrefix("Key of"))
    }

    @Test("of several key files, the one that opens the keyring is found", .proves("KSL-050"))
    func several() throws {
        let other = try fixture.files.directory.write(CommandLineFixture.otherKey, to: "other.key")
        let run = try fixture.files.run(
            "check", fixture.database, "--key-file", other, "--key-file", fixture.files.keyFile)
        #expect(run.exitCode == .done, "\(run.errors)")
    }

    @Test("what is wrong with a secret or a keyring has its exit status", .proves("KSL-050"))
    func exitCodes() throws {
        let files = fixture.files
        #expect(try fixture.count("something else altogether").exitCode == .wrongKey)
        let mistyped = try fixture.count(String(fixture.code.dropLast(2)) + "qq")
        #expect(mistyped.exitCode == .wrongKey && mistyped.errors.contains("mistyped"))
        let ssh = try fixture.count("-----BEGIN OPENSSH PRIVATE KEY-----")
        #expect(ssh.exitCode == .wrongKey && ssh.errors.contains("age-keygen"))
        #expect(try files.run("key", "list", files.plain).exitCode == .notFound)

        let keyring = URL(fileURLWithPath: files.database + "-keyring")
        let sound = try Data(contentsOf: keyring)
        let old = try Data(contentsOf: URL(fileURLWithPath: files.database))
        try (sound + Data("x".utf8)).write(to: keyring)
        #expect(try fixture.count(KeyringFixture.anna).exitCode == .damaged)
        #expect(try files.run("key", "list", files.database).exitCode == .damaged)
        let other = try KeyringFixture()
        try Data(contentsOf: URL(fileURLWithPath: other.database + "-keyring")).write(to: keyring)
        #expect(try fixture.count(KeyringFixture.anna).exitCode == .foreignKeyring)
        try sound.write(to: keyring)
        #expect(try fixture.run(["rotate-key", files.database], fixture.code).exitCode == .done)
        #expect(try fixture.opens(KeyringFixture.anna))
        try old.write(to: URL(fileURLWithPath: files.database))
        #expect(try fixture.count(KeyringFixture.anna).exitCode == .outdatedFile)
    }

    @Test("doctor and salvage open a file whose first page is damaged", .proves("KSL-050"))
    func damagedFirstPage() throws {
        let url = URL(fileURLWithPath: fixture.database)
        var bytes = try Data(contentsOf: url)
        bytes.replaceSubrange(100..<104, with: Data("XXXX".utf8))
        try bytes.write(to: url)
        #expect(try fixture.run(["check", url.path], fixture.code).exitCode == .damaged)
        let doctor = try fixture.run(["doctor", url.path], fixture.code)
        #expect(doctor.exitCode == .damaged && doctor.output.contains("the key is right"))
        let out = fixture.files.path("out.db")
        let salvage = try fixture.run(["salvage", url.path, out], fixture.code)
        #expect(salvage.exitCode == .damaged)
        #expect(try fixture.run(["check", out], KeyringFixture.anna).exitCode == .done)
    }

    @Test("a rotation needs one secret, and keeps all slots", .proves("KSL-040"))
    func rotation() throws {
        let own = try fixture.exportedKey()
        let refused = try fixture.run(
            ["rotate-key", fixture.database], KeyringFixture.anna, new: CommandLineFixture.otherKey)
        #expect(refused.exitCode == .usage)
        let run = try fixture.run(["rotate-key", fixture.database, "--json"], KeyringFixture.anna)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect((run.json as? [String: Any])?["slotCount"] as? Int == 4)
        for secret in [
            CommandLineFixture.key, KeyringFixture.anna, KeyringFixture.identity, fixture.code,
        ] { #expect(try fixture.opens(secret)) }
        #expect(try fixture.count(own, "--no-keyring").exitCode == .wrongKey)
        let plain = try CommandLineFixture()
        #expect(try plain.runOnDatabase("rotate-key", "--drop-sealed").exitCode == .usage)
    }

    @Test("a rotation with another keyring beside the file changes neither", .proves("OPR-74"))
    func rotationByOtherKeyring() throws {
        let other = try KeyringFixture()
        let keyring = URL(fileURLWithPath: fixture.database + "-keyring")
        let own = try Data(contentsOf: keyring)
        let foreign = try Data(contentsOf: URL(fileURLWithPath: other.database + "-keyring"))
        let database = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
        #expect(try fixture.run(["rotate-key", fixture.database], fixture.code).exitCode == .done)
        for (bytes, file, code) in [
            (foreign, nil, ExitCode.foreignKeyring), (own, nil, .foreignKeyring),
            (try Data(contentsOf: keyring), database, .outdatedFile),
        ] {
            let before = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
            try bytes.write(to: keyring)
            try (file ?? before).write(to: URL(fileURLWithPath: fixture.database))
            let run = try fixture.run(["rotate-key", fixture.database], KeyringFixture.anna)
            #expect(run.exitCode == code, "\(run.errors)")
            #expect(try Data(contentsOf: keyring) == bytes)
            #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.database)) == file ?? before)
        }
    }

    @Test("a holder of an identity vouches once, and is warned no more", .proves("OPR-75"))
    func vouching() throws {
        let warned = try fixture.count(KeyringFixture.identity)
        #expect(warned.exitCode == .done && warned.errors.contains("strongroom key vouch"))
        let run = try fixture.run(["key", "vouch", fixture.database], KeyringFixture.identity)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(try fixture.count(KeyringFixture.identity).errors.isEmpty)
    }

    @Test("what is said where a keyring is lost, or older than the file", .proves("OPR-76"))
    func lostKeyring() throws {
        let keyring = URL(fileURLWithPath: fixture.database + "-keyring")
        let old = try Data(contentsOf: keyring)
        #expect(try fixture.run(["rotate-key", fixture.database], fixture.code).exitCode == .done)
        try old.write(to: keyring)
        for words in [["check"], ["doctor"], ["key", "test"]] {
            let run = try fixture.run(words + [fixture.database], KeyringFixture.anna)
            #expect(run.exitCode == .foreignKeyring, "\(words): \(run.errors)")
            #expect((run.output + run.errors).contains("from before the last rotation"))
            #expect((run.output + run.errors).contains("backup keyrings"))
        }
        try FileManager.default.removeItem(at: keyring)
        let list = try CommandRun(["key", "list", fixture.database])
        #expect(list.exitCode == .notFound && list.errors.contains("backup keyrings"))
        let doctor = try fixture.run(["doctor", fixture.database], KeyringFixture.anna)
        #expect(doctor.exitCode == .wrongKey && doctor.output.contains("there is no keyring"))
    }

    @Test("a first rotation that fails leaves no keyring", .proves("OPR-80"))
    func failedInit() throws {
        let files = try CommandLineFixture()
        let path = files.path("big.db")
        let shell = SQLCipherShell(path: path, key: .content(CommandLineFixture.key))
        try shell.create("CREATE TABLE t AS SELECT zeroblob(600000) AS b")
        // Room for a keyring, and not for a copy of the file.
        let run = try Subprocess.run(
            "/bin/sh",
            [
                "-c", "ulimit -f 100; exec \"$@\"", "sh", PackageFiles.program("strongroom"), "key",
                "init", path, "--key-file", files.keyFile,
            ], environment: ["PATH": "/usr/bin:/bin"], workingDirectory: files.directory.path)
        #expect(run.status == .exited(1), "\(run.errorText)")
        #expect(!FileManager.default.fileExists(atPath: path + "-keyring"))
        #expect(try CommandRun(["check", path, "--key-file", files.keyFile]).exitCode == .done)
    }

    @Test("one of several keys is found with settings that are named", .proves("OPR-81"))
    func namedSettings() throws {
        let plain = try CommandLineFixture()
        let passphrase = try plain.directory.write(KeyringFixture.anna, to: "anna.key")
        let out = plain.path("iterated.db")
        let made = try CommandRun([
            "encrypt", plain.plain, out, "--key-file", passphrase, "--new-kdf-iterations", "7000",
        ])
        #expect(made.exitCode == .done, "\(made.errors)")
        for more in [["--kdf-iterations", "7000"], ["--cipher-settings", "kdf-iterations=7000"]] {
            let run = try CommandRun(
                ["check", out, "--key-file", plain.keyFile, "--key-file", passphrase] + more)
            #expect(run.exitCode == .done, "\(run.errors)")
        }
    }
}
