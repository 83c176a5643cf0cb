import Foundation
import StrongroomBackup
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("A folder of repositories")
struct BackupRootTests {
    private let fixture: CommandLineFixture
    private let folder: String
    private let root: String

    init() throws {
        fixture = try CommandLineFixture()
        folder = fixture.path("shops")
        root = fixture.path("root")
        let manager = FileManager.default
        try manager.createDirectory(atPath: folder + "/north", withIntermediateDirectories: true)
        try manager.createDirectory(atPath: root, withIntermediateDirectories: true)
        for name in ["a.db", "north/a.db", "b%.db"] { try makeDatabase(folder + "/" + name) }
    }

    private func makeDatabase(_ path: String, key: String = CommandLineFixture.key) throws {
        try SQLCipherShell(path: path, key: .content(key)).create(
            "PRAGMA synchronous = OFF; CREATE TABLE t (a); INSERT INTO t VALUES ('\(path)');")
    }

    private func create(_ words: String...) throws -> CommandRun {
        try CommandRun(
            ["backup", "create", folder, "--to", root, "--key-file", fixture.keyFile] + words)
    }

    private func on(_ command: String, _ words: String...) throws -> CommandRun {
        try CommandRun(["backup", command, root] + words)
    }

    @Test(
        "a hash is expected of each by name, and one backup is restored on trial", .proves("OPR-16")
    )
    func verification() throws {
        #expect(try create().exitCode == .done)
        let list = try #require(try on("list", "--json").json as? [[String: Any]])
        var expected: [String] = []
        for backup in list {
            let name = try #require(backup["repository"] as? String)
            let hash = try #require(backup["hash"] as? String)
            expected += ["--expect", "\(name)=\(hash)"]
        }
        let id = try #require(list.last?["id"] as? String)
        let key = ["--key-file", fixture.keyFile]
        let run = try CommandRun(["backup", "verify", root, id] + expected + key)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.output.contains("3 of 3 repositories are sound"))
        #expect(run.output.split(separator: "\n").count { $0.contains("restored on trial") } == 1)
        let wrong = String(repeating: "a", count: 64)
        let other = try on("verify", "--expect", "a.db=\(wrong)")
        #expect(other.exitCode == .damaged && other.errors.contains("does not have the hash"))
        #expect(other.output.contains("2 of 3 repositories are sound"))
        #expect(try on("verify", "--expect", wrong).exitCode == .usage)
        #expect(try on("verify", "00000000").errors.contains("no repository in"))
    }

    @Test(
        "each database gets a repository of its own, and every command knows all of them",
        .proves("OPR-16", "BKP-024"))
    func everything() throws {
        let first = try create("--jobs", "3")
        #expect(first.exitCode == .done, "\(first.errors)")
        #expect(first.output.contains("3 of 3 databases are backed up to"))
        let names = try FileManager.default.contentsOfDirectory(atPath: root).sorted()
        #expect(names == ["a.db", "b%25.db", "lock", "north%2Fa.db"])
        #expect(try create().output.contains("0 of 2 pages stored"))
        let list = try #require(try on("list", "--json").json as? [[String: Any]])
        #expect(list.count == 6)
        #expect(list.compactMap { $0["repository"] as? String }.last == "north%2Fa.db")
        let verify = try on("verify", "--key-file", fixture.keyFile)
        #expect(verify.exitCode == .done && verify.output.contains("3 of 3 repositories are sound"))
        #expect(try on("status", "--max-age", "1h").exitCode == .done)
        let prune = try on("prune", "--keep-last", "1", "--key-file", fixture.keyFile)
        #expect(prune.exitCode == .done && prune.output.contains("north%2Fa.db: 1 kept, 1 removed"))
        let out = fixture.path("out")
        let restore = try on("restore", out, "--key-file", fixture.keyFile)
        #expect(restore.exitCode == .done, "\(restore.errors)")
        for name in ["a.db", "north/a.db", "b%.db"] {
            let shell = SQLCipherShell(
                path: out + "/" + name, key: .content(CommandLineFixture.key))
            #expect(try shell.cell("SELECT a FROM t") == .text(folder + "/" + name))
        }
    }

    @Test(
        "what is left out is told with its reason, and is no success", .proves("OPR-16"))
    func leftOut() throws {
        try makeDatabase(folder + "/other.db", key: CommandLineFixture.otherKey)
        try FileManager.default.copyItem(atPath: fixture.plain, toPath: folder + "/plain.sqlite")
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/link.db", withDestinationPath: fixture.database)
        let run = try create()
        #expect(run.exitCode == .failed)
        #expect(run.output.contains("3 of 6 databases are backed up"))
        #expect(run.errors.contains("plain.sqlite is not backed up: it is not encrypted"))
        #expect(run.errors.contains("link.db is not backed up: it is a link to a file elsewhere"))
        #expect(run.errors.contains("other.db"))
        let lines = try create("--json").output.split(separator: "\n")
        let outcomes = try lines.map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        #expect(outcomes.count { $0?["outcome"] as? String == "stored" } == 3)
        #expect(outcomes.count { $0?["outcome"] as? String == "failed" } == 3)
    }

    @Test("two databases that would have one name are both left out", .proves("BKP-024"))
    func collision() throws {
        try makeDatabase(folder + "/A.db")
        let run = try create()
        #expect(run.exitCode == .failed && run.output.contains("2 of 4 databases"))
        #expect(run.errors.contains("another database would have the repository"))
        #expect(!FileManager.default.fileExists(atPath: root + "/a.db"))
    }

    @Test("a run that is repeated leaves out what has a young backup", .proves("BKP-024"))
    func resumed() throws {
        #expect(try create().exitCode == .done)
        try makeDatabase(folder + "/new.db")
        let run = try create("--skip-newer", "1h")
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.output.components(separatedBy: "has a recent backup").count == 4)
        #expect(try on("list", "--json").json.map { ($0 as? [Any])?.count } == 4)
    }

    @Test(
        "a repository that a killed run has begun is gone on with, and appears whole",
        .proves("BKP-024"))
    func begun() throws {
        let begun = root + "/.new-a.db"
        try FileManager.default.createDirectory(
            atPath: begun + "/packs", withIntermediateDirectories: true)
        #expect(try create().exitCode == .done)
        #expect(!FileManager.default.fileExists(atPath: begun))
        #expect(try on("verify").exitCode == .done)
    }

    @Test(
        "a link in the place of a repository is not followed, by whatever command",
        .proves("BKP-024", "HST-03"))
    func links() throws {
        #expect(try create().exitCode == .done)
        let elsewhere = fixture.path("elsewhere")
        let manager = FileManager.default
        try manager.moveItem(atPath: root + "/a.db", toPath: elsewhere)
        try manager.createSymbolicLink(atPath: root + "/a.db", withDestinationPath: elsewhere)
        let before = try manager.contentsOfDirectory(atPath: elsewhere + "/packs")
        for run in [
            try create(), try on("verify"), try on("list"), try on("status"),
            try on("prune", "--keep-last", "1", "--key-file", fixture.keyFile),
        ] {
            #expect(run.exitCode == .damaged, "\(run.errors)")
        }
        #expect(try manager.contentsOfDirectory(atPath: elsewhere + "/packs") == before)
    }

    @Test("a name that leads out of a folder is not followed by restore", .proves("BKP-024"))
    func hostileName() throws {
        #expect(try create().exitCode == .done)
        let manager = FileManager.default
        try manager.moveItem(atPath: root + "/a.db", toPath: root + "/%2E.%2Fa.db")
        let out = fixture.path("out")
        #expect(try on("restore", out, "--key-file", fixture.keyFile).exitCode == .done)
        #expect(manager.fileExists(atPath: out + "/%2E.%2Fa.db"))
        #expect(!manager.fileExists(atPath: fixture.path("a.db")))
    }

    @Test("a root that is not there, or that lies in the folder, is refused", .proves("BKP-024"))
    func refusedRoot() throws {
        let missing = try CommandRun(
            ["backup", "create", folder, "--to", root + "/no", "--key-file", fixture.keyFile])
        #expect(missing.exitCode == .notFound && missing.errors.contains("is no folder"))
        let inside = folder + "/backups"
        try FileManager.default.createDirectory(
            atPath: inside, withIntermediateDirectories: true)
        let run = try CommandRun(
            ["backup", "create", folder, "--to", inside, "--key-file", fixture.keyFile])
        #expect(run.exitCode == .usage)
    }

    @Test("two runs at once back up everything, twice", .proves("BKP-024"))
    func twoRuns() throws {
        let tool = PackageFiles.program("strongroom")
        let words = "backup create '\(folder)' --to '\(root)' --key-file '\(fixture.keyFile)'"
        let result = try Subprocess.run(
            "sh",
            [
                "-c",
                "'\(tool)' \(words) --state none & one=$!; '\(tool)' \(words) --state none && "
                    + "wait $one",
            ])
        #expect(result.isSuccess, "\(result)")
        #expect(try on("verify").exitCode == .done)
        #expect((try on("list", "--json").json as? [Any])?.count == 6)
    }

    @Test("names are the same for the same bytes only", .proves("BKP-024"))
    func names() throws {
        let name = { (bytes: [UInt8]) in try BackupRoot.repositoryName(forDatabaseAt: bytes) }
        #expect(try name(Array("north/é.db".utf8)) == "north%2Fé.db")
        #expect(try name([0x61, 0xff, 0x2e, 0x64]) == "a%FF.d")
        #expect(try name(Array(".. /x:y%".utf8)) == "%2E. %2Fx%3Ay%25")
        let long = Array(String(repeating: "long/", count: 100).utf8)
        #expect(try name(long).utf8.count <= 204)
        #expect(try name(long + [0x61]) != name(long + [0x62]))
    }
}
