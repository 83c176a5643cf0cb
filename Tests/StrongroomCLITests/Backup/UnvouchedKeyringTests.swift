import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// The manifest of a backup that was pruned is lost: the chain has a gap. An age identity opens what anybody has
/// encrypted to its public key.
@Suite struct UnvouchedKeyringTests {
    private let fixture: KeyringFixture
    private let repository: String

    init() throws {
        fixture = try KeyringFixture()
        repository = fixture.files.path("repository")
        #expect(try CommandRun(["backup", "init", repository]).exitCode == .done)
    }

    private func run(_ words: [String], _ secret: String? = nil) throws -> CommandRun {
        try fixture.run(words, secret ?? KeyringFixture.identity)
    }

    private func create() throws {
        let run = try run(
            ["backup", "create", fixture.database, "--to", repository], fixture.code)
        #expect(run.exitCode == .done, "\(run.errors)")
    }

    /// Removes a backup, and its manifest.
    private func lose(_ number: Int) throws {
        let forgotten = try run(["backup", "forget", repository, "\(number)"], fixture.code)
        #expect(forgotten.exitCode == .done, "\(forgotten.errors)")
        let folder = repository + "/backups"
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder)
                .first { $0.hasPrefix("0000000\(number)-") })
        try FileManager.default.removeItem(atPath: folder + "/" + name)
    }

    private func restored(_ number: Int) throws -> CommandRun {
        try run(
            [
                "backup", "restore", repository, "\(number)",
                fixture.files.path("restored-\(UUID()).db"),
            ])
    }

    @Test(
        "what verify calls sound restores: a later backup names the same keyring",
        .proves("OPR-162"))
    func sameKeyring() throws {
        for _ in 1...4 { try create() }
        try lose(3)
        let verified = try run(["backup", "verify", repository])
        #expect(verified.exitCode == .done, "\(verified.errors)")
        #expect(try restored(1).exitCode == .done)
        #expect(try restored(4).exitCode == .done)
    }

    @Test("what does not restore is not called sound", .proves("OPR-162"))
    func earlierKeyring() throws {
        for _ in 1...2 { try create() }
        // Another database of that repository, whose manifests come later.
        let other = try KeyringFixture()
        let database = other.files.path("other.db")
        for ending in ["", "-keyring"] {
            try FileManager.default.moveItem(
                atPath: other.database + ending, toPath: database + ending)
        }
        let words = ["backup", "create", database, "--to", repository]
        let more = ["--another-database", "--introducer-key-file", fixture.files.path("code")]
        let created = try other.run(words + more, other.code)
        #expect(created.exitCode == .done, "\(created.errors)")
        #expect(try other.run(words, other.code).exitCode == .done)
        try lose(3)
        let refused = try restored(1)
        #expect(refused.exitCode == .damaged, "\(refused.errors)")
        #expect(refused.errors.contains("key vouch"), "\(refused.errors)")
        for words in [["backup", "verify", repository], ["backup", "verify", repository, "1"]] {
            let verified = try run(words)
            #expect(verified.exitCode == .damaged, "\(words): \(verified.output)")
        }
        // A secret that vouches shows that they are what was made.
        #expect(
            try run(
                ["backup", "restore", repository, "1", fixture.files.path("own.db")], fixture.code
            )
            .exitCode == .done)
        // What the hint says, typed.
        #expect(try run(["key", "vouch", fixture.database], fixture.code).exitCode == .done)
        try create()
        let healed = try restored(1)
        #expect(healed.exitCode == .done, "\(healed.errors)")
    }
}

/// A repository that this host has not seen before.
@Suite struct StrangeRepositoryTests {
    @Test(
        "is not trusted because of what anybody can encrypt to an identity", .proves("OPR-201"))
    func doubt() throws {
        let fixture = try KeyringFixture()
        let repository = try fixture.repository()
        let (create, verify) = (
            ["backup", "create", fixture.database, "--to", repository],
            ["backup", "verify", repository]
        )
        #expect(try fixture.run(create, fixture.code).exitCode == .done)
        let doubted = try fixture.run(verify, KeyringFixture.identity)
        #expect(doubted.exitCode == .done)
        #expect(doubted.errors.contains("nothing on this host vouches for"), "\(doubted.errors)")
        #expect(!doubted.output.contains("a trusted key"), "\(doubted.output)")
        let restored = try fixture.restored(1, from: repository, KeyringFixture.identity)
        #expect(restored.errors.contains("nothing on this host vouches for"), "\(restored.errors)")
        for secret in [fixture.code, KeyringFixture.anna] {
            let trusted = try fixture.run(verify, secret)
            #expect(trusted.output.contains("a trusted key"), "\(trusted.output)")
            #expect(!trusted.errors.contains("vouches"), "\(trusted.errors)")
        }
        // What the identity vouches for is as good as what a code opens.
        let vouched = try fixture.run(["key", "vouch", fixture.database], KeyringFixture.identity)
        #expect(vouched.exitCode == .done, "\(vouched.errors)")
        #expect(try fixture.run(create, fixture.code).exitCode == .done)
        let trusted = try fixture.run(verify, KeyringFixture.identity)
        #expect(trusted.output.contains("a trusted key"), "\(trusted.output)")
        #expect(!trusted.errors.contains("vouches"), "\(trusted.errors)")
    }
}

