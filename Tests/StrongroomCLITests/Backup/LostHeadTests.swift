import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// A repository that has lost its head and nothing else, and of which there is no copy.
@Suite struct LostHeadTests: RepositorySuite {
    let repository: RepositoryFixture

    init() throws {
        repository = try RepositoryFixture()
        try create(versions: 3)
        try #require(try withKey("forget", path, "2").exitCode == .done)
        try FileManager.default.removeItem(atPath: path + "/head")
    }

    private var rebuild: [String] { ["backup", "repair", path, "--rebuild-head"] }

    @Test(.proves("OPR-107"))
    func `Each command names the way back, which leads to all complete backups`() throws {
        for words in [["status", path], ["verify", path], ["list", path], ["repair", path]] {
            let run = try CommandRun(["backup"] + words, in: world)
            #expect(run.exitCode == .damaged)
            #expect(run.errors.contains("strongroom backup repair --rebuild-head"), "\(words)")
        }
        let plan = try withKey("repair", path, "--rebuild-head", "--dry-run")
        #expect(plan.output.contains("with backups 1, 3, without backup 2"), "\(plan.errors)")
        #expect(!FileManager.default.fileExists(atPath: path + "/head"))
        let done = try withKey("repair", path, "--rebuild-head")
        #expect(done.exitCode == .done, "\(done.errors)")
        #expect(done.output.contains("with backups 1, 3, without backup 2"), "\(done.output)")
        // This host has known the repository, and goes on without being asked to accept anything.
        let verified = try withKey("verify", path)
        #expect(verified.exitCode == .done, "\(verified.errors)")
        #expect(verified.output.contains("2 backups"))
        #expect(try run("status", path).exitCode == .done)
        let next = try create()
        #expect(next.output.contains("backup 4"), "\(next.output)")
        for number in ["1", "3", "4"] {
            let out = fixture.path("restored-\(number).db")
            let restored = try withKey("restore", path, number, out)
            #expect(restored.exitCode == .done, "\(restored.errors)")
        }
        #expect(try withKey("prune", path, "--keep-last", "1").exitCode == .done)
        #expect(try withKey("verify", path).exitCode == .done)
    }

    @Test(.proves("OPR-107"))
    func `Only the key of the last backup writes a head, and only where there is none`() throws {
        let other = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "o.key")
        let wrong = try withKey("repair", path, "--rebuild-head", key: other)
        #expect(wrong.exitCode == .wrongKey, "\(wrong.errors)")
        for words in [["--from", path], ["--database", fixture.database]] {
            let both = try CommandRun(
                rebuild + words + ["--key-file", fixture.keyFile], in: world)
            #expect(both.exitCode == .usage, "\(both.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: path + "/head"))
        #expect(try withKey("repair", path, "--rebuild-head").exitCode == .done)
        let head = try Data(contentsOf: URL(fileURLWithPath: path + "/head"))
        let again = try withKey("repair", path, "--rebuild-head")
        #expect(again.exitCode == .failed && again.errors.contains("has a head"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/head")) == head)
    }

