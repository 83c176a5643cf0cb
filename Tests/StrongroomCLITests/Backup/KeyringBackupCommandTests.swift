import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Backups of a database with a keyring, by somebody who has one secret.
@Suite struct KeyringBackupCommandTests {
    private let fixture: KeyringFixture
    private let repository: String

    init() throws {
        fixture = try KeyringFixture()
        repository = try fixture.repository()
    }

    private func restored(_ number: Int, _ secret: String) throws -> CommandRun {
        try fixture.restored(number, from: repository, secret)
    }

    @Test(
        "go on over rotations, and today's secret restores each of them",
        .proves("KSL-060", "KSL-061", "KSL-062"))
    func rotations() throws {
        let create = ["backup", "create", fixture.database, "--to", repository]
        #expect(try fixture.run(create, KeyringFixture.anna).exitCode == .done)
        for number in 2...3 {
            let rotation = try fixture.run(["rotate-key", fixture.database], fixture.code)
            #expect(rotation.exitCode == .done, "\(rotation.errors)")
            let run = try fixture.run(create, KeyringFixture.anna)
            #expect(run.exitCode == .done, "\(number): \(run.errors)")
        }
        let change = try fixture.run(
            ["key", "change", fixture.database, "--work", "14"], KeyringFixture.anna,
            new: KeyringFixture.berta)
        #expect(change.exitCode == .done, "\(change.errors)")
        #expect(try fixture.run(create, KeyringFixture.berta).exitCode == .done)
        for (number, secret) in [
            (1, KeyringFixture.berta), (2, fixture.code), (3, KeyringFixture.identity),
            (4, CommandLineFixture.key),
        ] {
            let run = try restored(number, secret)
            #expect(run.exitCode == .done, "\(number): \(run.errors)")
            let count = try fixture.run(
                [
                    "query", fixture.files.path("restored-\(number).db"),
                    "SELECT count(*) FROM album", "--csv",
                ], KeyringFixture.berta)
            #expect(count.output.split(whereSeparator: \.isNewline).last == "3", "\(count.errors)")
        }
        // The passphrase of then opens no backup of then.
        let old = fixture.files.path("old.db")
        let refused = try fixture.run(
            ["backup", "restore", repository, "1", old], KeyringFixture.anna)
        #expect(refused.exitCode == .wrongKey)
        #expect(!FileManager.default.fileExists(atPath: old))
    }

    private func create(_ more: String..., secret: String? = nil) throws -> CommandRun {
        try fixture.run(
            ["backup", "create", fixture.database, "--to", repository] + more,
            secret ?? fixture.code)
    }

    private var out: String { fixture.files.path("out.db") }

    @Test("a restore without a secret gets the stored keyring if it fits", .proves("KSL-062"))
    func withoutKey() throws {
        #expect(try create().exitCode == .done)
        let words = ["backup", "restore", repository, "1", out]
        #expect(try CommandRun(words).exitCode == .done)
        #expect(try fixture.run(["check", out], KeyringFixture.anna).exitCode == .done)
        // A keyring that is there is not replaced by the way.
        try FileManager.default.removeItem(atPath: out)
        let left = try CommandRun(words)
        #expect(left.exitCode == .done && left.errors.contains("is left as it was"))
        let replaced = try CommandRun(words + ["--force"])
        #expect(replaced.exitCode == .done && replaced.errors.isEmpty, "\(replaced.errors)")
        for path in [out, out + "-keyring"] { try FileManager.default.removeItem(atPath: path) }
        // After a rotation, the newest keyring has another key.
        #expect(try fixture.run(["rotate-key", fixture.database], fixture.code).exitCode == .done)
        #expect(try create().exitCode == .done)
        let key = try fixture.exportedKey()
        let old = try CommandRun(words)
        #expect(old.exitCode == .done || old.errors.contains("is not restored"))
        try? FileManager.default.removeItem(atPath: out)
        try? FileManager.default.removeItem(atPath: out + "-keyring")
        let new = try fixture.run(["backup", "restore", repository, "2", out], key)
        #expect(new.exitCode == .done, "\(new.errors)")
        #expect(try fixture.run(["check", out], KeyringFixture.anna).exitCode == .done)
    }

