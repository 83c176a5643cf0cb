import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

/// Folders of repositories whose names, or whose remembered states, are not what they were.
@Suite struct ExchangedRepositoryTests {
    private let fixture: CommandLineFixture
    private let root: String
    private var world = CommandRun.World()

    init() throws {
        fixture = try CommandLineFixture()
        root = fixture.path("root")
        world.settings = ["STRONGROOM_STATE": fixture.path("state")]
        let folder = fixture.path("all")
        for path in [root, folder] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        }
        for name in ["a.db", "b.db", "c.db"] {
            let words = ["encrypt", fixture.plain, folder + "/" + name]
            try #require(
                try CommandRun(words + ["--key-file", fixture.keyFile]).exitCode == .done)
        }
        let run = try run("create", folder, "--to", root, "--key-file", fixture.keyFile)
        try #require(run.exitCode == .done, "\(run.errors)")
    }

    private func run(_ words: String...) throws -> CommandRun {
        try CommandRun(["backup"] + words, in: world)
    }

    private func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(
            atPath: root + "/" + name, toPath: root + "/" + other)
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test(.proves("OPR-106"))
    func `Exchanged folders are refused, and the others are restored`() throws {
        try move("a.db", to: "x")
        try move("b.db", to: "a.db")
        try move("x", to: "b.db")
        let out = fixture.path("out")
        let restored = try run("restore", root, out, "--state", "none")
        #expect(restored.exitCode == .failed)
        #expect(restored.output.contains("1 of 3 repositories are restored"))
        for (name, other) in [("a.db", "b.db"), ("b.db", "a.db")] {
            #expect(
                restored.errors.contains(
                    "the repository \(name) has a backup of \(other), which has its own repository \(other)"
                ),
                "\(restored.errors)")
            #expect(!exists(out + "/" + name))
        }
        #expect(exists(out + "/c.db"))
        // A copy in the place of another one is not its own either.
        try FileManager.default.removeItem(atPath: root + "/a.db")
        try FileManager.default.copyItem(atPath: root + "/c.db", toPath: root + "/a.db")
        let copied = try run("restore", root, fixture.path("copied"), "--state", "none")
        #expect(
            copied.errors.contains("the repository a.db has a backup of c.db, which has its own"))
        // What the hint says restores it all the same.
        let alone = fixture.path("alone.db")
        #expect(restored.errors.contains("strongroom backup restore \(root)/a.db OUT"))
        #expect(try run("restore", root + "/a.db", alone, "--state", "none").exitCode == .done)
    }

    @Test(.proves("OPR-106"))
    func `A renamed folder is restored, with a warning`() throws {
        try move("a.db", to: "z.db")
        // Named by hand, without the ending.
        try move("b.db", to: "b")
        let out = fixture.path("out")
        let restored = try run("restore", root, out, "--state", "none")
        #expect(restored.exitCode == .done, "\(restored.errors)")
        let warning = "the repository z.db has a backup of a.db, which is restored as z.db"
        #expect(restored.errors.contains(warning), "\(restored.errors)")
        #expect(!restored.errors.contains("the repository b "), "\(restored.errors)")
        #expect(["z.db", "b", "c.db"].allSatisfy { exists(out + "/" + $0) })
    }

    @Test(.proves("OPR-109"))
    func `A remembered state that is garbage hides no other repository`() throws {
        let state = fixture.path("state")
        let files = try FileManager.default.contentsOfDirectory(atPath: state)
            .filter { $0.hasPrefix("repository-") }
        let garbled = try #require(files.first)
        try Data("garbage".utf8).write(to: URL(fileURLWithPath: state + "/" + garbled))
        let status = try run("status", root, "--json")
        let json = try #require(status.json as? [String: Any], "\(status.errors)")
        let repositories = try #require(json["repositories"] as? [[String: Any]])
        #expect(repositories.count == 3)
        let failed = repositories.filter { $0["error"] != nil }
        #expect(failed.count == 1)
        let path = try #require(failed.first?["path"] as? String)
        #expect((failed.first?["error"] as? String)?.contains(path.suffix(9)) == true)
        #expect(status.exitCode == .failed)
        // Each of the others alone is OK, and the rest of the work goes on.
        for repository in repositories where repository["error"] == nil {
            let path = try #require(repository["path"] as? String)
            let status = try run("status", path)
            #expect(status.exitCode == .done, "\(status.errors)")
        }
        let verified = try run("verify", root)
        #expect(verified.output.contains("2 of 3 repositories are sound"), "\(verified.output)")
        // Of a repository that is gone, nothing shows which one it was.
        try FileManager.default.removeItem(atPath: path)
        let gone = try run("status", root)
        #expect(gone.exitCode == .failed && gone.output.hasPrefix("FAILED: "), "\(gone.output)")
    }
}