    @Test(.proves("OPR-107"))
    func `A head that lacks the last backup is an older state to the host`() throws {
        let folder = path + "/backups/"
        let last = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted().last)
        try FileManager.default.removeItem(atPath: folder + last)
        let refused = try withKey("repair", path, "--rebuild-head")
        #expect(refused.exitCode == .damaged, "\(refused.errors)")
        #expect(refused.errors.contains("--accept-rollback"), "\(refused.errors)")
        let accepted = try withKey("repair", path, "--rebuild-head", "--accept-rollback")
        #expect(accepted.exitCode == .done, "\(accepted.errors)")
        #expect(try withKey("verify", path).exitCode == .done)
    }

    @Test(.proves("OPR-107"))
    func `A backup with a missing pack is left out, and JSON says so`() throws {
        let packs = path + "/packs/"
        let last = try #require(
            try FileManager.default.contentsOfDirectory(atPath: packs).sorted().last)
        try FileManager.default.moveItem(atPath: packs + last, toPath: fixture.path("pack"))
        let run = try withKey("repair", path, "--rebuild-head", "--json")
        #expect(run.exitCode == .done, "\(run.errors)")
        let json = run.json as? [String: Any]
        #expect(json?["kept"] as? [Int] == [1])
        #expect(json?["leftOut"] as? [Int] == [2, 3])
    }

    @Test(.proves("OPR-107"))
    func `A secret of the stored keyring is enough`() throws {
        let keyring = try KeyringFixture()
        let other = keyring.files.path("repository")
        #expect(try CommandRun(["backup", "init", other]).exitCode == .done)
        for _ in 1...2 {
            let run = try keyring.run(
                ["backup", "create", keyring.database, "--to", other], keyring.code)
            #expect(run.exitCode == .done, "\(run.errors)")
            let rotation = try keyring.run(["rotate-key", keyring.database], keyring.code)
            #expect(rotation.exitCode == .done)
        }
        try FileManager.default.removeItem(atPath: other + "/head")
        let wrong = try keyring.run(
            ["backup", "repair", other, "--rebuild-head"], KeyringFixture.berta)
        #expect(wrong.exitCode == .wrongKey, "\(wrong.errors)")
        let run = try keyring.run(
            ["backup", "repair", other, "--rebuild-head"], KeyringFixture.anna)
        #expect(run.exitCode == .done, "\(run.errors)")
        let verified = try keyring.run(["backup", "verify", other], keyring.code)
        #expect(verified.exitCode == .done, "\(verified.errors)")
        #expect(!verified.output.contains("not authenticated"))
    }

    /// The file of a manifest.
    private func manifest(_ number: Int) throws -> String {
        let folder = path + "/backups/"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return folder + (try #require(names.first { $0.contains("000\(number)-") }))
    }

    private func damage(_ number: Int) throws {
        let file = try #require(FileHandle(forUpdatingAtPath: manifest(number)))
        try file.seek(toOffset: 300)
        try file.write(contentsOf: Data([1, 2, 3]))
        try file.close()
    }

    @Test(.proves("OPR-209"))
    func `Backups before a damaged manifest are kept, be it that of a removed backup`() throws {
        try damage(2)
        let run = try withKey("repair", path, "--rebuild-head", "--json")
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect((run.json as? [String: Any])?["kept"] as? [Int] == [1, 3])
        try expectWhole([1, 3, 4])
    }

    @Test(.proves("OPR-209"))
    func `Where the last manifest is damaged, too, the backups before it are kept`() throws {
        try damage(3)
        let refused = try withKey("repair", path, "--rebuild-head")
        #expect(refused.exitCode == .damaged, "\(refused.errors)")
        #expect(refused.errors.contains("--accept-rollback"), "\(refused.errors)")
        let run = try withKey("repair", path, "--rebuild-head", "--accept-rollback")
        #expect(run.exitCode == .done, "\(run.errors)")
        try expectWhole([1, 3])
    }

    /// Creates the last of these backups, and restores all of them.
    private func expectWhole(_ kept: [Int]) throws {
        let next = try create()
        #expect(next.output.contains("backup \(kept[kept.count - 1])"), "\(next.output)")
        #expect(try withKey("prune", path, "--keep-last", "9").exitCode == .done)
        let verified = try withKey("verify", path)
        #expect(verified.exitCode == .done, "\(verified.errors)")
        for number in kept {
            let out = fixture.path("restored-\(number).db")
            let restored = try withKey("restore", path, "\(number)", out)
            #expect(restored.exitCode == .done, "\(restored.errors)")
        }
    }

    @Test(.proves("OPR-209"))
    func `A backup of an earlier key before a damaged manifest is kept, and named`() throws {
        let new = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "new.key")
        try #require(try withKey("repair", path, "--rebuild-head").exitCode == .done)
        let rotation = try CommandRun(
            ["rotate-key", fixture.database, "--key-file", fixture.keyFile, "--new-key-file", new])
        #expect(rotation.exitCode == .done, "\(rotation.errors)")
        let introduced = try CommandRun(
            [
                "backup", "create", fixture.database, "--to", path, "--key-file", new,
                "--introducer-key-file", fixture.keyFile,
            ], in: world)
        #expect(introduced.exitCode == .done, "\(introduced.errors)")
        try FileManager.default.removeItem(atPath: path + "/head")
        try damage(2)
        let run = try withKey("repair", path, "--rebuild-head", key: new)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.output.contains("with backups 1, 3, 4, without backup 2"), "\(run.output)")
        #expect(run.errors.contains("backup 1"), "\(run.errors)")
        let out = fixture.path("restored-1.db")
        let restored = try withKey("restore", path, "1", out)
        #expect(restored.exitCode == .done, "\(restored.errors)")
        let forged = try withKey("restore", path, "1", fixture.path("x.db"), key: new)
        #expect(forged.exitCode == .wrongKey, "\(forged.errors)")
    }
}
