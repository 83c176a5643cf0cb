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
        #expect(try fixture.run(["check", url.path], fixture.code).exitCode == .foreignKeyring)
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
}
