import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// What lies in a repository, or beside one, without belonging there.
@Suite struct StrangerInRootTests {
    private let files: CommandLineFixture
    private let root: String

    init() throws {
        files = try CommandLineFixture()
        root = files.path("root")
        let sources = files.path("sources")
        for folder in [root, sources] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false)
        }
        for name in ["a.db", "b.db"] {
            try FileManager.default.copyItem(atPath: files.database, toPath: sources + "/" + name)
        }
        for number in 1...2 {
            for name in ["a.db", "b.db"] {
                try run([
                    "query", sources + "/" + name, "--write",
                    "CREATE TABLE t\(number) AS SELECT '\(name)' AS name, randomblob(60000) AS b",
                ])
            }
            try run(["backup", "create", sources, "--to", root])
        }
    }

    @discardableResult
    private func run(_ words: [String], _ code: ExitCode = .done) throws -> CommandRun {
        let run = try CommandRun(words + ["--key-file", files.keyFile])
        #expect(run.exitCode == code, "\(words): \(run.errors)")
        return run
    }

    private var repository: String { root + "/a.db" }

    private func packs(_ name: String = "a.db") throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: root + "/\(name)/packs"))
    }

    private func expectRestored(_ place: String) throws {
        for number in ["1", "2"] {
            let out = files.path("out.db")
            try? FileManager.default.removeItem(atPath: out)
            try run(["backup", "restore", place, number, out])
            let names = try run(["query", out, "SELECT name FROM t\(number)", "--csv"])
            #expect(names.output.contains("a.db"))
        }
    }

    @Test(
        "packs of another repository under the same numbers hinder nothing, and pruning removes them",
        .proves("OPR-99"), arguments: RepositoryWay.possible)
    func foreignPacks(way: RepositoryWay) throws {
        let place = way.place(repository)
        let own = try packs()
        for name in try packs("b.db") {
            try FileManager.default.copyItem(
                atPath: root + "/b.db/packs/" + name, toPath: repository + "/packs/" + name)
        }
        #expect(try packs().count == 2 * own.count)
        try run(["backup", "verify", place])
        try expectRestored(place)
        let status = try CommandRun(["backup", "status", way.place(root)])
        #expect(status.exitCode == .done, "\(status.errors)")
        try run(["backup", "create", files.path("sources/a.db"), "--to", place, "--read-all"])
        try run(["backup", "prune", place, "--keep-last", "9"])
        #expect(try packs().isSubset(of: own))
        try run(["backup", "verify", place])
        try expectRestored(place)
    }

    @Test(
        "a damaged file under the number of a pack is named, and no backup suffers",
        .proves("OPR-99"), arguments: RepositoryWay.possible)
    func emptyPack(way: RepositoryWay) throws {
        let zeros = String(repeating: "0", count: 64)
        try Data().write(to: URL(fileURLWithPath: repository + "/packs/00000001-\(zeros).pack"))
        let verify = try run(["backup", "verify", way.place(repository)], .damaged)
        #expect(verify.errors.contains("all backups are whole"), "\(verify.errors)")
        #expect(verify.errors.contains("move them away"), "\(verify.errors)")
        try expectRestored(way.place(repository))
    }

    @Test(
        "damage in a pack is found although there is a sound one with its number",
        .proves("OPR-99"), arguments: RepositoryWay.possible)
    func damagedBesideForeign(way: RepositoryWay) throws {
        let place = way.place(repository)
        let own = try #require(try packs().first { $0.hasPrefix("00000001-") })
        for name in try packs("b.db") {
            try FileManager.default.copyItem(
                atPath: root + "/b.db/packs/" + name, toPath: repository + "/packs/" + name)
        }
        let path = repository + "/packs/" + own
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let middle = try file.seekToEnd() / 2
        try file.seek(toOffset: middle)
        try file.write(contentsOf: Data(repeating: 0xa5, count: 64))
        try file.close()
        let verify = try run(["backup", "verify", place], .damaged)
        #expect(verify.errors.contains("affected"), "\(verify.errors)")
        try run(["backup", "restore", place, "1", files.path("out.db")], .damaged)
    }

    @Test(
        "a repository that this user may not read is a failure of all that reads the folder",
        .enabled(if: Unprivileged.isPossible), .proves("OPR-101"))
    func unreadable() throws {
        let folder = try TemporaryDirectory()
        for name in ["a.db", "b.db"] {
            try FileManager.default.copyItem(
                atPath: root + "/" + name, toPath: folder.path(of: name))
        }
        let copied = try Subprocess.run("chmod", ["-R", "a+rX", folder.path])
        try #require(copied.isSuccess)
        let unprivileged = try Unprivileged(in: folder)
        _ = chmod(folder.path(of: "a.db"), 0o555)
        for closed in ["b.db", "lost+found"] {
            let path = folder.path(of: closed)
            try? FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
            _ = chmod(path, 0o700)
        }
        for words in [["status", "."], ["list", "."], ["verify", ".", "--no-key"]] {
            let run = try unprivileged("strongroom", ["backup"] + words + ["--state", "none"])
            #expect(!run.isSuccess, "\(words): \(run.outputText)")
            #expect(
                (run.errorText + run.outputText).contains("b.db: Permission denied"),
                "\(run.errorText)")
            #expect(!(run.errorText + run.outputText).contains("lost+found"), "\(run.errorText)")
        }
    }

    @Test("a name with control characters is spelt out where it is restored", .proves("OPR-164"))
    func controlCharacters() throws {
        let name = "a.db\u{1B}[2K\r\u{1B}[1mrestored b.db"
        try FileManager.default.moveItem(atPath: repository, toPath: root + "/" + name)
        let run = try CommandRun(
            ["backup", "restore", root, files.path("out"), "--key-file", files.keyFile])
        #expect(run.output.contains("\\u{1B}[2K\\r"), "\(run.output) \(run.errors)")
        for text in [run.output, run.errors] {
            #expect(!text.contains("\u{1B}") && !text.contains("\r"))
        }
    }
}
