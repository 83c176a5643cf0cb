import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("The repair of a repository, and a second database in one")
struct BackupRepairTests {
    private let fixture: CommandLineFixture
    private let repository: String

    init() throws {
        fixture = try CommandLineFixture()
        repository = fixture.path("repository")
        try fixture.shell.run(
            """
            PRAGMA synchronous = OFF;
            CREATE TABLE t (a);
            WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 500)
              INSERT INTO t SELECT hex(randomblob(100)) FROM c;
            """)
        #expect(try fixture.run("backup", "init", repository).exitCode == .done)
        #expect(try create(fixture.database).exitCode == .done)
    }

    private func create(_ database: String, _ words: String...) throws -> CommandRun {
        try CommandRun(
            ["backup", "create", database, "--to", repository, "--key-file", fixture.keyFile]
                + words)
    }

    private func pack() throws -> URL {
        let packs = URL(fileURLWithPath: repository + "/packs")
        let name = try #require(
            FileManager.default.contentsOfDirectory(atPath: packs.path).sorted().first)
        return packs.appendingPathComponent(name)
    }

    private func flip(at offset: Int) throws {
        let url = try pack()
        var content = try Data(contentsOf: url)
        content[offset] ^= 1
        try content.write(to: url)
    }

    private func repair(_ words: String...) throws -> CommandRun {
        try CommandRun(["backup", "repair", repository] + words)
    }

    @Test("the database heals a page of an earlier backup", .proves("BKP-025", "OPR-57"))
    func fromDatabase() throws {
        let whole = try Data(contentsOf: pack())
        try flip(at: 16 + 3 * 4096 + 50)
        let key = ["--database", fixture.database, "--key-file", fixture.keyFile]
        let alone = try repair()
        #expect(alone.exitCode == .damaged && alone.output.contains("0 files repaired"))
        let plan = try CommandRun(["backup", "repair", repository, "--dry-run"] + key)
        #expect(plan.exitCode == .damaged && plan.output.contains("1 file could be repaired"))
        #expect(try Data(contentsOf: pack()) != whole)
        // It promises nothing, and does not ask for a copy that is not needed.
        #expect(plan.errors.contains("backup 1 cannot be restored; nothing was changed"))
        #expect(plan.errors.contains("without --dry-run repairs what is listed above"))
        #expect(!plan.errors.contains("--from"), "\(plan.errors)")
        let vain = try repair("--dry-run")
        #expect(vain.exitCode == .damaged && vain.output.contains("0 files could be repaired"))
        #expect(vain.errors.contains("none of the damage can be repaired"), "\(vain.errors)")
        #expect(vain.errors.contains("--from COPY"))
        let run = try CommandRun(["backup", "repair", repository] + key)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.output.contains("1 file repaired, 1 backup healed"))
        #expect(try Data(contentsOf: pack()) == whole)
        let out = fixture.path("out.db")
        let restore = try fixture.run(
            "backup", "restore", repository, "1", out, "--key-file", fixture.keyFile)
        #expect(restore.exitCode == .done)
    }

    private enum Damage: CaseIterable {
        case page, table, missing, manifest
    }

    @Test("a copy heals whatever it has", .proves("BKP-025"), arguments: Damage.allCases)
    private func fromCopy(damage: Damage) throws {
        let copy = fixture.path("copy")
        let manager = FileManager.default
        try manager.copyItem(atPath: repository, toPath: copy)
        switch damage {
        case .page: try flip(at: 16 + 4096 + 1)
        case .table: try flip(at: Data(contentsOf: pack()).count - 40)
        case .missing: try manager.removeItem(at: pack())
        case .manifest:
            let folder = repository + "/backups"
            let name = try #require(manager.contentsOfDirectory(atPath: folder).first)
            try Data("gone".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        }
        #expect(try fixture.run("backup", "verify", repository).exitCode == .damaged)
        let run = try repair("--from", copy, "--json")
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect((run.json as? [String: Any])?["sound"] as? Bool == true)
        #expect(try fixture.run("backup", "verify", repository).exitCode == .done)
    }

    @Test("a copy of another repository heals nothing", .proves("BKP-025"))
    func otherRepository() throws {
        let other = fixture.path("other")
        #expect(try fixture.run("backup", "init", other).exitCode == .done)
        try flip(at: 100)
        let run = try repair("--from", other)
        #expect(run.exitCode == .failed && run.errors.contains("but another repository"))
    }

    @Test("a second database in a repository is asked for", .proves("OPR-16"))
    func secondDatabase() throws {
        let second = fixture.path("second.db")
        try SQLCipherShell(path: second, key: .content(CommandLineFixture.key))
            .create(CommandLineFixture.schema)
        let refused = try create(second)
        #expect(refused.exitCode == .failed)
        #expect(refused.errors.contains("has backups of another database: shop.db"))
        #expect(try create(second, "--another-database").exitCode == .done)
        #expect(try create(second).exitCode == .done)
        #expect(try create(fixture.database).exitCode == .done)
    }

    @Test(
        "a repository that has lost a part is damaged", .proves("BKP-025"),
        arguments: ["head", "packs"])
    func lostPart(name: String) throws {
        try FileManager.default.removeItem(atPath: repository + "/" + name)
        for words in [["backup", "verify"], ["backup", "repair"], ["backup", "list"]] {
            let run = try CommandRun(words + [repository])
            #expect(run.exitCode == .damaged, "\(words): \(run.errors)")
            #expect(run.errors.contains("\(name) is missing in it"))
            #expect(run.errors.contains("fetch \(name) from another copy of the repository"))
        }
    }
}
