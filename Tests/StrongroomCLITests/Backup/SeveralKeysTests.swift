import Foundation
import StrongroomCLI
import StrongroomTestSupport
import Testing

@Suite("A root whose databases have different keys")
struct SeveralKeysTests {
    private let fixture: CommandLineFixture
    private let root: String
    private let keys: String
    private let otherKey: String
    private let other: String

    init() throws {
        fixture = try CommandLineFixture()
        root = fixture.path("root")
        keys = fixture.path("keys")
        other = fixture.path("other.db")
        for folder in [root, keys] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        otherKey = try fixture.directory.write(CommandLineFixture.otherKey + "\n", to: "o.key")
        try SQLCipherShell(path: other, key: .content(CommandLineFixture.otherKey))
            .create("CREATE TABLE t (a)")
        for (name, file) in [("a.key", fixture.keyFile), ("b.key", otherKey)] {
            try FileManager.default.copyItem(atPath: file, toPath: keys + "/" + name)
        }
        for (database, key) in [(fixture.database, fixture.keyFile), (other, otherKey)] {
            let name = root + "/" + (database as NSString).lastPathComponent
            try #require(try fixture.run("backup", "init", name).exitCode == .done)
            for _ in 0..<2 {
                let run = try fixture.run(
                    "backup", "create", database, "--to", name, "--key-file", key)
                try #require(run.exitCode == .done, "\(run.errors)")
            }
        }
    }

    @Test("is pruned with a folder of them, each repository with its own", .proves("OPR-61"))
    func prune() throws {
        let prune = ["backup", "prune", root, "--keep-last", "1"]
        for dryRun in [["--dry-run"], []] {
            let run = try CommandRun(prune + ["--key-file", keys] + dryRun)
            #expect(run.exitCode == .done, "\(run.errors)")
            #expect(run.output.contains("2 of 2 repositories"), "\(run.output)")
        }
        let one = try CommandRun(prune + ["--key-file", otherKey])
        #expect(one.exitCode == .wrongKey && one.output.contains("1 of 2 repositories are pruned"))
    }

    @Test("A dry run tries the key that is given", .proves("OPR-61"))
    func dryRun() throws {
        let prune = ["backup", "prune", root + "/shop.db", "--keep-last", "1", "--dry-run"]
        #expect(try CommandRun(prune).exitCode == .done)
        #expect(try CommandRun(prune + ["--key-file", fixture.keyFile]).exitCode == .done)
        #expect(try CommandRun(prune + ["--key-file", otherKey]).exitCode == .wrongKey)
    }

    @Test("takes several verification keys", .proves("OPR-69"))
    func verificationKeys() throws {
        var options: [String] = []
        for (name, key) in [("shop.db", fixture.keyFile), ("other.db", otherKey)] {
            let run = try fixture.run(
                "backup", "verification-key", root + "/" + name, "--key-file", key)
            options += [
                "--verification-key", try fixture.directory.write(run.output, to: name + ".vkey"),
            ]
        }
        let run = try CommandRun(["backup", "verify", root] + options)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.output.matches(of: #/pages? verified, \d+ authenticated/#).count == 2)
        let one = try CommandRun(["backup", "verify", root] + options.prefix(2))
        #expect(one.exitCode == .wrongKey)
    }

    @Test("doctor gives its verdict, whether one of several keys opens the file", .proves("OPR-69"))
    func doctor() throws {
        let files = try fixture.run(
            "doctor", fixture.database, other, "--key-file", keys)
        #expect(files.exitCode == .done, "\(files.errors)")
        #expect(files.output.matches(of: #/: sound/#).count == 2)
        let third = fixture.path("third.db")
        let key = "x'\(String(repeating: "77", count: 32))'"
        try SQLCipherShell(path: third, key: .content(key)).create("CREATE TABLE t (a)")
        let single = try fixture.run("doctor", third, "--key-file", fixture.keyFile)
        let several = try fixture.run("doctor", third, "--key-file", keys)
        #expect(several.exitCode == single.exitCode && several.exitCode != .done)
        #expect(several.output.hasPrefix("\(third): "), "\(several.output) \(several.errors)")
    }

    @Test("key-id takes the root, and says so of a folder without a repository", .proves("OPR-71"))
    func keyID() throws {
        let run = try fixture.run("key-id", fixture.keyFile, otherKey, root)
        #expect(run.exitCode == .done, "\(run.errors)")
        #expect(run.output.contains("root/shop.db") && run.output.contains("root/other.db"))
        let folder = try fixture.run("key-id", keys, fixture.database)
        #expect(folder.exitCode == .usage)
        #expect(folder.errors.contains("is a folder, and no backup repository"))
        #expect(folder.errors.contains("/keys/*.key"))
    }

    @Test(
        "Files that are refused leave no empty repository; --exclude leaves files out",
        .proves("OPR-66"))
    func refused() throws {
        let folder = fixture.path("folder")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        for name in ["a.db", "b.bak"] {
            try FileManager.default.copyItem(
                atPath: fixture.database, toPath: folder + "/" + name)
        }
        try FileManager.default.copyItem(atPath: other, toPath: folder + "/strange.db")
        var damaged = try Data(contentsOf: URL(fileURLWithPath: fixture.database))
        damaged[4096 + 100] ^= 1
        try damaged.write(to: URL(fileURLWithPath: folder + "/damaged.db"))
        let new = fixture.path("new")
        try FileManager.default.createDirectory(atPath: new, withIntermediateDirectories: false)
        let create = [
            "backup", "create", folder, "--to", new, "--key-file", fixture.keyFile, "--exclude",
            "*.bak",
        ]
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: new).filter { $0 != "lock" }
        }
        let run = try CommandRun(create)
        #expect(run.exitCode != .done)
        #expect(try names() == ["a.db"], "\(run.errors)")
        let all = try CommandRun(create + ["--exclude", "strange.db", "--exclude", "damaged.db"])
        #expect(all.exitCode == .done, "\(all.errors)")
        #expect(try names() == ["a.db"])
    }
}
