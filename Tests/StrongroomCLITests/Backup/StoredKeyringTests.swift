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
        repository = fixture.files.path("repository")
        let run = try fixture.files.run("backup", "init", repository)
        try #require(run.exitCode == .done)
    }

    private func restored(_ number: Int, _ secret: String) throws -> CommandRun {
        let out = fixture.files.path("restored-\(number).db")
        return try fixture.run(["backup", "restore", repository, "\(number)", out], secret)
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
}
