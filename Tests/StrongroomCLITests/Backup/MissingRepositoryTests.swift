import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("A repository that was removed whole from a folder of repositories")
struct MissingRepositoryTests {
    private let fixture: CommandLineFixture
    private let root: String
    private var world = CommandRun.World()

    init() throws {
        fixture = try CommandLineFixture()
        root = fixture.path("root")
        world.settings = ["XDG_STATE_HOME": fixture.path("state")]
        let manager = FileManager.default
        let folder = fixture.path("shops")
        for path in [folder, root] {
            try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        for name in ["a.db", "b.db"] {
            try manager.copyItem(atPath: fixture.database, toPath: folder + "/" + name)
        }
        let created = try CommandRun(
            ["backup", "create", folder, "--to", root, "--key-file", fixture.keyFile], in: world)
        try #require(created.exitCode == .done, "\(created.errors)")
    }

    private func on(_ command: String, _ words: String...) throws -> CommandRun {
        try CommandRun(["backup", command, root] + words, in: world)
    }

    private func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: root + "/" + name)
    }

    @Test("is a failure for monitors until it is accepted", .proves("BKP-026"))
    func status() throws {
        #expect(try on("status", "--max-age", "26h").exitCode == .done)
        try remove("b.db")
        let gone = "\(root)/b.db is gone: it had 1 backup when this host used it last"
        for _ in 0..<2 {
            let status = try on("status", "--max-age", "26h")
            #expect(status.exitCode == .damaged && status.output == "FAILED: \(gone)\n")
            #expect(status.errors.contains("--accept-rollback"))
        }
        let json = try on("status", "--json")
        #expect(json.exitCode == .damaged)
        let object = try #require(json.json as? [String: Any])
        #expect(object["ok"] as? Bool == false)
        let repositories = try #require(object["repositories"] as? [[String: Any]])
        #expect(repositories.map { $0["path"] as? String } == [root + "/a.db", root + "/b.db"])
        #expect(repositories[1]["error"] as? String == gone)

        #expect(try on("status", "--accept-rollback").exitCode == .done)
        let accepted = try on("status", "--max-age", "26h")
        #expect(accepted.exitCode == .done && accepted.output.hasPrefix("OK: 1 database, "))
    }

    @Test("is told by every command that does all of them", .proves("BKP-026"))
    func commands() throws {
        try remove("a.db")
        let out = fixture.path("out")
        for words in [
            ["list", root], ["verify", root], ["restore", root, out],
            ["prune", root, "--keep-last", "1", "--key-file", fixture.keyFile],
        ] {
            let run = try CommandRun(["backup"] + words, in: world)
            #expect(run.exitCode == .damaged, "\(words)")
            #expect(run.errors.contains("\(root)/a.db is gone: "), "\(words)")
        }
        #expect(try on("verify").output.contains("1 of 2 repositories are sound"))
        // The others are done all the same.
        #expect(FileManager.default.fileExists(atPath: out + "/b.db"))
    }

    @Test(
        "is missed where all of them went, or one has taken the folder's place", .proves("BKP-026"))
    func everything() throws {
        let copy = fixture.path("copy")
        try FileManager.default.moveItem(atPath: root + "/b.db", toPath: copy)
        try remove("a.db")
        let none = try on("status")
        #expect(none.exitCode == .damaged && none.output.contains("a.db is gone"))
        #expect(none.output.contains(", and 1 more"))
        try FileManager.default.removeItem(atPath: root)
        try FileManager.default.moveItem(atPath: copy, toPath: root)
        let one = try on("status", "--max-age", "26h")
        #expect(one.exitCode == .damaged && one.output.contains("a.db is gone"))
        #expect(try on("status", "--accept-rollback").exitCode == .done)
        #expect(try on("status").exitCode == .done)
    }

    @Test(
        "is missed whatever stands in its place, and by whatever path it is asked for",
        .proves("BKP-026"))
    func disguises() throws {
        try remove("b.db")
        try Data("x".utf8).write(to: URL(fileURLWithPath: root + "/b.db"))
        #expect(try on("status").exitCode == .damaged)
        try remove("b.db")
        try FileManager.default.createDirectory(
            atPath: root + "/b.db", withIntermediateDirectories: false)
        let link = fixture.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: root)
        for path in [root + "/", link] {
            let status = try CommandRun(["backup", "status", path], in: world)
            #expect(
                status.exitCode == .damaged && status.output.contains("b.db is gone"), "\(path)")
        }
        // Nobody remembers anything, or what is remembered cannot be read.
        #expect(try on("status", "--state", "none").exitCode == .done)
        let state = fixture.path("state/strongroom")
        for name in try FileManager.default.contentsOfDirectory(atPath: state)
        where name.hasPrefix("repository-") {
            try Data("{}".utf8).write(to: URL(fileURLWithPath: state + "/" + name))
        }
        #expect(try on("status").exitCode != .done)
    }

    @Test(
        "is named before another is created where its disk is not mounted", .proves("OPR-117"))
    func unmounted() throws {
        let repository = fixture.path("disk/shop")
        func run(_ words: String...) throws -> CommandRun {
            try CommandRun(["backup"] + words, in: world)
        }
        let create = [
            "backup", "create", fixture.database, "--to", repository, "--key-file", fixture.keyFile,
        ]
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: fixture.path("disk"), withIntermediateDirectories: false)
        #expect(try run("init", repository).exitCode == .done)
        // Nothing is lost with one that has no backup.
        try manager.removeItem(atPath: repository)
        #expect(try run("init", repository).exitCode == .done)
        #expect(try CommandRun(create, in: world).exitCode == .done)
        try manager.moveItem(atPath: fixture.path("disk"), toPath: fixture.path("unmounted"))
        let lost = "there is no repository at \(repository), which had 1 backup"
        for isEmpty in [false, true] {
            if isEmpty {
                try manager.createDirectory(
                    atPath: repository, withIntermediateDirectories: true)
            }
            for words in [create, ["backup", "init", repository]] {
                let refused = try CommandRun(words, in: world)
                #expect(refused.exitCode == .damaged, "\(words)")
                #expect(refused.errors.contains(lost), "\(refused.errors)")
                #expect(refused.errors.contains("mount its disk"), "\(refused.errors)")
            }
        }
        // What is remembered still stands.
        try manager.removeItem(atPath: fixture.path("disk"))
        try manager.moveItem(atPath: fixture.path("unmounted"), toPath: fixture.path("disk"))
        #expect(try run("status", repository).exitCode == .done)
        try manager.removeItem(atPath: repository)
        #expect(try run("init", repository, "--accept-rollback").exitCode == .done)
        #expect(try CommandRun(create, in: world).exitCode == .done)
    }

    @Test(
        "is not begun anew in the folder of a disk that is not mounted", .proves("OPR-117"))
    func unmountedRoot() throws {
        let folder = fixture.path("shops")
        let words = ["backup", "create", folder, "--to", root, "--key-file", fixture.keyFile]
        let manager = FileManager.default
        try manager.moveItem(atPath: root, toPath: fixture.path("unmounted"))
        try manager.createDirectory(atPath: root, withIntermediateDirectories: false)
        let refused = try CommandRun(words, in: world)
        #expect(refused.exitCode == .damaged, "\(refused.errors)")
        #expect(refused.errors.contains("which had 1 backup when this host used it last"))
        #expect(try manager.contentsOfDirectory(atPath: root).isEmpty)
        try manager.removeItem(atPath: root)
        try manager.moveItem(atPath: fixture.path("unmounted"), toPath: root)
        #expect(try CommandRun(words, in: world).exitCode == .done)
        #expect(try on("status").exitCode == .done)
    }

    @Test(
        "counts as damaged also if only one of its folders is left", .proves("OPR-119"),
        arguments: ["packs", "backups"])
    func remains(_ folder: String) throws {
        for name in ["head", folder] {
            try FileManager.default.removeItem(atPath: root + "/a.db/" + name)
        }
        let status = try on("status", "--state", "none")
        #expect(status.exitCode == .damaged && status.output.contains("a.db"), "\(status.output)")
        let verify = try on("verify", "--state", "none")
        #expect(verify.exitCode != .done)
        #expect(verify.output.contains("1 of 2 repositories are sound"), "\(verify.output)")
    }

    @Test(
        "has backups of a file that is no database any more, which is a failure", .proves("OPR-149")
    )
    func destroyed() throws {
        let folder = fixture.path("shops")
        let manager = FileManager.default
        func create(_ more: String...) throws -> CommandRun {
            try CommandRun(
                ["backup", "create", folder, "--to", root, "--key-file", fixture.keyFile] + more,
                in: world)
        }
        let path = folder + "/b.db"
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        for left in [Data(), Data(count: content.count), content.prefix(100)] {
            try left.write(to: URL(fileURLWithPath: path))
            let run = try create()
            #expect(run.exitCode == .damaged, "\(run.output)")
            #expect(run.errors.contains("b.db is not backed up"), "\(run.errors)")
            #expect(try create("--exclude", "b.db").exitCode == .done)
        }
        // Another name of a file that is backed up, or a sound one in a folder that is left out.
        try manager.removeItem(atPath: path)
        try manager.linkItem(atPath: folder + "/a.db", toPath: path)
        #expect(try create().exitCode == .done)
        let place = folder + "/old"
        try manager.createDirectory(atPath: place, withIntermediateDirectories: false)
        try content.write(to: URL(fileURLWithPath: place + "/d.db"))
        #expect(try create().exitCode == .done)
        try Data(count: 5000).write(to: URL(fileURLWithPath: place + "/d.db"))
        #expect(try create().errors.contains("old/d.db is not backed up"))
        #expect(try create("--exclude", "old").exitCode == .done)
        try manager.removeItem(atPath: place)
        // Gone on purpose, or a link that leads nowhere; gone, and its keyring is left.
        try manager.removeItem(atPath: path)
        #expect(try create().exitCode == .done)
        try manager.createSymbolicLink(atPath: path, withDestinationPath: "nowhere.db")
        #expect(try create().exitCode == .damaged)
        try manager.removeItem(atPath: path)
        try Data("{}".utf8).write(to: URL(fileURLWithPath: path + "-keyring"))
        let gone = try create()
        #expect(gone.exitCode == .damaged && gone.errors.contains("it is gone"), "\(gone.errors)")
        // One that was never backed up.
        try Data(count: 5000).write(to: URL(fileURLWithPath: folder + "/c.db"))
        try Data("{}".utf8).write(to: URL(fileURLWithPath: folder + "/c.db-keyring"))
        #expect(try create("--exclude", "b.db").errors.contains("c.db is not backed up"))
    }

    @Test(
        "is whole without its folders as long as it has no backup: object stores keep no empty ones",
        .proves("OPR-147"))
    func withoutEmptyFolders() throws {
        let repository = fixture.path("new")
        func run(_ words: String...) throws -> CommandRun {
            try CommandRun(["backup"] + words, in: world)
        }
        #expect(try run("init", repository).exitCode == .done)
        let manager = FileManager.default
        let folders = ["packs", "backups", "tmp"]
        for name in folders { try manager.removeItem(atPath: repository + "/" + name) }
        let create = try CommandRun(
            [
                "backup", "create", fixture.database, "--to", repository, "--key-file",
                fixture.keyFile,
            ],
            in: world)
        #expect(create.exitCode == .done, "\(create.errors)")
        #expect(try run("verify", repository).exitCode == .done)
        // With a backup, what is missing is lost.
        for name in folders.prefix(2) {
            try manager.moveItem(atPath: repository + "/" + name, toPath: fixture.path("aside"))
            #expect(try run("status", repository).exitCode == .damaged, "\(name)")
            #expect(!manager.fileExists(atPath: repository + "/" + name))
            try manager.moveItem(atPath: fixture.path("aside"), toPath: repository + "/" + name)
        }
        #expect(try run("status", repository).exitCode == .done)
    }
}