/// Keys whose backups were pruned before anybody thought of retiring them.
@Suite struct LeftSignerTests {
    private let files: CommandLineFixture
    private let repository: String

    init() throws {
        files = try CommandLineFixture()
        repository = files.path("repository")
        #expect(try CommandRun(["backup", "init", repository]).exitCode == .done)
    }

    private func run(_ words: [String]) throws -> CommandRun {
        let run = try CommandRun(words)
        #expect(run.exitCode == .done, "\(words): \(run.errors)")
        return run
    }

    @Test("are counted after the backups of another one got a new key", .proves("OPR-202"))
    func counted() throws {
        let keys = ["second", "third", "fourth"].map { files.path("\($0).key") }
        for key in keys { _ = try run(["keygen", key]) }
        let create = ["backup", "create", files.database, "--to", repository]
        _ = try run(create + ["--key-file", files.keyFile])
        _ = try run([
            "rotate-key", files.database, "--key-file", files.keyFile, "--new-key-file", keys[0],
        ])
        _ = try run(
            create + ["--key-file", keys[0], "--introducer-key-file", files.keyFile])
        _ = try run(["backup", "prune", repository, "--keep-last", "1", "--key-file", keys[0]])
        func rekey(_ old: String, _ new: String) throws -> CommandRun {
            try run([
                "backup", "rekey", repository, "--key-file", old, "--new-key-file", new,
            ])
        }
        let warned = try rekey(keys[0], keys[1])
        #expect(
            warned.errors.contains("1 key that no backup has may still sign"), "\(warned.errors)")
        // Nor is it forgotten where nothing is left to do.
        let again = try rekey(keys[0], keys[1])
        #expect(again.errors.contains("may still sign"), "\(again.errors)")
        // What it says, typed.
        _ = try rekey(files.keyFile, keys[1])
        let clean = try rekey(keys[1], keys[2])
        #expect(!clean.errors.contains("may still sign"), "\(clean.errors)")
    }

    @Test("cannot sign any more after a new beginning", .proves("OPR-202", "OPR-205"))
    func expelled() throws {
        let new = files.path("new.key")
        _ = try run(["keygen", new])
        let stolen = files.path("stolen.db")
        try FileManager.default.copyItem(atPath: files.database, toPath: stolen)
        let create = ["backup", "create", files.database, "--to", repository]
        _ = try run(create + ["--key-file", files.keyFile])
        _ = try run([
            "rotate-key", files.database, "--key-file", files.keyFile, "--new-key-file", new,
        ])
        let before = try Data(contentsOf: URL(filePath: repository + "/head"))
        _ = try run(create + ["--key-file", new, "--new-authority"])
        // Whoever has the old key, and may write, on a host of their own.
        let forge = [
            "backup", "create", stolen, "--to", repository, "--key-file", files.keyFile,
            "--another-database",
        ]
        let host = ["--state", files.path("another-host")]
        let refused = try CommandRun(forge + host)
        #expect(refused.exitCode == .failed, "\(refused.errors)")
        let verify = ["backup", "verify", repository, "--key-file", new]
        _ = try run(verify)
        try before.write(to: URL(filePath: repository + "/head"))
        for name in try FileManager.default.contentsOfDirectory(atPath: repository + "/backups")
        where name.hasPrefix("00000002") {
            try FileManager.default.moveItem(
                atPath: repository + "/backups/" + name, toPath: files.path(name))
        }
        _ = try run(forge + host)
        let forged = try CommandRun(verify)
        #expect(forged.exitCode != .done, "\(forged.output)")
        let elsewhere = try CommandRun(verify + ["--state", files.path("third-host")])
        #expect(
            elsewhere.exitCode != .done || elsewhere.errors.contains("has not introduced"),
            "\(elsewhere.errors)")
        #expect(try CommandRun(create + ["--key-file", new]).exitCode != .done)
    }
}
