import Foundation
import Strongroom
import StrongroomBackup
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("Backups after something went wrong")
struct BackupTrustTests {
    private let fixture: CommandLineFixture
    private let path: String

    init() throws {
        fixture = try CommandLineFixture()
        path = fixture.path("repository")
        #expect(try fixture.run("backup", "init", path).exitCode == .done)
        #expect(try create().exitCode == .done)
    }

    private func create(_ words: String...) throws -> CommandRun {
        try CommandRun(
            ["backup", "create", fixture.database, "--to", path, "--key-file", fixture.keyFile]
                + words)
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
    }

    private func url(_ name: String) -> URL { URL(fileURLWithPath: path + "/" + name) }

    @Test("create stores again what is damaged, warns, and --full stores all", .proves("OPR-09"))
    func damagedPack() throws {
        let pack = url("packs/" + (try #require(try names("packs").last)))
        var content = try Data(contentsOf: pack)
        content[16 + 4096 + 50] ^= 0xff
        try content.write(to: pack)
        let verified = try fixture.run("backup", "verify", path)
        #expect(verified.exitCode == .damaged && verified.errors.contains("--full"))

        try fixture.shell.run("INSERT INTO artist VALUES (3, 'Cleo')")
        let second = try create()
        #expect(second.exitCode == .done && second.errors.contains("stored again"))
        let out = fixture.path("out.db")
        let restored = try fixture.run(
            "backup", "restore", path, out, "--key-file", fixture.keyFile)
        #expect(restored.exitCode == .done)
        let shell = SQLCipherShell(path: out, key: .content(CommandLineFixture.key))
        #expect(try shell.cell("SELECT count(*) FROM artist") == .integer(3))

        let full = try create("--full", "--json")
        let json = try #require(full.json as? [String: Any])
        #expect(json["kind"] as? String == "full" && json["notices"] as? [String] == [])
        #expect(json["storedPageCount"] as? Int == json["pageCount"] as? Int)
        let pruned = try fixture.run(
            "backup", "prune", path, "--keep-last", "1", "--key-file", fixture.keyFile)
        #expect(pruned.exitCode == .done)
        #expect(try fixture.run("backup", "verify", path).exitCode == .done)
    }

    @Test(
        "After a rollback --expect fails, and create moves aside what is newer",
        .proves("HST-10", "HST-13"))
    func rollback() throws {
        let head = try Data(contentsOf: url("head"))
        try fixture.shell.run("INSERT INTO artist VALUES (3, 'Cleo')")
        #expect(try create().exitCode == .done)
        let verified = try fixture.run("backup", "verify", path)
        let hash = try #require(verified.output.split(separator: " ").last).dropLast()
        let expect = ["backup", "verify", path, "--expect", String(hash)]
        #expect(try CommandRun(expect).exitCode == .done)

        try head.write(to: url("head"))
        let name = try #require(try names("backups").last)
        let manifest = try Data(contentsOf: url("backups/" + name))
        try Data().write(to: url("backups/" + name))
        let rolledBack = try CommandRun(expect)
        #expect(rolledBack.exitCode == .damaged && rolledBack.errors.contains("older state"))

        try manifest.write(to: url("backups/" + name))
        let next = try create()
        #expect(next.exitCode == .done && next.errors.contains("/aside"))
        #expect(try Data(contentsOf: url("aside/" + name)) == manifest)
    }

    @Test("A date that goes back is reported, and does not decide what is last", .proves("LOD-08"))
    func clock() throws {
        // The clock of the tool is right: one backup was made when it was ahead.
        var repository = try BackupRepository(path: path)
        repository.now = { Date().addingTimeInterval(300 * 86_400) }
        let key = try Array(CommandLineFixture.key.utf8).withUnsafeBytes {
            try CipherKey(parsing: $0)
        }
        try repository.backUp(DatabaseFile(path: fixture.database, key: key), tag: "ahead")
        let third = try create("--tag", "third")
        #expect(third.exitCode == .done && third.errors.contains("the clock is wrong"))
        let list = try fixture.run("backup", "list", path)
        #expect(list.output.contains("third"))
        #expect(list.errors.contains("backup 3 has an earlier date"))
        let restored = try fixture.run("backup", "restore", path, fixture.path("out.db"))
        #expect(restored.output.contains("backup 3 "))
        let pruned = try fixture.run(
            "backup", "prune", path, "--keep-last", "1", "--key-file", fixture.keyFile)
        #expect(pruned.output.contains("removed backup 2"))
        #expect(try fixture.run("backup", "list", path).output.contains("third"))
    }
}
