import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite struct BackupOperandTests {
    private let fixture: CommandLineFixture
    private let path: String

    init() throws {
        fixture = try CommandLineFixture()
        path = fixture.path("repository")
        #expect(try fixture.run("backup", "init", path).exitCode == .done)
        for tag in ["before-v2", "nightly"] {
            #expect(try create("--tag", tag).exitCode == .done)
            try fixture.shell.run("INSERT INTO artist(name) VALUES ('\(tag)')")
        }
    }

    private func create(_ words: String...) throws -> CommandRun {
        try CommandRun(
            ["backup", "create", fixture.database, "--to", path, "--key-file", fixture.keyFile]
                + words)
    }

    private func ids() throws -> [String] {
        let list = try fixture.run("backup", "list", path, "--json").json as? [[String: Any]]
        return list?.compactMap { $0["id"] as? String } ?? []
    }

    @Test(.proves("OPR-35"))
    func `A restore whose only operand after the repository names a backup is refused`() throws {
        let names = try fixture.directory.names()
        let hashes = try ids()
        for word in ["7", "1", "0001", "latest", hashes[0], String(hashes[1].prefix(4))] {
            let run = try fixture.run("backup", "restore", path, word)
            #expect(run.exitCode == .usage, "\(word)")
            #expect(run.errors.contains("strongroom backup restore \(path) \(word) OUT"))
            #expect(run.errors.contains("./\(word)"))
        }
        #expect(try fixture.directory.names() == names)
        let program = try fixture.runProgram("backup", "restore", path, "./7")
        #expect(program.isSuccess, "\(program.errorText)")
        #expect(try fixture.directory.names().contains("7"))
        for word in ["7.db", "shop", "abc"] {
            let out = fixture.path(word)
            #expect(try fixture.run("backup", "restore", path, out).exitCode == .done)
        }
    }

    @Test(.proves("OPR-36"))
    func `The last backup has the name latest`() throws {
        let out = fixture.path("out.db")
        let restored = try fixture.run("backup", "restore", path, "latest", out)
        #expect(restored.exitCode == .done && restored.output.contains("restored backup 2"))
        let verified = try fixture.run("backup", "verify", path, "latest")
        #expect(verified.output.contains("backup 2 was restored on trial"))
    }

    @Test(.proves("OPR-36"))
    func `What has a tag that is to be kept is kept, and never is nothing left`() throws {
        #expect(try create("--tag", "nightly").exitCode == .done)
        func prune(_ words: String...) throws -> CommandRun {
            try CommandRun(["backup", "prune", path, "--key-file", fixture.keyFile] + words)
        }
        for dryRun in [[], ["--dry-run"]] {
            let run = try CommandRun(
                ["backup", "prune", path, "--key-file", fixture.keyFile, "--keep-tag", "none"]
                    + dryRun)
            #expect(run.exitCode == .failed && run.errors.contains("keeps no backup of shop.db"))
        }
        #expect(try ids().count == 3)
        let pruned = try prune("--keep-last", "1", "--keep-tag", "before-v2", "--keep-tag", "x")
        #expect(pruned.output.contains("2 kept, 1 removed"))
        let list = try fixture.run("backup", "list", path, "--json").json as? [[String: Any]]
        #expect(list?.compactMap { $0["tag"] as? String } == ["before-v2", "nightly"])
        #expect(try prune("--keep-tag", "before-v2").output.contains("1 kept, 1 removed"))
        #expect(try prune("--keep-yearly", "1", "--keep-hourly", "1").exitCode == .done)
    }

    @Test(.proves("SCL-04"))
    func `A key where none is needed is an error that says so`() throws {
        for words in [
            ["backup", "list", path], ["backup", "status", path],
            ["backup", "init", fixture.path("new")],
        ] {
            let run = try CommandRun(words + ["--key-file", fixture.keyFile])
            #expect(run.exitCode == .usage)
            #expect(run.errors.contains("\(words[0]) \(words[1]) needs no key"), "\(run.errors)")
        }
        for option in ["--key-env=K", "--key-fd=3", "--key-command=x", "--key-ask"] {
            let run = try fixture.run("backup", "list", path, option)
            #expect(run.errors.contains("backup list needs no key"), "\(option): \(run.errors)")
        }
        #expect(try fixture.run("info", fixture.database, "--key-flie", "x").exitCode == .usage)
    }

    @Test(.proves("OPR-49"))
    func
        `A log without its database is told of in the same words by whatever would lie next to it`()
        throws
    {
        let out = fixture.path("out.db")
        let other = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "n.key")
        let keys = ["--key-file", fixture.keyFile]
        let commands = [
            ["copy", fixture.database, out] + keys, ["encrypt", fixture.plain, out] + keys,
            ["decrypt", fixture.database, out] + keys, ["salvage", fixture.database, out] + keys,
            ["copy", fixture.database, out] + keys + ["--new-key-file", other],
            ["backup", "restore", path, out] + keys,
        ]
        for suffix in ["-wal", "-journal"] {
            let log = try fixture.directory.write("a log", to: "out.db" + suffix)
            var errors: Set<String> = []
            for words in commands {
                let run = try CommandRun(words)
                #expect(run.exitCode == .failed, "\(words)")
                errors.insert(run.errors)
            }
            #expect(errors.count == 1, "\(errors)")
            #expect(errors.first?.contains("out.db\(suffix) is there without its database") == true)
            #expect(try String(contentsOfFile: log, encoding: .utf8) == "a log")
            // It may hold the only copy of commits.
            for words in commands {
                let run = try CommandRun(words + ["--force"])
                #expect(run.exitCode == .failed, "\(words): \(run.errors)")
                #expect(run.errors.contains("move it away"), "\(words): \(run.errors)")
                #expect(try String(contentsOfFile: log, encoding: .utf8) == "a log", "\(words)")
                #expect(try !fixture.directory.names().contains("out.db"), "\(words)")
            }
            // One that SQLite has emptied holds nothing.
            try FileManager.default.removeItem(atPath: log)
            try fixture.directory.write("", to: "out.db" + suffix)
            #expect(try CommandRun(commands[0]).exitCode == .done)
            try FileManager.default.removeItem(atPath: out)
        }
    }

    @Test(.proves("OPR-52"))
    func `A database whose name is that of another one's folder is told of, and the rest restored`()
        throws
    {
        let root = fixture.path("root")
        let shops = fixture.path("shops")
        let manager = FileManager.default
        for folder in [root, shops + "/a.db"] {
            try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        func createAll() throws -> CommandRun {
            try fixture.run(
                "backup", "create", shops, "--to", root, "--key-file", fixture.keyFile)
        }
        try manager.copyItem(atPath: fixture.database, toPath: shops + "/a.db/deep.db")
        #expect(try createAll().exitCode == .done)
        try manager.removeItem(atPath: shops + "/a.db")
        try manager.copyItem(atPath: fixture.database, toPath: shops + "/a.db")
        #expect(try createAll().exitCode == .done)
        let out = fixture.path("out")
        let run = try fixture.run("backup", "restore", root, out)
        #expect(run.exitCode == .failed)
        #expect(run.errors.contains("a.db%2Fdeep.db cannot be restored to \(out)/a.db/deep.db"))
        #expect(
            run.errors.contains("restore this one alone") || run.errors.contains("restore it alone")
        )
        #expect(!run.errors.contains("encrypt IN OUT"))
        #expect(manager.fileExists(atPath: out + "/a.db"))
    }

    @Test(.proves("OPR-52"))
    func `A home that is a file is told of in words, and the work is done`() throws {
        let file = try fixture.directory.write("a file", to: "home")
        var world = CommandRun.World()
        world.settings = ["HOME": file]
        let run = try CommandRun(["backup", "verify", path], in: world)
        #expect(run.exitCode == .done && run.errors.contains("cannot remember"))
        #expect(run.errors.contains("Not a directory") && !run.errors.contains("CocoaError"))
    }
}
