import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Keyrings in a repository that are lost, late, or sealed.
@Suite struct StoredKeyringTests {
    private let fixture: KeyringFixture
    private let repository: String

    init() throws {
        fixture = try KeyringFixture()
        repository = try fixture.repository()
    }

    private func restored(_ number: Int, _ secret: String) throws -> CommandRun {
        try fixture.restored(number, from: repository, secret)
    }

    private func create(_ more: String..., secret: String? = nil) throws -> CommandRun {
        try fixture.run(
            ["backup", "create", fixture.database, "--to", repository] + more,
            secret ?? fixture.code)
    }

    private var out: String { fixture.files.path("out.db") }

    private var keyrings: URL { URL(fileURLWithPath: repository + "/keyrings") }

    private func storedKeyrings() throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: keyrings, includingPropertiesForKeys: nil)
    }

    @Test(
        "a stored keyring that is lost or damaged is seen, stops nothing, and is repaired",
        .proves("OPR-77"), arguments: [false, true])
    func lostStoredKeyring(_ isDamaged: Bool) throws {
        #expect(try create().exitCode == .done)
        let copy = fixture.files.path("copy-of-repository")
        try FileManager.default.copyItem(atPath: repository, toPath: copy)
        let own = try fixture.exportedKey()
        func lose() throws {
            for url in try storedKeyrings() {
                var bytes = try Data(contentsOf: url)
                bytes[bytes.count / 2] ^= 1
                try isDamaged ? bytes.write(to: url) : FileManager.default.removeItem(at: url)
            }
        }
        try lose()
        let status = try CommandRun(["backup", "status", repository])
        #expect(status.exitCode == .damaged && !status.output.contains("OK"), "\(status.output)")
        #expect(try CommandRun(["backup", "verify", repository, "--no-key"]).exitCode == .damaged)
        // The key itself restores, and the next backup stores the keyring again.
        let byKey = try fixture.run(["backup", "restore", repository, "1", out], own)
        #expect(byKey.exitCode == .done, "\(byKey.errors)")
        for repair in [
            ["backup", "repair", repository, "--from", copy],
            ["backup", "repair", repository, "--database", fixture.database],
        ] {
            let words =
                repair
                + (repair.contains("--database") ? ["--key-file", fixture.files.keyFile] : [])
            let run = try CommandRun(words)
            #expect(run.exitCode == .done, "\(words): \(run.output)\(run.errors)")
            #expect(try CommandRun(["backup", "status", repository]).exitCode == .done)
            try lose()
        }
        #expect(try create("--full").exitCode == .done)
        #expect(try CommandRun(["backup", "verify", repository, "--no-key"]).exitCode == .done)
        #expect(try restored(1, KeyringFixture.anna).exitCode == .done)
    }

    @Test("a backup of before the keyring opens by its slots", .proves("OPR-78"))
    func beforeKeyring() throws {
        let plain = try CommandLineFixture()
        let place = plain.path("repository")
        #expect(try plain.run("backup", "init", place).exitCode == .done)
        let create = ["create", plain.database, "--to", place]
        #expect(
            try CommandRun(["backup"] + create + ["--key-file", plain.keyFile]).exitCode == .done)
        var world = CommandRun.World()
        world.variables = ["NEW": KeyringFixture.anna]
        let made = try plain.run(
            "key", "init", plain.database, "--key-file", plain.keyFile, "--passphrase", "anna",
            "--work", "14", "--new-key-env", "NEW", world: world)
        #expect(made.exitCode == .done, "\(made.errors)")
        world.variables = ["KEY": KeyringFixture.anna]
        let again = try CommandRun(["backup"] + create + ["--key-env", "KEY"], in: world)
        #expect(again.exitCode == .done, "\(again.errors)")
        let out = plain.path("out.db")
        let run = try CommandRun(
            ["backup", "restore", place, "1", out, "--key-env", "KEY"], in: world)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(try CommandRun(["check", out, "--key-env", "KEY"], in: world).exitCode == .done)
    }

    @Test(
        "no restore replaces the keyring of a database that was only moved", .proves("OPR-93"),
        arguments: [false, true])
    func movedDatabase(_ byKey: Bool) throws {
        #expect(try create().exitCode == .done)
        let own = try fixture.exportedKey()
        let restore = ["backup", "restore", repository, "latest", fixture.database, "--force"]
        func restored() throws -> CommandRun {
            try fixture.run(restore, byKey ? own : fixture.code)
        }
        let (database, moved) = (fixture.database, fixture.files.path("moved.db"))
        // A keyring that the repository knows may go: the database is lost, and comes back.
        try FileManager.default.moveItem(atPath: database, toPath: moved)
        #expect(try restored().exitCode == .done)
        #expect(try fixture.opens(fixture.code))
        // One with a key that nothing else knows may not.
        let rotated = try fixture.run(["rotate-key", database], fixture.code)
        #expect(rotated.exitCode == .done, "\(rotated.errors)")
        try FileManager.default.removeItem(atPath: moved)
        try FileManager.default.moveItem(atPath: database, toPath: moved)
        let keyring = try Data(contentsOf: URL(fileURLWithPath: database + "-keyring"))
        let refused = try restored()
        #expect(refused.exitCode != .done && refused.errors.contains("move this keyring with it"))
        #expect(!FileManager.default.fileExists(atPath: database))
        #expect(try Data(contentsOf: URL(fileURLWithPath: database + "-keyring")) == keyring)
        try FileManager.default.moveItem(
            atPath: database + "-keyring", toPath: moved + "-keyring")
        #expect(try restored().exitCode == .done)
        let query = ["query", moved, "SELECT count(*) FROM album", "--csv"]
        #expect(try fixture.run(query, fixture.code).output.contains("3"))
        // So with a copy of the same database in its place.
        try FileManager.default.removeItem(atPath: database)
        try FileManager.default.removeItem(atPath: database + "-keyring")
        try FileManager.default.copyItem(
            atPath: moved + "-keyring", toPath: database + "-keyring")
        let other = fixture.files.path("other.db")
        #expect(
            try fixture.run(["backup", "restore", repository, "1", other], fixture.code).exitCode
                == .done)
        let copied = try fixture.run(["copy", other, database, "--force"], fixture.code)
        #expect(copied.exitCode != .done, "\(copied.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: database + "-keyring")) == keyring)
    }

    @Test("a sealed slot that a restore cannot take over is named", .proves("OPR-79"))
    func sealedSlot() throws {
        let added = try fixture.run(
            ["key", "add", fixture.database, "--passphrase", "berta", "--work", "14", "--sealed"],
            fixture.code, new: KeyringFixture.berta)
        #expect(added.exitCode == .done, "\(added.errors)")
        #expect(try create().exitCode == .done)
        let rotated = try fixture.run(["rotate-key", fixture.database], KeyringFixture.berta)
        #expect(rotated.exitCode == .done, "\(rotated.errors)")
        #expect(try create().exitCode == .done)
        let run = try restored(1, fixture.code)
        #expect(run.exitCode == .done && run.errors.contains("berta"), "\(run.errors)")
    }

    @Test(
        "A damaged manifest costs its backup alone, also the newest", .proves("OPR-141"),
        arguments: [1, 2, 3])
    func damagedManifest(number: Int) throws {
        for _ in 1...3 {
            #expect(try create().exitCode == .done)
            let rotation = try fixture.run(["rotate-key", fixture.database], fixture.code)
            #expect(rotation.exitCode == .done)
        }
        let folder = repository + "/backups/"
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder)
                .first { $0.hasPrefix("0000000\(number)-") })
        try Data().write(to: URL(fileURLWithPath: folder + name))
        for other in 1...3 where other != number {
            for secret in [fixture.code, KeyringFixture.anna] {
                try? FileManager.default.removeItem(
                    atPath: fixture.files.path("restored-\(other).db"))
                try? FileManager.default.removeItem(
                    atPath: fixture.files.path("restored-\(other).db-keyring"))
                let run = try restored(other, secret)
                #expect(run.exitCode == .done, "\(other): \(run.errors)")
            }
        }
        let keyrings = try CommandRun(["backup", "keyrings", repository])
        #expect(keyrings.exitCode == .done && keyrings.output.contains("anna"))
        let verify = try fixture.run(["backup", "verify", repository], fixture.code)
        #expect(verify.exitCode == .damaged)
        #expect(!(verify.output + verify.errors).contains("keyring of backup"), "\(verify.errors)")
        let forget = try fixture.run(
            ["backup", "forget", repository, "\(number)", "--newest"], fixture.code)
        #expect(forget.exitCode == .done, "\(forget.errors)")
        // The head names the last manifest until there is another, which needs no earlier one.
        if number == 3 { #expect(try create("--full").exitCode == .done) }
        let sound = try fixture.run(["backup", "verify", repository], fixture.code)
        #expect(sound.exitCode == .done, "\(sound.output)\(sound.errors)")
    }

    @Test(
        "Behind a damaged manifest, an identity that nobody vouches with restores nothing",
        .proves("OPR-141"))
    func unvouchedIdentity() throws {
        for _ in 1...2 { #expect(try create().exitCode == .done) }
        let folder = repository + "/backups/"
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder).first {
                $0.hasPrefix("00000002-")
            })
        try Data().write(to: URL(fileURLWithPath: folder + name))
        let refused = try restored(1, KeyringFixture.identity)
        #expect(refused.exitCode == .damaged, "\(refused.errors)")
        #expect(refused.errors.contains("give a passphrase, recovery code or key file"))
        #expect(try restored(1, fixture.code).exitCode == .done)
    }
}