    @Test("passphrases stay out of a repository that others read", .proves("KSL-064"))
    func strong() throws {
        #expect(try create("--keyring", "strong").exitCode == .done)
        let refused = try restored(1, KeyringFixture.anna)
        #expect(refused.exitCode == .wrongKey)
        #expect(try restored(1, fixture.code).exitCode == .done)
        let list = try CommandRun(["backup", "keyrings", repository])
        #expect(!list.output.contains("anna") && list.output.contains("recovery"))
        let copy = fixture.files.path("restored-1.db")
        #expect(try fixture.run(["check", copy], KeyringFixture.identity).exitCode == .done)
        // What is stored is signed, and the next backup follows from it.
        #expect(try fixture.run(["rotate-key", fixture.database], fixture.code).exitCode == .done)
        #expect(try create("--keyring", "strong").exitCode == .done)
        #expect(try create(secret: KeyringFixture.anna).exitCode == .done)
        #expect(try restored(3, KeyringFixture.anna).exitCode == .done)
    }

    @Test("a repository without keyrings needs the key itself", .proves("KSL-064"))
    func none() throws {
        #expect(try create("--keyring", "none").exitCode == .done)
        #expect(try create("--keyring", "much").exitCode == .usage)
        #expect(try restored(1, fixture.code).exitCode == .wrongKey)
        #expect(try restored(1, try fixture.exportedKey()).exitCode == .done)
        // A keyring is there again, and rotations go on.
        #expect(try fixture.run(["rotate-key", fixture.database], fixture.code).exitCode == .done)
        #expect(try create("--keyring", "none").exitCode == .done)
        let only = try CommandLineFixture()
        #expect(
            try only.run(
                "key", "init", only.database, "--key-env", "KEY", "--passphrase", "me", "--work",
                "14", "--new-key-env", "NEW",
                world: {
                    var world = CommandRun.World()
                    world.variables = ["KEY": CommandLineFixture.key, "NEW": KeyringFixture.anna]
                    return world
                }()
            ).exitCode == .done)
        var world = CommandRun.World()
        world.variables = ["KEY": KeyringFixture.anna]
        let other = only.path("repository")
        #expect(try only.run("backup", "init", other).exitCode == .done)
        let refused = try only.run(
            "backup", "create", only.database, "--to", other, "--key-env", "KEY", "--keyring",
            "strong", world: world)
        #expect(refused.exitCode == .failed && refused.errors.contains("recovery code"))
    }

    @Test("a secret of the keyring verifies, prunes and forgets", .proves("KSL-050"))
    func maintenance() throws {
        for _ in 0..<3 {
            #expect(try create().exitCode == .done)
            let rotation = try fixture.run(["rotate-key", fixture.database], fixture.code)
            #expect(rotation.exitCode == .done)
        }
        #expect(try create().exitCode == .done)
        let identities = try fixture.files.directory.write(
            "# ops\n\(KeyringFixture.identity)\n", to: "ops.txt")
        for words in [
            ["backup", "verify", repository, "--key-file", identities],
            ["backup", "forget", repository, "1", "--key-file", identities],
            ["backup", "prune", repository, "--keep-last", "2", "--key-file", identities],
            ["backup", "restore", repository, "3", out, "--key-file", identities],
        ] {
            let run = try CommandRun(words)
            #expect(run.exitCode == .done, "\(words): \(run.errors)")
        }
        let verified = try fixture.run(["backup", "verify", repository], KeyringFixture.anna)
        #expect(verified.exitCode == .done, "\(verified.errors)")
    }

    @Test("a database that has lost its keyring is backed up, and that is said", .proves("KSL-054"))
    func lost() throws {
        #expect(try create().exitCode == .done)
        let key = try fixture.exportedKey()
        try FileManager.default.removeItem(atPath: fixture.database + "-keyring")
        let run = try create(secret: key)
        #expect(
            run.exitCode == .done && run.errors.contains("has lost its keyring"), "\(run.errors)")
        #expect(try CommandRun(["backup", "restore", repository, "1", out]).exitCode == .done)
        #expect(try fixture.run(["check", out], KeyringFixture.anna).exitCode == .done)
    }

    @Test("of a folder, databases with keyrings are opened by their own", .proves("KSL-050"))
    func folder() throws {
        let files = fixture.files
        let folder = files.path("all")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let other = try CommandLineFixture()
        for (path, name) in [
            (fixture.database, "a.db"), (fixture.database + "-keyring", "a.db-keyring"),
            (other.database, "b.db"),
        ] { try FileManager.default.copyItem(atPath: path, toPath: folder + "/" + name) }
        let root = files.path("root")
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        let words = ["backup", "create", folder, "--to", root]
        // The key of one is a slot of the other's keyring.
        let run = try CommandRun(words + ["--key-file", files.keyFile])
        #expect(run.exitCode == .done, "\(run.output)\(run.errors)")
        #expect(run.output.contains("2 of 2 databases"))
        let command = try fixture.run(words + ["--no-keyring"], try fixture.exportedKey())
        #expect(command.exitCode != .done)
        let rotation = try CommandRun([
            "rotate-key", folder, "--key-file", files.keyFile, "--new-key-generate",
            files.path("new.key"),
        ])
        #expect(rotation.exitCode == .done, "\(rotation.errors)")
        #expect(
            rotation.output.contains("1 of 2 files have the new key; 1 has"), "\(rotation.output)")
        #expect(rotation.output.contains("keyrings of databases"), "\(rotation.output)")
    }

    @Test(
        "rekeyed backups open by the keyring, and a key that none has is named", .proves("OPR-72"))
    func rekeyed() throws {
        for _ in 0..<2 {
            #expect(try create().exitCode == .done)
            #expect(
                try fixture.run(["rotate-key", fixture.database], fixture.code).exitCode == .done)
        }
        #expect(try create().exitCode == .done)
        // All earlier keys leaked: the present one takes their place.
        let run = try fixture.run(["backup", "rekey", repository], fixture.code)
        #expect(run.exitCode == .done && run.output.contains("2 backups have"), "\(run.errors)")
        #expect(!run.errors.contains("warning"), "\(run.errors)")
        for (number, secret) in [(4, KeyringFixture.anna), (5, KeyringFixture.identity)] {
            let run = try restored(number, secret)
            #expect(run.exitCode == .done, "\(run.errors)")
            let copy = fixture.files.path("restored-\(number).db")
            #expect(try fixture.run(["check", copy], fixture.code).exitCode == .done)
        }
        let other = try fixture.run(
            ["backup", "rekey", repository], fixture.code, new: CommandLineFixture.otherKey)
        #expect(other.exitCode == .done && other.errors.contains("no keyring"), "\(other.errors)")
    }

    @Test("key-id and verification-key take a secret of a stored keyring", .proves("OPR-73"))
    func identifiers() throws {
        #expect(try create().exitCode == .done)
        #expect(try fixture.run(["rotate-key", fixture.database], fixture.code).exitCode == .done)
        #expect(try create().exitCode == .done)
        let id = try CommandRun([
            "key-id", repository, fixture.database, fixture.files.keyFile, "--json",
        ])
        #expect(id.exitCode == .done && (id.json as? [Any])?.count == 3, "\(id.output)\(id.errors)")
        for backup in [[], ["1"]] {
            let key = try fixture.run(
                ["backup", "verification-key", repository] + backup, KeyringFixture.anna)
            #expect(key.exitCode == .done, "\(key.errors)")
            let file = try fixture.files.directory.write(key.output, to: "verification.key")
            let run = try CommandRun(["backup", "verify", repository, "--verification-key", file])
            #expect(run.exitCode == .done, "\(run.errors)")
        }
    }
}
